#pragma once
// ContentFinder: what files hold now, for calls that must answer soon: what the stat cache knows is not read,
// and what had to be read is known to it from then on, in calls to come too.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

class Workspace;

// A larger file is not read to find out what it holds.
inline constexpr std::int64_t found_bytes_max = std::int64_t{1} << 30;

// For one call, by one thread.
class ContentFinder {
 public:
  // Both outlive it.
  ContentFinder(Workspace& workspace, const std::stop_token& stop) : workspace_(workspace), stop_(stop) {}
  ContentFinder(ContentFinder&&) = delete;
  ~ContentFinder();  // Also a call that was stopped leaves what it has read to the next.

  // The content of the file or symlink that `stat` was just taken of. None: it is too large, cannot be read,
  // or the call was stopped.
  std::optional<BlobId> find(const std::string& path, const FileStat& stat);

 private:
  Workspace& workspace_;
  const std::stop_token& stop_;
  std::vector<FileRecord> learned_;
};

}  // namespace snapgen::core

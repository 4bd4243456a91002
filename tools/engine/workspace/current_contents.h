#pragma once
// CurrentContents: the current contents of files, for calls that must return soon. It does not read files
// whose contents are in the stat cache, and adds the others to the cache.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

class Workspace;

// Maximum size of a file that is read.
inline constexpr std::int64_t current_contents_bytes_max = std::int64_t{1} << 30;

// An instance serves one call on one thread.
class CurrentContents {
 public:
  // The arguments must outlive this.
  CurrentContents(Workspace& workspace, const std::stop_token& stop) : workspace_(workspace), stop_(stop) {}
  CurrentContents(CurrentContents&&) = delete;
  ~CurrentContents();  // Stores what was read in the stat cache, also if the call was stopped.

  // The content of the file or symlink whose current stat is `stat`; nullopt if it is too large or
  // unreadable, or the call was stopped.
  std::optional<BlobId> find(const std::string& path, const FileStat& stat);

 private:
  Workspace& workspace_;
  const std::stop_token& stop_;
  std::vector<FileRecord> new_records_;
};

}  // namespace snapgen::core

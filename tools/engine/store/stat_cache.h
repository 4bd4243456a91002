#pragma once
// StatCache: which content each file had when it was last read, so that unchanged files are not read again.
//
// It is a hint that may be lost at any time: what it says is used only where the file's stat proves it (see
// proves_unchanged). Kept in one file of batches (file_record.h): the first has its records in the order of
// their paths and is read where it lies, mapped; those that were appended later go before it. They become one
// again when they have grown large.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

// Thread-safe.
class StatCache {
 public:
  explicit StatCache(std::string folder) : folder_(std::move(folder)) {}
  StatCache(StatCache&&) = delete;
  ~StatCache();

  // The content of the file that has `stat` now, if it is known. Quickest for paths in order.
  std::optional<BlobId> find(std::string_view path, const FileStat& stat);

  // Keeps the records that have a blob, on disk too. They are in the order of their paths. A failure is not
  // an error: the files will be read.
  void remember(const std::vector<FileRecord>& records);

  // Gives back the memory; what is asked next is read from disk.
  void rest();

 private:
  void load();  // The rest holds mutex_ alone.
  void unload();
  void load_ordered(std::string_view payload);
  std::optional<RecordView> find_ordered(std::string_view path) const;  // May share mutex_.
  RecordView ordered(std::size_t index) const;
  void rewrite(const std::vector<const FileRecord*>& fresh);

  std::string folder_;
  std::shared_mutex mutex_;
  bool loaded_ = false;
  bool torn_ = false;                   // Nothing that is appended would ever be read.
  std::string_view file_;               // Mapped.
  std::string_view payload_;            // Of the first batch,
  std::vector<std::uint32_t> offsets_;  // and where each record begins in it.
  std::map<std::string, FileRecord, std::less<>> later_;
};

}  // namespace snapgen::core

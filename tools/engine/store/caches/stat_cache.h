#pragma once
// StatCache: the content that each file had when it was last read, so that unchanged files are not reread.
//
// It is a hint that may be lost at any time: an entry is used only if the file's stat proves it
// (proves_unchanged). The cache is one file of batches (file_record.h). The first batch has records sorted
// by path and is searched in the mapped file. Batches that were appended later override it, and are merged
// into it when they have grown large.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

// Thread-safe.
class StatCache {
 public:
  explicit StatCache(std::string folder) : folder_(std::move(folder)) {}
  StatCache(StatCache&&) = delete;
  ~StatCache();

  // The content of a file whose stat is `stat`, if it is known. Fastest for paths in sorted order.
  std::optional<BlobId> find(std::string_view path, const FileStat& stat);

  // Stores the records that have a blob, also on disk. It is faster if they are sorted by path. A failure is
  // not an error: the files are read again.
  void remember(const std::vector<FileRecord>& records);

  // Frees the memory; the next call reads the file again.
  void release_memory();

 private:
  void load();  // The caller of the private functions holds mutex_ exclusively.
  void unload();
  void load_ordered(std::string_view payload);
  std::optional<RecordView> find_ordered(std::string_view path) const;  // A shared lock of mutex_ suffices.
  RecordView ordered(std::size_t index) const;
  void rewrite(const std::vector<const FileRecord*>& fresh);

  std::string folder_;
  std::shared_mutex mutex_;
  bool loaded_ = false;
  bool torn_ = false;                   // The file is torn: no reader would reach an appended batch.
  std::string_view file_;               // The mapped file.
  std::string_view payload_;            // The payload of the first batch.
  std::vector<std::uint32_t> offsets_;  // The offset of each record in payload_.
  std::map<std::string, FileRecord, std::less<>> later_;
};

}  // namespace snapgen::core

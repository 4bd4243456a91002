#pragma once
// FileRecord: the stat and content of one file at one instant, and the check whether they are still valid.
// Leases and the stat cache consist of them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/file_stat.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

struct FileRecord {
  std::string path;
  FileStat stat;
  std::int64_t seen_ns = 0;    // When `stat` was taken, in nanoseconds since 1970.
  std::optional<BlobId> blob;  // The content (of a symlink: its target); absent if it was not read.

  bool operator==(const FileRecord&) const = default;
};

// The record of a path at which there is no file: its stat is all zeros. A folder may appear there.
inline FileRecord absence_of(std::string path) {
  return FileRecord{.path = std::move(path), .stat = {}, .seen_ns = 0, .blob = {}};
}
// The record of a missing path that a client asked for: no file and no folder may appear there.
inline FileRecord observed_absence_of(std::string path, std::int64_t seen_ns) {
  return FileRecord{.path = std::move(path), .stat = {}, .seen_ns = seen_ns, .blob = {}};
}
inline bool is_absence(const FileRecord& record) { return record.stat.mode == 0; }
inline bool is_observed_absence(const FileRecord& record) {
  return is_absence(record) && record.seen_ns != 0;
}

// Whether equal stats do not prove equal contents: the file was written so shortly before `seen_ns` that a
// later write may have the same times (git: "racily clean"). Also true if the clock was set back.
bool is_racy(const FileStat& stat, std::int64_t seen_ns);

// Whether `now` proves that the file still has the recorded content.
inline bool proves_unchanged(const FileRecord& record, const FileStat& now) {
  return record.stat == now && !is_racy(record.stat, record.seen_ns);
}

std::int64_t now_ns();  // The current time since 1970.

// The store's files are sequences of batches: a header with a checksum, then a payload. A torn or foreign end
// is ignored.
enum class BatchKind : std::uint8_t {
  text = 'T',
  records = 'R',
  listed = 'L',   // Rows of a listing (tools/engine/store/caches/shared_listing.h).
  filters = 'F',  // Trigram filters of contents (tools/engine/search/trigram_filter_cache.h).
  issued = 'I',   // The index of a group of leases (tools/engine/store/leases/issued_leases.h).
};

std::string encoded_batch(BatchKind kind, std::string_view payload);
std::string encoded_records(const std::vector<FileRecord>& records);  // As one batch.

// Builds a batch of records without a second copy of them.
class RecordBatch {
 public:
  RecordBatch();
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  void add(std::string_view path, const FileStat& stat, std::int64_t seen_ns,
           const std::optional<BlobId>& blob);
  void add(const FileRecord& record) { add(record.path, record.stat, record.seen_ns, record.blob); }
  void add_encoded(std::string_view record) { out_ += record; }  // `record` is a RecordView::encoded.
  std::string finish() &&;

 private:
  std::string out_;
};

// A record within a batch; the batch's bytes must outlive it.
struct RecordView {
  std::string_view path;
  FileStat stat;
  std::int64_t seen_ns = 0;
  std::optional<BlobId> blob;
  std::string_view encoded;
};
// Removes the next record from the front of a batch's payload. Returns nullopt if there is no valid record.
std::optional<RecordView> next_record(std::string_view& payload);

struct Batch {
  BatchKind kind = BatchKind::text;
  std::string_view payload;
};
// Removes the next whole batch from the front of `bytes`. Returns nullopt if there is none.
std::optional<Batch> next_batch(std::string_view& bytes);
// The records of a batch, or nullopt if it is not a valid batch of records.
std::optional<std::vector<FileRecord>> records_of(const Batch& batch);

}  // namespace snapgen::core

#pragma once
// FileRecord: what was known of one file at one instant, and whether that still holds. Leases and the stat
// cache are made of them.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/files/file_stat.h"
#include "tools/engine/store/blob_id.h"

namespace snapgen::core {

struct FileRecord {
  std::string path;
  FileStat stat;
  std::int64_t seen_ns = 0;    // When `stat` was taken, since 1970.
  std::optional<BlobId> blob;  // The content then (of a symlink: its target); absent if nobody read it.

  bool operator==(const FileRecord&) const = default;
};

// The record of a path at which no file stands: its stat is all zeros. A folder may come there.
inline FileRecord absence_of(std::string path) {
  return FileRecord{.path = std::move(path), .stat = {}, .seen_ns = 0, .blob = {}};
}
// The same of a path that somebody asked for: nothing at all was there, and nothing may come.
inline FileRecord missed_at(std::string path, std::int64_t seen_ns) {
  return FileRecord{.path = std::move(path), .stat = {}, .seen_ns = seen_ns, .blob = {}};
}
inline bool is_absence(const FileRecord& record) { return record.stat.mode == 0; }
inline bool is_missed(const FileRecord& record) { return is_absence(record) && record.seen_ns != 0; }

// Whether equal stats do not prove equal contents: the file was written so shortly before `seen_ns` that a
// later write may have left the same times (git calls it racily clean). So it is with a clock that was set
// back.
bool is_racy(const FileStat& stat, std::int64_t seen_ns);

// Whether `now` proves that the file still has the content that the record speaks of.
inline bool proves_unchanged(const FileRecord& record, const FileStat& now) {
  return record.stat == now && !is_racy(record.stat, record.seen_ns);
}

std::int64_t now_ns();  // since 1970

// A file of ours is a sequence of batches: a header with a check, and a payload. A torn or foreign end is not
// read.
enum class BatchKind : std::uint8_t {
  text = 'T',
  records = 'R',
  listed = 'L',  // Rows of a listing (tools/engine/store/shared_listing.h).
  issued = 'I',  // The index of a group of leases (tools/engine/store/issued_leases.h).
};

std::string encoded_batch(BatchKind kind, std::string_view payload);
std::string encoded_records(const std::vector<FileRecord>& records);  // as a batch

// A batch of records, made without a second copy of them.
class RecordBatch {
 public:
  RecordBatch();
  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  void add(std::string_view path, const FileStat& stat, std::int64_t seen_ns,
           const std::optional<BlobId>& blob);
  void add(const FileRecord& record) { add(record.path, record.stat, record.seen_ns, record.blob); }
  void add_encoded(std::string_view record) { out_ += record; }  // As RecordView has it.
  std::string finished() &&;

 private:
  std::string out_;
};

// A record within a batch, which must outlive it.
struct RecordView {
  std::string_view path;
  FileStat stat;
  std::int64_t seen_ns = 0;
  std::optional<BlobId> blob;
  std::string_view encoded;
};
// Takes the next record off the front of a batch's payload; none if none begins there.
std::optional<RecordView> next_record(std::string_view& payload);

struct Batch {
  BatchKind kind = BatchKind::text;
  std::string_view payload;
};
// Takes the next whole batch off the front of `bytes`; none if there is none.
std::optional<Batch> next_batch(std::string_view& bytes);
// The records of a batch; none if it is not made of records.
std::optional<std::vector<FileRecord>> records_of(const Batch& batch);

}  // namespace snapgen::core

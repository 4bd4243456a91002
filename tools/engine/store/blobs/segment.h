#pragma once
// Segment: one append-only file of blobs, `<name>.seg`, and its index, `<name>.idx` (segment_index.h).
//
// The file is a header of 16 bytes, then records: a header of 64 bytes (magic, codec, sizes, SHA-256 of the
// content, and a checksum over those) and the stored bytes. Only the process that holds the file's lock
// appends, and nothing is ever overwritten. A record that a crash left torn fails its checksum and ends the
// scan; so does a damaged one. The bytes after it are searched when a blob is missing.
//
// The records after the index's `covered`, the tail, are found by scanning. A machine crash may have lost
// the content of a tail record, so it is verified before anything new relies on it. All integers are
// little-endian.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/store/blobs/codec.h"
#include "tools/engine/store/blobs/segment_index.h"

namespace snapgen::core {

inline constexpr std::size_t record_header_bytes = 64;
inline constexpr std::size_t segment_header_bytes = 16;
inline constexpr std::string_view record_magic = "Blb1";  // The first bytes of each record.

struct RecordHeader {
  Codec codec = Codec::raw;
  std::uint64_t raw_bytes = 0;
  std::uint64_t stored_bytes = 0;
  BlobId id;

  std::string encoded() const;
  static std::optional<RecordHeader> decoded(const char* bytes);  // `bytes` are record_header_bytes long.
};

// The error for a record of the blob `id` that is damaged; `why` becomes part of its cause.
Error damaged_record_error(const BlobId& id, const std::string& segment, std::uint64_t offset,
                           std::string_view why);

// Not thread-safe; SegmentStore guards it. Other threads may call read() and expected_header() at any time.
class Segment : public std::enable_shared_from_this<Segment> {
 public:
  struct TailRecord {
    BlobLocation location;
    bool verified = false;
  };

  // Errors of all functions: unavailable; internal (damaged). open() also: not_found.
  static Result<std::shared_ptr<Segment>> open(const std::string& folder, const std::string& name);
  // Creates a segment, which is locked.
  static Result<std::shared_ptr<Segment>> create(const std::string& folder, const std::string& name);
  ~Segment();
  Segment(Segment&&) = delete;

  const std::string& name() const { return name_; }
  int fd() const { return fd_.get(); }
  std::uint64_t end() const { return end_; }  // The offset of the next record.
  bool ends_cleanly() const;                  // Whether nothing follows end(), and the file still exists.
  Result<std::uint64_t> size() const;         // The size of the file, including damaged parts.
  std::size_t tail_records() const { return tail_.size(); }
  std::uint64_t tail_bytes() const { return end_ - covered_; }

  // This process knows that the records before this offset are on disk.
  std::uint64_t synced_end() const { return synced_end_; }
  void set_synced_end(std::uint64_t offset) { synced_end_ = std::max(synced_end_, offset); }

  // Loads the records and the index that other processes have written since.
  Result<Unit> refresh();

  std::optional<BlobLocation> find(const BlobId& id) const;
  std::optional<BlobLocation> find_in_index(const BlobId& id) const;
  TailRecord* find_in_tail(const BlobId& id);  // Returns null if the tail does not have it.
  void forget_in_tail(const BlobId& id) { tail_.erase(id); }

  // The header of the record at `offset`, or nullopt if there is none that ends within `size`.
  std::optional<RecordHeader> header_at(std::uint64_t offset, std::uint64_t size) const;
  // The header of the record at `location`. Errors: internal (it is not a record of the blob `id`).
  Result<RecordHeader> expected_header(const BlobId& id, const BlobLocation& location) const;
  // For a blob that was missing or damaged: rebuilds the entries from the segment if the index names a
  // wrong location for `id`, and searches the bytes after the damage that ended the last scan. Returns
  // false if no other location of `id` was found.
  bool recover_location(const BlobId& id);
  std::vector<BlobEntry> index_entries() const { return index_.entries(); }
  std::uint64_t covered() const { return covered_; }
  // The state of the index file: `older` or `wrong` if it is not used.
  IndexFile::State index_state() const { return index_state_; }
  bool needs_new_index() const {
    return index_state_ == IndexFile::State::older || index_state_ == IndexFile::State::wrong;
  }

  // The content at `location`, verified to be that of `id`. Errors: internal (damaged).
  Result<std::string> read(const BlobId& id, const BlobLocation& location) const;

  // Called by the process that holds lock(), after it wrote a record's bytes at end().
  void add_appended_record(const BlobId& id, const BlobLocation& location);
  // Forgets every record from `offset` on.
  void forget_records_from(std::uint64_t offset);
  // Removes the rest of a failed write after end(). If that fails, no process appends to this segment
  // again. Never cuts off a whole record, because another process may have read it.
  void cut_failed_write();
  bool lock();
  void unlock();
  // Frees the index's pages; they are read again when needed.
  void release_memory() const;
  // Writes an index of all records so far. The caller has synced them.
  Result<Unit> write_index();
  // Locks, syncs and indexes a segment that no process writes to. If that fails, the old index remains.
  void rebuild_index();

 private:
  Segment(std::string folder, std::string name, Fd fd);
  enum class IndexAge : std::uint8_t { newer, any };
  Result<Unit> load_index(IndexAge age);
  Result<Unit> make_index(std::uint64_t covered);
  Result<Unit> scan();
  void distrust_index(const BlobId& id);
  void search_after_damage();

  std::string folder_;
  std::string name_;
  Fd fd_;
  std::uint64_t end_ = segment_header_bytes;
  std::uint64_t covered_ = segment_header_bytes;
  std::uint64_t synced_end_ = 0;
  SegmentIndex index_;
  IndexFile::State index_state_ = IndexFile::State::none;
  bool is_index_wrong_ = false;
  std::unordered_map<BlobId, TailRecord, BlobIdHash> tail_;
  // Records after the damage that ended the last scan. They can be read, but nothing new relies on them,
  // because another process may be writing there.
  std::unordered_map<BlobId, BlobLocation, BlobIdHash> after_damage_;
  std::pair<std::uint64_t, std::uint64_t> searched_;  // The range of the last search_after_damage().
};

// The sorted names of the segments in `folder`, or nullopt if the folder cannot be listed.
std::optional<std::vector<std::string>> segment_names(const std::string& folder);

}  // namespace snapgen::core

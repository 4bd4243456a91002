#pragma once
// Segment: one append-only file of blobs, `<name>.seg`, and the table of what it holds, `<name>.idx`
// (segment_index.h).
//
// Segment: a header of 16 bytes, then records: a header of 64 bytes (magic, codec, sizes, SHA-256 of the
// content, and a check over those) and the stored bytes. Only the process that holds the file's lock appends;
// nothing is ever overwritten. A record that a crash left torn fails its check and ends the file; so does one
// that was damaged, and what stands behind it is searched for when something is missed.
//
// What comes after the index's `covered`, the tail, is found by scanning. A record of the tail may have lost
// its content to a crash of the machine, so it is verified before anything new relies on it. All integers are
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
#include "tools/engine/store/blob_id.h"
#include "tools/engine/store/codec.h"
#include "tools/engine/store/segment_index.h"

namespace snapgen::core {

inline constexpr std::size_t record_header_bytes = 64;
inline constexpr std::size_t segment_header_bytes = 16;
inline constexpr std::string_view record_magic = "Blb1";  // How each record begins.

struct RecordHeader {
  Codec codec = Codec::raw;
  std::uint64_t raw_bytes = 0;
  std::uint64_t stored_bytes = 0;
  BlobId id;

  std::string encoded() const;
  static std::optional<RecordHeader> decoded(const char* bytes);  // record_header_bytes of them
};

// The blob's record at `offset` is not what it should be.
Error damaged(const BlobId& id, const std::string& segment, std::uint64_t offset, std::string_view why);

// Not thread-safe; SegmentStore guards it. read() and expected_header() may run beside anything.
class Segment : public std::enable_shared_from_this<Segment> {
 public:
  struct Tail {
    BlobLocation place;
    bool verified = false;
  };

  // Errors of all: unavailable; internal (damaged); of open() not_found too.
  static Result<std::shared_ptr<Segment>> open(const std::string& folder, const std::string& name);
  // Locked already.
  static Result<std::shared_ptr<Segment>> create(const std::string& folder, const std::string& name);
  ~Segment();
  Segment(Segment&&) = delete;

  const std::string& name() const { return name_; }
  int fd() const { return fd_.get(); }
  std::uint64_t end() const { return end_; }  // Where the next record would begin.
  bool ends_cleanly() const;                  // Nothing stands after end(), and the file has a name.
  Result<std::uint64_t> size() const;         // Of the file, whatever it holds.
  std::size_t tail_records() const { return tail_.size(); }
  std::uint64_t tail_bytes() const { return end_ - covered_; }

  // Up to here this process knows the records to be on disk.
  std::uint64_t synced() const { return synced_; }
  void set_synced(std::uint64_t offset) { synced_ = std::max(synced_, offset); }

  // Takes in what other processes appended, or indexed, since.
  Result<Unit> refresh();

  std::optional<BlobLocation> find(const BlobId& id) const;
  std::optional<BlobLocation> find_in_index(const BlobId& id) const;
  Tail* find_in_tail(const BlobId& id);  // Null if it is not there.
  void forget(const BlobId& id) { tail_.erase(id); }

  // The record that begins at `offset`, if one does and ends within `size`.
  std::optional<RecordHeader> header_at(std::uint64_t offset, std::uint64_t size) const;
  // The record that stands at `place`. Errors: internal (it is not that of the blob `id`).
  Result<RecordHeader> expected_header(const BlobId& id, const BlobLocation& place) const;
  // For a blob that was not found, or was damaged: looks at the segment itself where the index names a place
  // of `id` at which its record does not stand, and behind damage that ended the last scan. False: it
  // knows no place of `id`, or only the index does.
  bool look_again(const BlobId& id);
  std::vector<BlobEntry> index_entries() const { return index_.entries(); }
  std::uint64_t covered() const { return covered_; }
  // The index file is not what is believed: of an older version, or damaged.
  IndexFile::State index_state() const { return index_state_; }
  bool wants_index() const {
    return index_state_ == IndexFile::State::older || index_state_ == IndexFile::State::wrong;
  }

  // The content at `place`, verified to be `id`. Errors: internal (damaged).
  Result<std::string> read(const BlobId& id, const BlobLocation& place) const;

  // For the process that holds lock(): after a record's bytes were written at end().
  void appended(const BlobId& id, const BlobLocation& place);
  // Takes back every record from `offset` on.
  void withdraw(std::uint64_t offset);
  // Removes what a write that failed half-way left after end(); if that fails, nobody will append here again.
  // A whole record that stands there is not to be cut off: somebody may have seen it.
  void cut();
  bool lock();
  void unlock();
  // The index's pages are read again when they are needed.
  void rest() const;
  // Covers everything so far, all of which is synced.
  Result<Unit> write_index();
  // The same of a segment that nobody writes: locks and syncs it. If that fails, nothing relies on it.
  void index_again();

 private:
  Segment(std::string folder, std::string name, Fd fd);
  enum class Which : std::uint8_t { newer, any };
  Result<Unit> load_index(Which which);
  Result<Unit> make_index(std::uint64_t covered);
  Result<Unit> scan();
  void distrust_index(const BlobId& id);
  void search_behind();

  std::string folder_;
  std::string name_;
  Fd fd_;
  std::uint64_t end_ = segment_header_bytes;
  std::uint64_t covered_ = segment_header_bytes;
  std::uint64_t synced_ = 0;
  SegmentIndex index_;
  IndexFile::State index_state_ = IndexFile::State::none;
  bool index_lied_ = false;
  std::unordered_map<BlobId, Tail, BlobIdHash> tail_;
  // What stands behind damage that ended the last scan. It can be read; nothing new relies on it, for
  // somebody may be writing there.
  std::unordered_map<BlobId, BlobLocation, BlobIdHash> behind_;
  std::pair<std::uint64_t, std::uint64_t> searched_;  // From where to where.
};

// The names of the segments in `folder`, sorted. None: it cannot be listed.
std::optional<std::vector<std::string>> segment_names(const std::string& folder);

}  // namespace snapgen::core

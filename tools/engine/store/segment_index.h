#pragma once
// SegmentIndex: which blobs stand where in the first `covered` bytes of a segment: the file `<name>.idx`,
// mapped, or the same made in memory.
//
// The file: a header of 48 bytes (magic, covered, count, a check over the entries, a check over those), then
// entries of 56 bytes, sorted: id, offset, stored bytes, raw bytes. A check is the first 8 bytes of a
// SHA-256, an integer little-endian. It is written after the records up to `covered` were synced, and
// replaced as a whole.
//
// The entries are checked once, when the file is loaded: 2 ms for 78,000 of them. If their check fails, or is
// not there (version 01 had none), they are not believed, and made again from the segment. The header has its
// own check, so that `covered` tells nevertheless which records need not be doubted after a crash.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/store/blob_id.h"

namespace snapgen::core {

struct BlobLocation {
  std::uint64_t offset = 0;        // of the record's header
  std::uint64_t stored_bytes = 0;  // after the header
  std::uint64_t raw_bytes = 0;

  bool operator==(const BlobLocation&) const = default;
};

using BlobEntry = std::pair<BlobId, BlobLocation>;

// What was found at an index's path.
struct IndexFile {
  enum class State : std::uint8_t {
    none,
    sound,
    older,  // Or of a version that is not known.
    wrong,
  };
  State state = State::none;
  Fd fd;
  std::uint64_t bytes = 0;
  std::uint64_t covered = 0;  // 0: nobody can tell.
  std::uint64_t count = 0;
};

// Reads the header alone, so `sound` may yet turn out to be wrong.
IndexFile open_index_file(const std::string& path);

// Not thread-safe but for what is const.
class SegmentIndex {
 public:
  SegmentIndex() = default;
  SegmentIndex(SegmentIndex&&) = delete;
  ~SegmentIndex() { clear(); }

  // Maps the file, if its entries have their check. False: they are not to be believed; nothing has changed.
  bool map(const IndexFile& file);
  // Of `entries`, which need not be sorted; of several of one blob the last counts.
  void make(std::vector<BlobEntry> entries, std::uint64_t covered);

  std::optional<BlobLocation> find(const BlobId& id) const;
  std::vector<BlobEntry> entries() const;

  // Its pages are read again when they are needed.
  void rest() const;

 private:
  void clear();
  BlobEntry entry(std::uint64_t index) const;

  std::string made_;
  std::string_view mapped_;
  std::string_view bytes_;  // Of the entries.
  std::uint64_t count_ = 0;
};

// What such a file holds. `entries`: as for SegmentIndex::make().
std::string encoded_index(std::vector<BlobEntry> entries, std::uint64_t covered);

// The first 8 bytes of the SHA-256.
std::uint64_t check_of(std::string_view bytes);

}  // namespace snapgen::core

#pragma once
// SegmentIndex: the locations of the blobs in the first `covered` bytes of a segment. It is the mapped file
// `<name>.idx`, or the same bytes in memory.
//
// The file is a header of 48 bytes (magic, covered, count, a checksum of the entries, a checksum of the
// header), then entries of 56 bytes, sorted: id, offset, stored bytes, raw bytes. A checksum is the first 8
// bytes of a SHA-256, as a little-endian integer. The file is written after the records up to `covered`
// were synced, and is always replaced as a whole.
//
// The entries are verified when the file is loaded: 2 ms for 78,000 of them. If their checksum is wrong, or
// missing as in version 01, they are rebuilt from the segment. The header has its own checksum, so
// `covered` remains usable: the records before it need no verification after a crash.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/fd.h"
#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

struct BlobLocation {
  std::uint64_t offset = 0;        // The offset of the record's header.
  std::uint64_t stored_bytes = 0;  // The size of the content as stored after the header.
  std::uint64_t raw_bytes = 0;

  bool operator==(const BlobLocation&) const = default;
};

using BlobEntry = std::pair<BlobId, BlobLocation>;

// The state of an index file, and its header.
struct IndexFile {
  enum class State : std::uint8_t {
    none,
    sound,
    older,  // An older version, or an unknown one.
    wrong,
  };
  State state = State::none;
  Fd fd;
  std::uint64_t bytes = 0;
  std::uint64_t covered_bytes = 0;  // Number of covered bytes, see SegmentIndex; 0: unknown.
  std::uint64_t count = 0;
};

// Reads only the header, so SegmentIndex::map() may still reject a `sound` file.
IndexFile open_index_file(const std::string& path);

// Not thread-safe, except for const functions.
class SegmentIndex {
 public:
  SegmentIndex() = default;
  SegmentIndex(SegmentIndex&&) = delete;
  ~SegmentIndex() { clear(); }

  // Maps the file and verifies its entries. Returns false, and changes nothing, if they are invalid.
  bool map(const IndexFile& file);
  // Builds the index in memory. `entries` need not be sorted; the last one of each blob is used.
  void make(std::vector<BlobEntry> entries, std::uint64_t covered);

  std::optional<BlobLocation> find(const BlobId& id) const;
  std::vector<BlobEntry> entries() const;

  // Frees the mapped pages; they are read again when needed.
  void release_memory() const;

 private:
  void clear();
  BlobEntry entry(std::uint64_t index) const;

  std::string made_;
  std::string_view mapped_;
  std::string_view bytes_;  // The entries, in memory or mapped.
  std::uint64_t count_ = 0;
};

// The bytes of an index file. `entries`: as for SegmentIndex::make().
std::string encoded_index(std::vector<BlobEntry> entries, std::uint64_t covered);

// The first 8 bytes of the SHA-256 of `bytes`.
std::uint64_t checksum_of(std::string_view bytes);

}  // namespace snapgen::core

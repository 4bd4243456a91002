#pragma once
// Blobs too large to be held in memory: read and written piece by piece.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tools/engine/store/byte_source.h"
#include "tools/engine/store/segment.h"

namespace snapgen::core {

// The content of the record of `segment` at `offset`, verified when its end is reached. Errors, of a piece:
// internal (damaged).
std::unique_ptr<ByteSource> large_blob(std::shared_ptr<const Segment> segment, const RecordHeader& header,
                                       std::uint64_t offset);

// The hash of the first `size` bytes of a file. Errors: repo_changed (it became shorter), cancelled.
Result<BlobId> hash_large(int fd, std::uint64_t size, const std::stop_token& stop);

// A file's content as it will be stored, of which the hash was taken as it was compressed.
struct PackedFile {
  BlobId id;
  std::string stored;  // By zstd.
};

// The first `size` bytes of a file. None: they do not shrink to what may well be held in memory. Errors: as
// hash_large().
Result<std::optional<PackedFile>> pack_large(int fd, std::uint64_t size, const std::stop_token& stop);

struct LargeFile {
  int fd = -1;
  std::uint64_t size = 0;
  BlobId id;  // As hash_large() found it.
};

// Writes the record of a file into `segment` at `offset`: first the content, hashed once more, then the
// header that makes it valid. If it fails nobody has seen the record, and the next one may be written over
// it. Errors: as hash_large(); unavailable.
Result<RecordHeader> write_large(int segment, std::uint64_t offset, const LargeFile& file,
                                 const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// Blobs too large for memory: read and written piece by piece.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "tools/engine/store/blobs/byte_source.h"
#include "tools/engine/store/blobs/segment.h"

namespace snapgen::core {

// The content of the record of `segment` at `offset`, verified when its end is reached. Errors of a piece:
// internal (damaged).
std::unique_ptr<ByteSource> open_large_blob(std::shared_ptr<const Segment> segment,
                                            const RecordHeader& header, std::uint64_t offset);

// The hash of the first `size` bytes of a file. Errors: repo_changed (the file became shorter), cancelled.
Result<BlobId> hash_large_file(int fd, std::uint64_t size, const std::stop_token& stop);

// A file's compressed content, and the hash that was computed while compressing.
struct CompressedFile {
  BlobId id;
  std::string stored;  // Compressed by zstd.
};

// Compresses the first `size` bytes of a file. Returns nullopt if the result does not fit into memory.
// Errors: as hash_large_file().
Result<std::optional<CompressedFile>> compress_large_file(int fd, std::uint64_t size,
                                                          const std::stop_token& stop);

struct LargeFile {
  int fd = -1;
  std::uint64_t size = 0;
  BlobId id;  // The result of hash_large_file().
};

// Writes the record of a file into `segment` at `offset`: first the content, hashed again, then the header
// that makes it valid. If it fails, the record is invisible and the next one may overwrite it. Errors: as
// hash_large_file(); unavailable.
Result<RecordHeader> write_large_file(int segment, std::uint64_t offset, const LargeFile& file,
                                      const std::stop_token& stop);

}  // namespace snapgen::core

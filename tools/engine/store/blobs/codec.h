#pragma once
// Compression of blobs on disk: zstd, LZ4 where speed matters, or none where compression saves nothing.
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

enum class Codec : std::uint8_t { raw = 0, zstd = 1, lz4 = 2 };

// Whether to favour a small result, or speed because very much is compressed together.
enum class CompressionEffort : std::uint8_t { thorough, quick };

inline constexpr std::uint64_t lz4_bytes_max = 1 << 20;  // Longest content that is stored by LZ4.

// Compresses `bytes` into `out` if that saves at least a sixteenth; else leaves `out` empty and returns raw.
Codec compress(std::string_view bytes, std::string& out,
               CompressionEffort effort = CompressionEffort::thorough);

// Decompresses `stored`. Errors: internal (compress() did not make `stored`, or it has another size).
Result<std::string> decompressed(Codec codec, std::string stored, std::uint64_t raw_size);

// Compresses a stream piece by piece, appending to `out`.
class StreamCompressor {
 public:
  explicit StreamCompressor(std::uint64_t raw_size);
  ~StreamCompressor();
  StreamCompressor(StreamCompressor&&) = delete;
  Result<Unit> add(std::string_view bytes, std::string& out, bool last);

 private:
  void* context_;
};

// Decompresses the output of StreamCompressor or compress(), piece by piece.
class StreamDecompressor {
 public:
  StreamDecompressor();
  ~StreamDecompressor();
  StreamDecompressor(StreamDecompressor&&) = delete;
  // Consumes a prefix of `stored` and appends at most `bytes_max` bytes to `out`. Errors: internal.
  Result<Unit> decompress(std::string_view& stored, std::string& out, std::size_t bytes_max);

 private:
  void* context_;
};

}  // namespace snapgen::core

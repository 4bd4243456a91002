#include "tools/core/store/codec.h"

#include <algorithm>
#include <memory>

#include <zstd.h>

namespace snapgen::core {
namespace {

// Headers cost more than such small contents can save.
constexpr std::size_t small_bytes = 64;
// Larger contents are compressed in part first, to see whether it is worth while.
constexpr std::size_t probe_threshold_bytes = 256 << 10;
constexpr std::size_t probe_bytes = 32 << 10;
// Measured on Linux 6.1, 78 k files, 1.3 GB: level 3 takes 3.3 s of CPU and leaves 239 MB, 1 2.9 s and 250 MB,
// -2 2.3 s and 310 MB, -5 2.1 s and 373 MB. Below 1 the hashes in manifests are not compressed at all.
constexpr int level = 1;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

std::size_t compress_into(std::string_view bytes, std::string& out, int level) {
  static thread_local std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  out.resize(ZSTD_compressBound(bytes.size()));
  std::size_t size =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size)) return bytes.size();
  return size;
}

bool saves_enough(std::size_t compressed, std::size_t raw) { return compressed + raw / 16 < raw; }

}  // namespace

Codec compress(std::string_view bytes, std::string& out) {
  out.clear();
  if (bytes.size() < small_bytes) return Codec::raw;
  if (bytes.size() > probe_threshold_bytes) {
    std::string_view middle = bytes.substr(bytes.size() / 2, probe_bytes);
    bool promising = saves_enough(compress_into(middle, out, level), middle.size());
    out.clear();
    if (!promising) return Codec::raw;
  }
  std::size_t size = compress_into(bytes, out, level);
  if (!saves_enough(size, bytes.size())) {
    out.clear();
    return Codec::raw;
  }
  out.resize(size);
  return Codec::zstd;
}

Result<std::string> decompressed(Codec codec, std::string stored, std::uint64_t raw_size) {
  if (codec == Codec::raw) return stored;
  static thread_local std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != raw_size) {
    return Error(ErrorCode::internal, "A compressed blob has another size than its record says.");
  }
  std::string raw(raw_size, '\0');
  std::size_t size = ZSTD_decompressDCtx(context.get(), raw.data(), raw.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) || size != raw_size)
    return Error(ErrorCode::internal, "A compressed blob does not decompress.");
  return raw;
}

StreamCompressor::StreamCompressor(std::uint64_t raw_size) : context_(ZSTD_createCCtx()) {
  auto* context = static_cast<ZSTD_CCtx*>(context_);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setPledgedSrcSize(context, raw_size);
}

StreamCompressor::~StreamCompressor() { ZSTD_freeCCtx(static_cast<ZSTD_CCtx*>(context_)); }

Result<Unit> StreamCompressor::add(std::string_view bytes, std::string& out, bool last) {
  auto* context = static_cast<ZSTD_CCtx*>(context_);
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  while (true) {
    std::size_t before = out.size();
    out.resize(before + ZSTD_CStreamOutSize());
    ZSTD_outBuffer output{out.data() + before, out.size() - before, 0};
    std::size_t left = ZSTD_compressStream2(context, &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
    out.resize(before + output.pos);
    if (ZSTD_isError(left))
      return Error(ErrorCode::internal, "Compressing failed.", {}, ZSTD_getErrorName(left));
    if (last ? left == 0 : input.pos == input.size) return Unit{};
  }
}

StreamDecompressor::StreamDecompressor() : context_(ZSTD_createDCtx()) {}

StreamDecompressor::~StreamDecompressor() { ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(context_)); }

Result<Unit> StreamDecompressor::take(std::string_view& stored, std::string& out, std::size_t bytes_max) {
  std::size_t before = out.size();
  out.resize(before + bytes_max);
  ZSTD_inBuffer input{stored.data(), stored.size(), 0};
  ZSTD_outBuffer output{out.data() + before, bytes_max, 0};
  std::size_t left = ZSTD_decompressStream(static_cast<ZSTD_DCtx*>(context_), &output, &input);
  out.resize(before + output.pos);
  stored.remove_prefix(input.pos);
  if (ZSTD_isError(left)) return Error(ErrorCode::internal, "A compressed blob does not decompress.");
  return Unit{};
}

}  // namespace snapgen::core

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
// Measured on Linux 6.1, 78 k files, 1.3 GB: level 3 takes 4.9 s of CPU and leaves 259 MB, 1 4.2 s and 271
// MB, -3 3.4 s and 360 MB, -5 3.2 s and 409 MB, -10 2.7 s and 504 MB. Below 1 the hashes in manifests are not
// compressed at all.
constexpr int thorough_level = 1;
constexpr int quick_level = -3;

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// What is compressed, on its way out: a string would be filled with zeros first.
struct Room {
  std::unique_ptr<char[]> bytes;
  std::size_t size = 0;

  void grow(std::size_t wanted) {
    if (wanted <= size) return;
    bytes.reset(new char[wanted]);
    size = wanted;
  }
};

// Kept by each thread, unless it is larger.
constexpr std::size_t kept_room_bytes = 1 << 20;

std::string_view compressed(std::string_view bytes, int level, Room& room) {
  static thread_local std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  room.grow(ZSTD_compressBound(bytes.size()));
  std::size_t size =
      ZSTD_compressCCtx(context.get(), room.bytes.get(), room.size, bytes.data(), bytes.size(), level);
  return ZSTD_isError(size) ? bytes : std::string_view(room.bytes.get(), size);
}

// The most that zstd makes of a byte: a block of 128 KiB is at least four bytes long (RFC 8878 section
// 3.1.1.2). Who says more wants memory for nothing.
constexpr std::uint64_t raw_bytes_per_stored_max = (128 << 10) / 4;

bool saves_enough(std::size_t compressed, std::size_t raw) { return compressed + raw / 16 < raw; }

}  // namespace

Codec compress(std::string_view bytes, std::string& out, Effort effort) {
  static thread_local Room room;
  out.clear();
  if (bytes.size() < small_bytes) return Codec::raw;
  int level = effort == Effort::quick ? quick_level : thorough_level;
  if (bytes.size() > probe_threshold_bytes) {
    std::string_view middle = bytes.substr(bytes.size() / 2, probe_bytes);
    if (!saves_enough(compressed(middle, level, room).size(), middle.size())) return Codec::raw;
  }
  std::string_view stored = compressed(bytes, level, room);
  bool good = saves_enough(stored.size(), bytes.size());
  if (good) out.assign(stored);
  if (room.size > kept_room_bytes) room = Room();
  return good ? Codec::zstd : Codec::raw;
}

Result<std::string> decompressed(Codec codec, std::string stored, std::uint64_t raw_size) {
  if (codec == Codec::raw) return stored;
  static thread_local std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  if (raw_size / raw_bytes_per_stored_max > stored.size() ||
      ZSTD_getFrameContentSize(stored.data(), stored.size()) != raw_size) {
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
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, quick_level);
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

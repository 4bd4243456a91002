#include "runtime/websocket/deflate.h"

#include <algorithm>
#include <new>

#include <zlib.h>

namespace snapgen::websocket {
namespace {

// The end of a flushed message, which the sender removes and the receiver appends (RFC 7692 section 7.2).
constexpr std::string_view flush_tail("\x00\x00\xff\xff", 4);

Bytef* input(std::string_view bytes) {
  // zlib declares its input as not const unless ZLIB_CONST is defined, but does not write to it.
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

}  // namespace

struct Inflater::State {
  z_stream stream{};
};

Inflater::Inflater(std::uint8_t window_bits) : state_(std::make_unique<State>()) {
  if (inflateInit2(&state_->stream, -int{window_bits}) != Z_OK) throw std::bad_alloc();
}

Inflater::~Inflater() { inflateEnd(&state_->stream); }

Inflater::Outcome Inflater::expand(std::string_view piece, MessageBuffer& out, std::size_t bytes_max) {
  constexpr std::size_t step_min = 1024;
  constexpr std::size_t step_max = 64 * 1024;
  z_stream& stream = state_->stream;
  stream.next_in = input(piece);
  stream.avail_in = static_cast<uInt>(piece.size());
  for (;;) {
    // The output may be one byte longer than the limit, so that a longer message is detected.
    const std::size_t most = bytes_max - out.size() + 1;
    const std::size_t room = std::min(most, std::clamp(out.capacity() - out.size(), step_min, step_max));
    stream.next_out = reinterpret_cast<Bytef*>(out.space(room));
    stream.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream, Z_SYNC_FLUSH);
    out.commit(room - stream.avail_out);
    if (out.size() > bytes_max) return Outcome::too_long;
    if (code == Z_STREAM_END) {
      // The block was marked as the final one (BFINAL, section 7.2.3.4). The next block begins at the next
      // byte and may still refer to the window.
      if (inflateResetKeep(&stream) != Z_OK) return Outcome::malformed;
      if (stream.avail_in == 0) return Outcome::good;
      continue;
    }
    if (code == Z_BUF_ERROR) return Outcome::good;  // zlib has consumed all input.
    if (code != Z_OK) return Outcome::malformed;
    if (stream.avail_in == 0 && stream.avail_out != 0) return Outcome::good;
  }
}

Inflater::Outcome Inflater::finish(MessageBuffer& out, std::size_t bytes_max) {
  const Outcome outcome = expand(flush_tail, out, bytes_max);
  if (outcome != Outcome::good) return outcome;
  // zlib's data_type: 128 means between blocks, and the low bits count the unused bits of the last byte.
  constexpr int between_blocks = 128;
  constexpr int unused_bits = 63;
  const int type = state_->stream.data_type;
  return (type & between_blocks) != 0 && (type & unused_bits) == 0 ? Outcome::good : Outcome::malformed;
}

struct Deflater::State {
  z_stream stream{};
};

Deflater::Deflater(std::uint8_t window_bits) : state_(std::make_unique<State>()) {
  constexpr int memory_level = 8;
  const int code = deflateInit2(&state_->stream, Z_BEST_SPEED, Z_DEFLATED, -int{window_bits}, memory_level,
                                Z_DEFAULT_STRATEGY);
  if (code != Z_OK) throw std::bad_alloc();
}

Deflater::~Deflater() { deflateEnd(&state_->stream); }

void Deflater::compress(std::string_view message, bool keep_context, std::string& out) {
  z_stream& stream = state_->stream;
  if (!keep_context) deflateReset(&stream);
  stream.next_in = input(message);
  stream.avail_in = static_cast<uInt>(message.size());
  const std::size_t begin = out.size();
  const std::size_t step = std::clamp<std::size_t>(message.size() / 2, 256, 256 * 1024);
  do {
    const std::size_t at = out.size();
    out.resize(at + step);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + at);
    stream.avail_out = static_cast<uInt>(step);
    deflate(&stream, Z_SYNC_FLUSH);
    out.resize(at + step - stream.avail_out);
  } while (stream.avail_out == 0);
  if (std::string_view(out).substr(begin).ends_with(flush_tail)) out.resize(out.size() - flush_tail.size());
  // A compressed empty message is the header of an empty block (RFC 7692 section 7.2.3.6).
  if (out.size() == begin) out.push_back('\0');
}

}  // namespace snapgen::websocket

#pragma once
// Decoder: a client's bytes in, whole messages and control frames out (RFC 6455 section 5). It does no input
// or output.
//
// Why not wslay, the frame library that Debian has: it unmasks and checks byte by byte (an echo of 16 KB
// costs six times the CPU), keeps 90 bytes for each one-byte fragment, and sends a Close before answers that
// were queued earlier.
//
// Messages that came in one piece are handed out where they lie, unmasked in place. Others are assembled;
// their text is checked, and their compressed parts are expanded, as they arrive, so that what is wrong fails
// with the byte that is wrong, and what is too long before it is there. Between messages a decoder keeps no
// buffer.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/websocket/assembly.h"
#include "runtime/websocket/deflate.h"
#include "runtime/websocket/extensions.h"
#include "runtime/websocket/frame.h"
#include "runtime/websocket/utf8_check.h"

namespace snapgen::websocket {

struct Message {
  enum class Kind : std::uint8_t { text, binary, ping, pong, close };
  Kind kind = Kind::text;
  // Of a Close: the reason. Valid until the decoder is used again; Assembly::padding bytes after it may be
  // read too, if so many followed what was fed.
  std::string_view payload;
  CloseCode code = CloseCode::none;  // Of a Close.
};

// What a peer must not do: the code to close with, and one sentence that says what it was.
struct Failure {
  CloseCode code = CloseCode::protocol_error;
  std::string_view reason;
};

class Decoder {
 public:
  enum class Step : std::uint8_t { message, starved, failed };

  // `message_bytes_max` bounds a message as it is after expansion. `terms`: what was agreed on compression,
  // if it was.
  Decoder(std::size_t message_bytes_max, std::optional<DeflateTerms> terms)
      : message_bytes_max_(message_bytes_max), terms_(std::move(terms)) {}

  // Bytes as they came. They belong to the decoder, which changes them, until next() says `starved`; then all
  // of them have been taken, and these may be fed.
  void feed(std::span<char> bytes) { left_ = bytes; }
  // After `failed` nothing else comes.
  Step next(Message& message);
  const Failure& failure() const { return failure_; }

  // Bytes held for a message that has not come to its end.
  std::size_t pending_bytes() const { return assembly_.capacity(); }

 private:
  enum class Progress : std::uint8_t { done, starved, failed };

  Progress read_header();
  bool check_header(std::size_t held, const unsigned char* header);
  bool open_frame(const unsigned char* header);
  Progress read_control(Message& message);
  Progress read_data(Message& message);
  bool take_piece(std::string_view piece);
  bool expand(std::string_view piece, bool last);
  bool read_close(Message& message);
  std::span<char> unmasked_piece();
  bool fail(CloseCode code, std::string_view reason);
  bool is_control() const { return (static_cast<std::uint8_t>(opcode_) & 8) != 0; }

  std::size_t message_bytes_max_;
  std::optional<DeflateTerms> terms_;
  std::span<char> left_;

  // The frame that is being read.
  std::array<unsigned char, header_bytes_max> header_{};
  std::uint8_t header_held_ = 0;
  bool in_frame_ = false;  // Its header is whole.
  bool final_ = false;
  Opcode opcode_ = Opcode::text;
  MaskKey key_ = 0;
  std::uint64_t payload_left_ = 0;
  bool control_cut_ = false;
  std::string control_;  // What came of a control frame that was cut.

  // The message that is being read; control frames may stand between its frames.
  bool in_message_ = false;
  bool text_ = false;
  bool compressed_ = false;
  std::size_t compressed_bytes_ = 0;  // Of it that came.
  bool handed_out_ = false;           // `assembly_` is the text of the last message that was handed out.
  Utf8Check utf8_;
  Assembly assembly_;
  std::unique_ptr<Inflater> inflater_;  // Null between messages, unless the context is kept.

  bool failed_ = false;
  Failure failure_;
};

}  // namespace snapgen::websocket

#pragma once
// Decoder turns a client's bytes into whole messages and control frames (RFC 6455 section 5). It does no
// input or output.
//
// Debian's frame library wslay is not used for three reasons. It unmasks and checks byte by byte (an echo of
// 16 KB costs six times the CPU), stores 90 bytes for each one-byte fragment, and sends a Close before
// answers that were queued earlier.
//
// A message that arrives in one piece is unmasked in place and returned without a copy. Others are assembled.
// Their text is validated and their compressed parts are expanded as they arrive, so that an invalid byte or
// an excess length is found at once. Between messages a decoder has no buffer.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/json/utf8_check.h"
#include "runtime/websocket/deflate.h"
#include "runtime/websocket/extensions.h"
#include "runtime/websocket/frame.h"
#include "runtime/websocket/message_buffer.h"

namespace snapgen::websocket {

struct Message {
  enum class Kind : std::uint8_t { text, binary, ping, pong, close };
  Kind kind = Kind::text;
  // The payload, or the reason of a Close. Valid until the decoder is used again. MessageBuffer::padding
  // bytes after it are readable if they were after the bytes passed to feed().
  std::string_view payload;
  CloseCode code = CloseCode::none;  // The code of a Close frame.
};

// A protocol violation of the peer: the code and the reason with which to close the connection.
struct ProtocolFailure {
  CloseCode code = CloseCode::protocol_error;
  std::string_view reason;
  // The size of a message that is too long, as far as its frames state it; 0 for other failures.
  std::uint64_t message_bytes = 0;
};

class Decoder {
 public:
  enum class Step : std::uint8_t { message, needs_input, failed };

  // `message_bytes_max` limits a message after expansion. `terms` is the negotiated compression, if any.
  Decoder(std::size_t message_bytes_max, std::optional<DeflateParameters> terms)
      : message_bytes_max_(message_bytes_max), terms_(std::move(terms)) {}

  // Passes the bytes as received. The decoder modifies them and refers to them until next() returns
  // `needs_input`. It has then consumed all of them, and feed() may be called again.
  void feed(std::span<char> bytes) { unread_ = bytes; }
  // Gets the next message. After it has returned `failed`, there are no more messages.
  Step next(Message& message);
  const ProtocolFailure& failure() const { return failure_; }

  // Returns how much memory an incomplete message uses.
  std::size_t pending_bytes() const { return message_buffer_.capacity(); }

 private:
  enum class Progress : std::uint8_t { done, needs_input, failed };

  Progress read_header();
  bool check_header(std::size_t held, const unsigned char* header);
  bool open_frame(const unsigned char* header);
  Progress read_control(Message& message);
  Progress read_data(Message& message);
  bool take_piece(std::string_view piece);
  bool expand(std::string_view piece, bool last);
  bool read_close(Message& message);
  std::span<char> unmasked_piece();
  bool fail(CloseCode code, std::string_view reason, std::uint64_t message_bytes = 0);
  bool is_control() const { return (static_cast<std::uint8_t>(opcode_) & 8) != 0; }

  std::size_t message_bytes_max_;
  std::optional<DeflateParameters> terms_;
  std::span<char> unread_;

  // These describe the frame that is being read.
  std::array<unsigned char, header_bytes_max> header_{};
  std::uint8_t header_size_ = 0;
  bool is_in_frame_ = false;  // The frame's header is complete.
  bool is_final_frame_ = false;
  Opcode opcode_ = Opcode::text;
  MaskKey mask_key_ = 0;
  std::uint64_t payload_left_ = 0;
  bool is_control_cut_ = false;
  std::string control_payload_;  // The first part of a control frame that arrived in pieces.

  // These describe the message that is being read. Control frames may occur between its frames.
  bool is_in_message_ = false;
  bool is_text_ = false;
  bool is_compressed_ = false;
  std::size_t compressed_bytes_ = 0;  // Compressed bytes received so far.
  bool is_handed_out_ = false;        // `message_buffer_` contains the message that was returned last.
  json::Utf8Check utf8_;
  MessageBuffer message_buffer_;
  std::unique_ptr<Inflater> inflater_;  // Null between messages, unless the context is retained.

  bool failed_ = false;
  ProtocolFailure failure_;
};

}  // namespace snapgen::websocket

#pragma once
// Endpoint is the server's end of one WebSocket connection, without input and output. It turns bytes into
// messages, and collects its output in out().
//
// It answers pings, and answers a protocol violation with a Close that gives the reason. Output has the order
// in which it was appended: the answer to a message that arrived together with a Close precedes the answer to
// the Close, which close() sends.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/transport/byte_queue.h"
#include "runtime/websocket/decoder.h"
#include "runtime/websocket/deflate.h"
#include "runtime/websocket/extensions.h"
#include "runtime/websocket/frame.h"

namespace snapgen::websocket {

struct EndpointOptions {
  std::size_t message_bytes_max = std::size_t{1} << 20;  // The limit after expansion.
  bool accepts_binary = false;                           // Accepts binary messages; if not, closes (1003).
  std::size_t compress_bytes_min = 1024;                 // Shorter messages are not compressed.
};

class Endpoint {
 public:
  Endpoint(const EndpointOptions& options, std::optional<DeflateParameters> terms);

  // Passes received bytes, which the endpoint changes, and uses until next() returns false.
  void feed(std::span<char> bytes) { decoder_.feed(bytes); }
  // Gets the next text or binary message. Returns false if it needs more input, or has ended; see
  // has_ended().
  bool next(Message& message);
  // Whether the peer has sent its Close, or violated the protocol.
  bool has_ended() const { return received_close_ || failed_; }
  bool has_sent_close() const { return sent_close_; }
  // Returns the code of the peer's Close or protocol violation.
  CloseCode close_code() const { return code_; }
  // Returns the reason of a Close that was sent; empty if it had none, or answered the peer's.
  std::string_view close_reason() const { return close_reason_; }
  // Returns the size of a message that was too long, so that the connection was closed, as far as it is
  // known. Returns nullopt if there was none, or an earlier call returned it.
  std::optional<std::uint64_t> take_oversize() { return std::exchange(oversize_, std::nullopt); }
  bool has_oversize() const { return oversize_.has_value(); }

  // These do nothing after a Close was sent.
  void send(Opcode opcode, std::string_view payload);
  std::string& outgoing_buffer();
  void commit_outgoing(Opcode opcode);
  // Sends a ping; the peer's pong repeats `number`.
  void ping(std::uint64_t number);
  // Sends a Close. If the peer has sent one, its code is sent back. A reason that is too long is cut.
  void close(CloseCode code, std::string_view reason = {});

  // Returns the number of the last ping that was answered since the previous call.
  std::optional<std::uint64_t> take_pong() { return std::exchange(answered_ping_, std::nullopt); }

  // Returns how much memory an incomplete message uses.
  std::size_t pending_bytes() const { return decoder_.pending_bytes(); }

  ByteQueue& out() { return out_; }
  const ByteQueue& out() const { return out_; }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  void compress(std::string_view payload, Opcode opcode, std::size_t begin);
  bool compresses(std::size_t bytes) const { return terms_ && bytes >= compress_bytes_min_; }

  Decoder decoder_;
  bool accepts_binary_;
  std::size_t compress_bytes_min_;
  std::optional<DeflateParameters> terms_;
  // The compressor; null until it is needed, and between messages unless the context is retained.
  std::unique_ptr<Deflater> deflater_;
  ByteQueue out_;
  std::size_t message_begin_ = nowhere;  // Where in out_ the message written in place begins.
  std::optional<std::uint64_t> answered_ping_;
  std::optional<std::uint64_t> oversize_;
  CloseCode code_ = CloseCode::abnormal;
  std::string close_reason_;
  bool received_close_ = false;
  bool sent_close_ = false;
  bool failed_ = false;
};

}  // namespace snapgen::websocket

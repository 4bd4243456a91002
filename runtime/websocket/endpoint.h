#pragma once
// Endpoint: the server's end of one WebSocket connection, without input and output: bytes go in, messages
// come out; what is to be sent gathers in out().
//
// Pings are answered, a failure is answered with a Close that says why, and everything is sent in the order
// in which it was appended: the answer to a message that came together with a Close stands before the answer
// to the Close, which waits for close().
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
  std::size_t message_bytes_max = std::size_t{1} << 20;  // After expansion.
  bool binary = false;                    // Whether binary messages are taken, or closed with 1003.
  std::size_t compress_bytes_min = 1024;  // As in DeflatePolicy.
};

class Endpoint {
 public:
  Endpoint(const EndpointOptions& options, std::optional<DeflateTerms> terms);

  // As Decoder::feed(): the bytes are the endpoint's until next() says that there is no message.
  void feed(std::span<char> bytes) { decoder_.feed(bytes); }
  // The next text or binary message. False: all was taken, or none will come; see ended().
  bool next(Message& message);
  // The peer sent its Close, or broke the protocol: no message will come.
  bool ended() const { return got_close_ || failed_; }
  bool got_close() const { return got_close_; }
  bool sent_close() const { return sent_close_; }
  // What the peer's Close said, or what failed.
  CloseCode code() const { return code_; }

  // After a Close was sent all of these do nothing.
  void send(Opcode opcode, std::string_view payload);
  std::string& outgoing();
  void sent(Opcode opcode);
  // `number` comes back in a pong.
  void ping(std::uint64_t number);
  // The peer's own code is sent back if it closes. Of the reason, what fits.
  void close(CloseCode code, std::string_view reason = {});

  // The number of the last ping that was answered; none since this was asked.
  std::optional<std::uint64_t> take_pong() { return std::exchange(pong_, std::nullopt); }

  // Bytes held of a message that has not come to its end.
  std::size_t pending_bytes() const { return decoder_.pending_bytes(); }

  ByteQueue& out() { return out_; }
  const ByteQueue& out() const { return out_; }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  void compress(std::string_view payload, Opcode opcode, std::size_t begin);
  bool compresses(std::size_t bytes) const { return terms_ && bytes >= compress_bytes_min_; }

  Decoder decoder_;
  bool binary_;
  std::size_t compress_bytes_min_;
  std::optional<DeflateTerms> terms_;
  std::unique_ptr<Deflater> deflater_;  // Null until needed, and unless the context is kept.
  ByteQueue out_;
  std::size_t begin_ = nowhere;  // In out_: of the message that is being written in place.
  std::optional<std::uint64_t> pong_;
  CloseCode code_ = CloseCode::abnormal;
  bool got_close_ = false;
  bool sent_close_ = false;
  bool failed_ = false;
};

}  // namespace snapgen::websocket

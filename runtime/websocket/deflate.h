#pragma once
// permessage-deflate (RFC 7692) with zlib, for both directions of a connection. Only this folder includes
// zlib.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/websocket/message_buffer.h"

namespace snapgen::websocket {

// Inflater expands the client's messages. It allocates about 8 KB, and the window when it is needed.
class Inflater {
 public:
  enum class Outcome : std::uint8_t { good, too_long, malformed };

  explicit Inflater(std::uint8_t window_bits);
  Inflater(Inflater&&) = delete;
  ~Inflater();

  // Appends the expanded piece to `out`. Stops when `out` would exceed `bytes_max`.
  Outcome expand(std::string_view piece, MessageBuffer& out, std::size_t bytes_max);
  // Ends a message. Returns `malformed` if the message does not end with a complete block.
  Outcome finish(MessageBuffer& out, std::size_t bytes_max);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Deflater compresses the server's messages. It allocates about 270 KB with the largest window.
class Deflater {
 public:
  explicit Deflater(std::uint8_t window_bits);
  Deflater(Deflater&&) = delete;
  ~Deflater();

  // Appends the payload of one whole message. With `keep_context`, the payload may refer to earlier messages.
  void compress(std::string_view message, bool keep_context, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace snapgen::websocket

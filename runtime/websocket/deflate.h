#pragma once
// permessage-deflate (RFC 7692): the two directions of a connection, on zlib, which is included in this
// folder alone.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/websocket/assembly.h"

namespace snapgen::websocket {

// What the client sent. Allocates some 8 KB, and the window when it is needed.
class Inflater {
 public:
  enum class Outcome : std::uint8_t { good, too_long, malformed };

  explicit Inflater(std::uint8_t window_bits);
  Inflater(Inflater&&) = delete;
  ~Inflater();

  // Appends to `out` what the piece expands to; stops when `out` would have more than `bytes_max`.
  Outcome expand(std::string_view piece, Assembly& out, std::size_t bytes_max);
  // The end of a message, which must be the end of a block.
  Outcome finish(Assembly& out, std::size_t bytes_max);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What the server sends. Allocates some 270 KB with the widest window.
class Deflater {
 public:
  explicit Deflater(std::uint8_t window_bits);
  Deflater(Deflater&&) = delete;
  ~Deflater();

  // Appends the payload of one whole message. `keep_context`: it may refer to the messages before.
  void compress(std::string_view message, bool keep_context, std::string& out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace snapgen::websocket

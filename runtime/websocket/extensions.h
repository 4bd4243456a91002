#pragma once
// Sec-WebSocket-Extensions (RFC 6455 section 9) with the one extension there is, permessage-deflate (RFC
// 7692): what is agreed on in the handshake.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::websocket {

// What a server is ready to do.
struct DeflatePolicy {
  // On loopback compressing costs time and memory and saves nothing, so it is off unless asked for.
  bool on = false;
  // Whether a side may refer back to its earlier messages: smaller messages, for some 300 KB on each
  // connection.
  bool keep_context = false;
  std::uint8_t window_bits = 15;  // At most; 9 to 15.
  // Shorter messages are sent as they are.
  std::size_t compress_bytes_min = 1024;
};

// What both sides agreed on (RFC 7692 section 7.1).
struct DeflateTerms {
  bool server_keeps_context = true;
  bool client_keeps_context = true;
  std::uint8_t server_window_bits = 15;
  std::uint8_t client_window_bits = 15;
  std::string answer;  // The value of Sec-WebSocket-Extensions in the server's answer.
};

// The answer to the client's Sec-WebSocket-Extensions: the first offer of permessage-deflate that the server
// can keep to; none: no such offer, or no compression. `malformed` tells a header that breaks the grammar of
// RFC 6455 section 9.1, to which 400 is the answer.
struct Negotiated {
  bool malformed = false;
  std::optional<DeflateTerms> terms;
};
Negotiated negotiate(std::string_view offers, const DeflatePolicy& policy);

}  // namespace snapgen::websocket

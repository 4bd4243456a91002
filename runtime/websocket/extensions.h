#pragma once
// Negotiates Sec-WebSocket-Extensions (RFC 6455 section 9). The only extension is permessage-deflate (RFC
// 7692).
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::websocket {

// The server's settings for compression.
struct DeflatePolicy {
  // Whether messages are compressed. On loopback, compression costs time and memory and saves nothing.
  bool is_enabled = false;
  // Whether messages may refer to earlier ones. They get smaller, but each connection needs about 300 KB.
  bool keep_context = false;
  std::uint8_t window_bits = 15;  // The largest window, from 9 to 15.
  // Shorter messages are not compressed.
  std::size_t compress_bytes_min = 1024;
};

// The negotiated parameters (RFC 7692 section 7.1).
struct DeflateParameters {
  bool server_keeps_context = true;
  bool client_keeps_context = true;
  std::uint8_t server_window_bits = 15;
  std::uint8_t client_window_bits = 15;
  std::string response_field;  // The value of Sec-WebSocket-Extensions in the response.
};

// The result for the client's Sec-WebSocket-Extensions. It has the terms of the first offer of
// permessage-deflate that the server accepts, if any. A header that violates the grammar of RFC 6455 section
// 9.1 is `malformed`, and is answered with 400.
struct ExtensionAgreement {
  bool malformed = false;
  std::optional<DeflateParameters> terms;
};
ExtensionAgreement negotiate_extensions(std::string_view offers, const DeflatePolicy& policy);

}  // namespace snapgen::websocket

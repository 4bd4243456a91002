#pragma once
// Sec-WebSocket-Accept (RFC 6455 section 4.2.2): what proves to a client that the server speaks WebSocket.
#include <string>
#include <string_view>

namespace snapgen::websocket {

// `key`: the value of Sec-WebSocket-Key as it was sent.
std::string accept_of(std::string_view key);

}  // namespace snapgen::websocket

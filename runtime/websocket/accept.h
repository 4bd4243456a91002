#pragma once
// Sec-WebSocket-Accept (RFC 6455 section 4.2.2) proves to a client that the server understands WebSocket.
#include <string>
#include <string_view>

namespace snapgen::websocket {

// Returns the value of Sec-WebSocket-Accept for `key`, the received value of Sec-WebSocket-Key.
std::string sec_websocket_accept(std::string_view key);

}  // namespace snapgen::websocket

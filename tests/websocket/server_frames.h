#pragma once
// Reads a server's frames as RFC 6455 section 5.2 defines them, independently of the tested code.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::websocket {

struct ServerFrame {
  int opcode = 0;
  bool last = false;
  bool compressed = false;
  bool masked = false;
  int reserved_bits = 0;  // RSV2 and RSV3
  bool fewest_bytes = true;
  std::string payload;
  int code() const {
    if (payload.size() < 2) return 1005;
    return static_cast<std::uint8_t>(payload[0]) << 8 | static_cast<std::uint8_t>(payload[1]);
  }
};

// Removes and returns the first frame; nullopt if it is incomplete.
inline std::optional<ServerFrame> take_frame(std::string_view& bytes) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  if (bytes.size() < 2) return std::nullopt;
  ServerFrame frame{.opcode = at(0) & 15,
                    .last = (at(0) & 128) != 0,
                    .compressed = (at(0) & 64) != 0,
                    .masked = (at(1) & 128) != 0,
                    .reserved_bits = at(0) & 48};
  std::size_t length = at(1) & 127;
  const std::size_t more = length == 126 ? 2 : (length == 127 ? 8 : 0);
  if (bytes.size() < 2 + more) return std::nullopt;
  if (more != 0) {
    length = 0;
    for (std::size_t i = 0; i != more; ++i) length = length << 8 | at(2 + i);
    frame.fewest_bytes = length >= (more == 2 ? 126U : 65536U);
  }
  if (bytes.size() - 2 - more < length) return std::nullopt;
  frame.payload = bytes.substr(2 + more, length);
  bytes.remove_prefix(2 + more + length);
  return frame;
}

}  // namespace snapgen::websocket

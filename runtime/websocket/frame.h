#pragma once
// What a WebSocket frame is made of (RFC 6455 section 5), and the writing of a server's frames, which are not
// masked.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace snapgen::websocket {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Why a connection ends (RFC 6455 section 7.4.1 and IANA's registry of close codes).
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol_error = 1002,
  unsupported_data = 1003,
  none = 1005,      // A Close frame without a code; never sent.
  abnormal = 1006,  // The connection broke without a Close frame; never sent.
  invalid_payload = 1007,
  policy_violation = 1008,
  too_big = 1009,
  internal_error = 1011,
  service_restart = 1012,
  try_again_later = 1013,
  bad_gateway = 1014,
};

// Whether a Close frame may carry the code: those that are registered for that, and 3000 to 4999.
bool may_be_sent(std::uint16_t code);

constexpr std::size_t control_bytes_max = 125;
constexpr std::size_t header_bytes_max = 14;

// The header of one whole, unmasked message or control frame. `compressed` sets RSV1 (RFC 7692).
void append_header(std::string& out, Opcode opcode, std::size_t payload_bytes, bool compressed = false);

// For a payload written in place: room for its header is kept before it, and the header is put there once the
// payload is whole. `begin` is what reserve_header() returned; the payload is all that was appended since.
std::size_t reserve_header(std::string& out);
void complete_header(std::string& out, std::size_t begin, Opcode opcode);
constexpr std::size_t reserved_header_bytes = 4;

// XORs with the four bytes of `key`, in the order in which they stand in the frame (section 5.3). 32 bytes at
// a time.
using MaskKey = std::uint32_t;  // The four bytes as they lie in memory.
void unmask(std::span<char> bytes, MaskKey key);
// The key for what follows after so many bytes of the payload.
MaskKey rotated(MaskKey key, std::size_t bytes);

}  // namespace snapgen::websocket

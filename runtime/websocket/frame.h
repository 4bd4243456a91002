#pragma once
// The format of WebSocket frames (RFC 6455 section 5), and functions that write a server's frames, which are
// not masked.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace snapgen::websocket {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// The reasons for which a connection ends (RFC 6455 section 7.4.1 and IANA's registry of close codes).
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

// Whether a Close frame may carry the code: a registered one that is meant to be sent, or 3000 to 4999.
bool is_sendable_close_code(std::uint16_t code);

constexpr std::size_t control_bytes_max = 125;
constexpr std::size_t header_bytes_max = 14;

// Appends the header of an unfragmented message or a control frame. `compressed` sets RSV1 (RFC 7692).
void append_frame_header(std::string& out, Opcode opcode, std::size_t payload_bytes, bool compressed = false);

// These write a frame in place: reserve_header() appends space and returns its position, the caller appends
// the payload, and complete_header() writes the header.
std::size_t reserve_header(std::string& out);
void complete_header(std::string& out, std::size_t begin, Opcode opcode);
constexpr std::size_t reserved_header_bytes = 4;

// unmask() XORs the bytes with the key (section 5.3), 32 bytes at a time.
using MaskKey = std::uint32_t;  // The four bytes in the order of the frame.
void unmask(std::span<char> bytes, MaskKey key);
// Returns the key for the rest of a payload of which `bytes` bytes have been unmasked.
MaskKey rotated_key(MaskKey key, std::size_t bytes);

}  // namespace snapgen::websocket

#include "runtime/websocket/frame.h"

#include <array>
#include <bit>
#include <cassert>
#include <cstring>

namespace snapgen::websocket {
namespace {

constexpr char final_flag = static_cast<char>(0x80);
constexpr char rsv1_flag = 0x40;
constexpr std::size_t in_one_byte_max = 125;
constexpr std::size_t in_two_bytes_max = 65535;

char first_byte(Opcode opcode, bool compressed) {
  return static_cast<char>(final_flag | (compressed ? rsv1_flag : 0) | static_cast<char>(opcode));
}

// Writes a big-endian number of `bytes` bytes.
void put_length(char* to, std::size_t bytes, std::uint64_t length) {
  for (std::size_t i = 0; i != bytes; ++i) to[i] = static_cast<char>(length >> (8 * (bytes - 1 - i)));
}

// Writes a header of two, four or ten bytes, and returns its length.
std::size_t put_header(std::array<char, 10>& header, char first, std::size_t payload_bytes) {
  header[0] = first;
  if (payload_bytes <= in_one_byte_max) {
    header[1] = static_cast<char>(payload_bytes);
    return 2;
  }
  const bool two = payload_bytes <= in_two_bytes_max;
  header[1] = two ? 126 : 127;
  const std::size_t bytes = two ? 2 : 8;
  put_length(header.data() + 2, bytes, payload_bytes);
  return 2 + bytes;
}

}  // namespace

bool is_sendable_close_code(std::uint16_t code) {
  if (code >= 3000) return code < 5000;
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014);
}

void append_frame_header(std::string& out, Opcode opcode, std::size_t payload_bytes, bool compressed) {
  std::array<char, 10> header;
  const std::size_t bytes = put_header(header, first_byte(opcode, compressed), payload_bytes);
  out.append(header.data(), bytes);
}

std::size_t reserve_header(std::string& out) {
  const std::size_t begin = out.size();
  out.append(reserved_header_bytes, '\0');
  return begin;
}

void complete_header(std::string& out, std::size_t begin, Opcode opcode) {
  assert(out.size() >= begin + reserved_header_bytes);
  std::array<char, 10> header;
  const std::size_t bytes =
      put_header(header, first_byte(opcode, false), out.size() - begin - reserved_header_bytes);
  // Most headers fit the reserved space. For others the payload is moved: two bytes towards the front if it
  // is short, six towards the end if it is very long.
  if (bytes < reserved_header_bytes) out.erase(begin, reserved_header_bytes - bytes);
  if (bytes > reserved_header_bytes) out.insert(begin, bytes - reserved_header_bytes, '\0');
  std::memcpy(out.data() + begin, header.data(), bytes);
}

void unmask(std::span<char> bytes, MaskKey key) {
  // A vector type of GCC and Clang, which uses two SSE2 registers on x86-64 and two NEON registers on arm64.
  using Wide = std::uint32_t __attribute__((vector_size(32)));
  const Wide wide_key = {key, key, key, key, key, key, key, key};
  char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= sizeof(Wide); left -= sizeof(Wide), at += sizeof(Wide)) {
    Wide word;
    std::memcpy(&word, at, sizeof(word));
    word ^= wide_key;
    std::memcpy(at, &word, sizeof(word));
  }
  for (; left >= sizeof(key); left -= sizeof(key), at += sizeof(key)) {
    std::uint32_t word;
    std::memcpy(&word, at, sizeof(word));
    word ^= key;
    std::memcpy(at, &word, sizeof(word));
  }
  const auto key_bytes = std::bit_cast<std::array<char, 4>>(key);
  for (std::size_t i = 0; i != left; ++i) at[i] = static_cast<char>(at[i] ^ key_bytes[i]);
}

MaskKey rotated_key(MaskKey key, std::size_t bytes) {
  const auto before = std::bit_cast<std::array<char, 4>>(key);
  std::array<char, 4> after;
  for (std::size_t i = 0; i != 4; ++i) after[i] = before[(i + bytes) % 4];
  return std::bit_cast<MaskKey>(after);
}

}  // namespace snapgen::websocket

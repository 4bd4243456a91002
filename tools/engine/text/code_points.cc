#include "tools/engine/text/code_points.h"

#include <array>

#include "runtime/base/text.h"

namespace snapgen::core {
namespace {

constexpr std::uint32_t high_surrogate_min = 0xd800;
constexpr std::uint32_t low_surrogate_min = 0xdc00;
constexpr std::uint32_t surrogate_end = 0xe000;
constexpr std::uint32_t supplementary_min = 0x10000;
constexpr std::uint32_t code_point_max = 0x10ffff;

bool is_surrogate(std::uint32_t value) { return value >= high_surrogate_min && value < surrogate_end; }

std::uint32_t unit_at(std::string_view bytes, std::size_t at, ByteOrder order) {
  const std::uint32_t first = static_cast<std::uint8_t>(bytes[at]);
  const std::uint32_t second = static_cast<std::uint8_t>(bytes[at + 1]);
  return order == ByteOrder::little ? first | second << 8 : first << 8 | second;
}

void append_unit(std::string& bytes, std::uint32_t unit, ByteOrder order) {
  const char low = static_cast<char>(unit & 0xff);
  const char high = static_cast<char>(unit >> 8);
  bytes += order == ByteOrder::little ? low : high;
  bytes += order == ByteOrder::little ? high : low;
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t code_point) {
  char bytes[4];
  text.append(bytes, put_utf8(bytes, code_point));
}

std::optional<std::uint32_t> take_code_point(std::string_view& rest) {
  const auto lead = static_cast<std::uint8_t>(rest.front());
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, supplementary_min};
  constexpr std::array<std::uint32_t, 5> lead_bits = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t code_point = lead & lead_bits[length];
  bool is_valid = length != 0 && lead < 0xf8 && length <= rest.size();
  for (std::size_t i = 1; is_valid && i < length; ++i) {
    const auto next = static_cast<std::uint8_t>(rest[i]);
    is_valid = (next & 0xc0) == 0x80;
    code_point = code_point << 6 | (next & 0x3f);
  }
  is_valid =
      is_valid && code_point >= smallest[length] && code_point <= code_point_max && !is_surrogate(code_point);
  rest.remove_prefix(is_valid ? length : 1);
  return is_valid ? std::optional(code_point) : std::nullopt;
}

bool is_in_text_files(std::uint32_t code_point) {
  constexpr std::uint32_t escape = 0x1b;
  if (code_point >= 0x20) return code_point != 0x7f;
  return (code_point >= '\b' && code_point <= '\r') || code_point == escape;
}

std::optional<std::string> utf8_of_utf16(std::string_view bytes, ByteOrder order) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    std::uint32_t code_point = unit_at(bytes, at, order);
    if (is_surrogate(code_point)) {
      at += 2;
      const std::uint32_t low = at < bytes.size() ? unit_at(bytes, at, order) : 0;
      if (code_point >= low_surrogate_min || low < low_surrogate_min || low >= surrogate_end)
        return std::nullopt;
      code_point = supplementary_min + ((code_point - high_surrogate_min) << 10) + (low - low_surrogate_min);
    }
    if (!is_in_text_files(code_point)) return std::nullopt;
    append_utf8(text, code_point);
  }
  return text;
}

void append_utf16(std::string& bytes, std::uint32_t code_point, ByteOrder order) {
  if (code_point < supplementary_min) {
    append_unit(bytes, code_point, order);
    return;
  }
  code_point -= supplementary_min;
  append_unit(bytes, high_surrogate_min + (code_point >> 10), order);
  append_unit(bytes, low_surrogate_min + (code_point & 0x3ff), order);
}

}  // namespace snapgen::core

#include "runtime/json/utf8_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "runtime/json/reader.h"

namespace snapgen::json {
namespace {

// The length of a character and the range of its second byte, by its first byte (Unicode, table 3-7).
struct Lead {
  std::size_t bytes = 0;  // 0 for an invalid first byte.
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
};

Lead lead_of(std::uint8_t first) {
  if (first < 0x80) return {.bytes = 1};
  if (first < 0xC2) return {};
  if (first < 0xE0) return {.bytes = 2};
  if (first == 0xE0) return {.bytes = 3, .second_min = 0xA0};
  if (first == 0xED) return {.bytes = 3, .second_max = 0x9F};
  if (first < 0xF0) return {.bytes = 3};
  if (first == 0xF0) return {.bytes = 4, .second_min = 0x90};
  if (first == 0xF4) return {.bytes = 4, .second_max = 0x8F};
  if (first < 0xF4) return {.bytes = 4};
  return {};
}

bool begins_character(std::string_view bytes) {
  const Lead lead = lead_of(static_cast<std::uint8_t>(bytes[0]));
  if (bytes.size() > lead.bytes) return false;
  for (std::size_t i = 1; i != bytes.size(); ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    const bool second = i == 1;
    if (byte < (second ? lead.second_min : 0x80) || byte > (second ? lead.second_max : 0xBF)) return false;
  }
  return true;
}

// Returns how many bytes at the end of `text` belong to an incomplete character.
std::size_t cut_bytes(std::string_view text) {
  const std::size_t looked_at = std::min<std::size_t>(text.size(), 3);
  for (std::size_t back = 1; back <= looked_at; ++back) {
    const auto byte = static_cast<std::uint8_t>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    return lead_of(byte).bytes > back ? back : 0;
  }
  return 0;
}

}  // namespace

bool Utf8Check::append(std::string_view piece) {
  if (incomplete_bytes_ > 0) {
    const std::size_t whole = lead_of(static_cast<std::uint8_t>(incomplete_[0])).bytes;
    const std::size_t taken = std::min(whole - incomplete_bytes_, piece.size());
    std::memcpy(incomplete_.data() + incomplete_bytes_, piece.data(), taken);
    piece.remove_prefix(taken);
    incomplete_bytes_ += taken;
    if (!begins_character({incomplete_.data(), incomplete_bytes_})) return false;
    if (incomplete_bytes_ < whole) return true;
    incomplete_bytes_ = 0;
  }
  const std::size_t cut = cut_bytes(piece);
  const std::string_view whole = piece.substr(0, piece.size() - cut);
  if (!valid_utf8(whole)) return false;
  if (cut == 0) return true;
  std::memcpy(incomplete_.data(), piece.data() + whole.size(), cut);
  incomplete_bytes_ = cut;
  return begins_character({incomplete_.data(), incomplete_bytes_});
}

}  // namespace snapgen::json

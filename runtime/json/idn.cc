#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <idn2.h>

#include "runtime/base/ascii.h"
#include "runtime/json/format_uri.h"

namespace snapgen::json {
namespace {

constexpr std::size_t label_max = 63;
constexpr std::size_t name_max = 253;

enum class Normalize : std::uint8_t { no, yes };

struct Free {
  void operator()(void* text) const { idn2_free(text); }
};

bool is_ascii_label(std::string_view text) {
  if (text.empty() || text.size() > label_max || text.front() == '-' || text.back() == '-') return false;
  if (text.size() > 3 && text.substr(2, 2) == "--") return false;
  return std::ranges::all_of(text, [](char byte) { return is_alphanumeric(byte) || byte == '-'; });
}

// Returns the label in the ASCII form that DNS uses, or an empty text if it is not allowed. It calls
// libidn2's function for registration, not the one for lookup, because only that follows the rules of RFC
// 5892 for characters that depend on their neighbours.
std::string to_ascii(std::string_view label, Normalize normalize) {
  const bool ascii =
      std::ranges::all_of(label, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
  const std::string text = ascii ? to_lower(label) : std::string(label);
  if (ascii && !text.starts_with("xn--")) return is_ascii_label(text) ? text : std::string();
  if (text.find('\0') != std::string::npos) return {};
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.c_str());
  std::uint8_t* made = nullptr;
  const int flags = normalize == Normalize::yes ? IDN2_NFC_INPUT : 0;
  if (idn2_register_u8(ascii ? nullptr : bytes, ascii ? bytes : nullptr, &made, flags) != IDN2_OK) return {};
  const std::unique_ptr<std::uint8_t, Free> owned(made);
  return reinterpret_cast<const char*>(made);
}

// Decodes a valid ASCII label to code points.
std::u32string points_of(const std::string& ascii) {
  std::uint32_t* made = nullptr;
  if (idn2_to_unicode_8z4z(ascii.c_str(), &made, 0) != IDN2_OK) return {};
  const std::unique_ptr<std::uint32_t, Free> owned(made);
  std::u32string out;
  for (const std::uint32_t* at = made; *at != 0; ++at) out += static_cast<char32_t>(*at);
  return out;
}

bool is_european_number(char32_t point) {
  return (point >= U'0' && point <= U'9') || (point >= 0x6F0 && point <= 0x6F9);
}

// Whether a code point is in a block that Unicode reserves for right-to-left scripts, and is no number.
bool is_right_to_left(char32_t point) {
  if (is_european_number(point)) return false;
  return (point >= 0x590 && point <= 0x8FF) || (point >= 0xFB1D && point <= 0xFDFF) ||
         (point >= 0xFE70 && point <= 0xFEFF) || (point >= 0x10800 && point <= 0x10FFF) ||
         (point >= 0x1E800 && point <= 0x1EFFF);
}

bool is_arabic_number(char32_t point) {
  return (point >= 0x660 && point <= 0x669) || (point >= 0x10D30 && point <= 0x10D39);
}

// Whether a character has no direction of writing although it is allowed at either end of a label.
bool is_neutral(char32_t point) {
  return point == 0x375 || point == 0x30FB || point == 0x200C || point == 0x200D;
}

// Whether a label follows the rules of RFC 5893 section 2 that libidn2 does not check. They apply to all
// labels of a name if one of them is written from right to left.
bool fits_bidi(const std::u32string& label) {
  if (is_right_to_left(label.front()))
    return std::ranges::none_of(label, is_arabic_number) || std::ranges::none_of(label, is_european_number);
  return !is_european_number(label.front()) && !is_neutral(label.front()) && !is_neutral(label.back());
}

bool is_idn_name(std::string_view utf8, Normalize normalize) {
  // A code point has at most four bytes in UTF-8 and needs at least one in the ASCII form, so a text of more
  // than four times the limit cannot be a name.
  if (utf8.size() > 4 * name_max) return false;
  std::vector<std::u32string> labels;
  std::size_t size = 0;
  while (true) {
    std::size_t end = utf8.size();
    std::size_t dot = 0;
    for (const std::string_view each : {".", "\u3002", "\uFF0E", "\uFF61"}) {
      if (const std::size_t at = utf8.find(each); at < end) {
        end = at;
        dot = each.size();
      }
    }
    const std::string ascii = to_ascii(utf8.substr(0, end), normalize);
    labels.push_back(points_of(ascii));
    if (labels.back().empty()) return false;
    size += ascii.size() + (size > 0 ? 1 : 0);
    if (dot == 0) break;
    utf8.remove_prefix(end + dot);
  }
  if (size > name_max) return false;
  const auto begins_right = [](const std::u32string& label) { return is_right_to_left(label.front()); };
  return std::ranges::none_of(labels, begins_right) || std::ranges::all_of(labels, fits_bidi);
}

}  // namespace

bool is_valid_punycode_label(std::string_view label) {
  const std::u32string points = points_of(to_ascii(label, Normalize::no));
  return !points.empty() && (!is_right_to_left(points.front()) || fits_bidi(points));
}

bool is_idn_hostname(std::string_view utf8) { return is_idn_name(utf8, Normalize::no); }

bool is_idn_mail_domain(std::string_view utf8) { return is_idn_name(utf8, Normalize::yes); }

}  // namespace snapgen::json

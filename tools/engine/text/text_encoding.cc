#include "tools/engine/text/text_encoding.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/files/path.h"
#include "tools/engine/text/code_points.h"

namespace snapgen::core {
namespace {

constexpr std::string_view utf16le_bom = "\xff\xfe";
constexpr std::string_view utf16be_bom = "\xfe\xff";

// The characters of the bytes 0x80 to 0x9F (encoding.spec.whatwg.org). Five bytes that Windows-1252 does not
// define are the control characters with the same number, so that they survive.
constexpr std::uint32_t first_special_byte = 0x80;
constexpr std::array<std::uint16_t, 32> windows1252_characters = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

bool is_special(std::uint32_t byte) {
  return byte >= first_special_byte && byte < first_special_byte + windows1252_characters.size();
}

bool is_utf16(TextEncoding encoding) {
  return encoding == TextEncoding::utf16le || encoding == TextEncoding::utf16be;
}

ByteOrder order_of(TextEncoding encoding) {
  return encoding == TextEncoding::utf16le ? ByteOrder::little : ByteOrder::big;
}

// Returns the encoding of a text of single bytes, or nullopt if it is binary.
std::optional<TextEncoding> single_byte_encoding(std::string_view bytes,
                                                 std::optional<TextEncoding> declared) {
  constexpr char end_mark_of_dos = '\x1a';
  std::string_view text = bytes;
  if (text.ends_with(end_mark_of_dos)) text.remove_suffix(1);
  bool has_special = false;
  for (const char byte : text) {
    const auto value = static_cast<std::uint8_t>(byte);
    if (!is_in_text_files(value)) return std::nullopt;
    has_special |= is_special(value);
  }
  if (declared == TextEncoding::latin1 || declared == TextEncoding::windows1252) return declared;
  return has_special ? TextEncoding::windows1252 : TextEncoding::latin1;
}

// Returns the byte of a character, or nullopt if the encoding of single bytes does not have it.
std::optional<char> byte_of(std::uint32_t code_point, TextEncoding encoding) {
  if (encoding == TextEncoding::latin1 || !is_special(code_point)) {
    if (code_point <= 0xff) return static_cast<char>(code_point);
    if (encoding == TextEncoding::latin1) return std::nullopt;
  }
  const auto found = std::ranges::find(windows1252_characters, code_point);
  if (found == windows1252_characters.end()) return std::nullopt;
  return static_cast<char>(first_special_byte +
                           static_cast<std::uint32_t>(found - windows1252_characters.begin()));
}

}  // namespace

std::string_view name_of(TextEncoding encoding) {
  switch (encoding) {
    case TextEncoding::utf8: break;
    case TextEncoding::utf16le: return "utf-16le";
    case TextEncoding::utf16be: return "utf-16be";
    case TextEncoding::latin1: return "latin-1";
    case TextEncoding::windows1252: return "windows-1252";
  }
  return "utf-8";
}

std::optional<TextEncoding> encoding_of_label(std::string_view label) {
  constexpr std::array<std::pair<std::string_view, TextEncoding>, 13> labels = {{
      {"utf8", TextEncoding::utf8},
      {"utf8bom", TextEncoding::utf8},
      {"utf8sig", TextEncoding::utf8},
      {"utf16le", TextEncoding::utf16le},
      {"utf16lebom", TextEncoding::utf16le},
      {"utf16be", TextEncoding::utf16be},
      {"utf16bebom", TextEncoding::utf16be},
      {"latin1", TextEncoding::latin1},
      {"isolatin1", TextEncoding::latin1},
      {"iso88591", TextEncoding::latin1},
      {"l1", TextEncoding::latin1},
      {"windows1252", TextEncoding::windows1252},
      {"cp1252", TextEncoding::windows1252},
  }};
  std::string letters;
  for (const char byte : label)
    if (is_alphanumeric(byte)) letters += to_lower(byte);
  const auto found = std::ranges::find(labels, letters, [](const auto& each) { return each.first; });
  return found == labels.end() ? std::nullopt : std::optional(found->second);
}

bool has_utf16_bom(std::string_view bytes) {
  return bytes.starts_with(utf16le_bom) || bytes.starts_with(utf16be_bom);
}

std::optional<DecodedText> decode_text(std::string_view bytes, std::optional<TextEncoding> declared) {
  FileEncoding encoding{.has_utf16_bom = has_utf16_bom(bytes)};
  if (encoding.has_utf16_bom)
    declared = bytes.starts_with(utf16le_bom) ? TextEncoding::utf16le : TextEncoding::utf16be;
  if (declared && is_utf16(*declared)) {
    encoding.encoding = *declared;
    const std::size_t bom_bytes = encoding.has_utf16_bom ? utf16le_bom.size() : 0;
    std::optional<std::string> text = utf8_of_utf16(bytes.substr(bom_bytes), order_of(*declared));
    if (text) return DecodedText{.text = *std::move(text), .encoding = encoding};
    if (encoding.has_utf16_bom) return std::nullopt;
  }
  const std::optional<TextEncoding> single = single_byte_encoding(bytes, declared);
  if (!single) return std::nullopt;
  DecodedText decoded{.text = {}, .encoding = {.encoding = *single}};
  decoded.text.reserve(bytes.size() + bytes.size() / 8);
  for (const char byte : bytes) {
    const std::uint32_t value = static_cast<std::uint8_t>(byte);
    const bool is_other = *single == TextEncoding::windows1252 && is_special(value);
    append_utf8(decoded.text, is_other ? windows1252_characters[value - first_special_byte] : value);
  }
  return decoded;
}

std::variant<std::string, UnencodableCharacter> encode_text(std::string_view text, FileEncoding encoding) {
  std::string bytes;
  bytes.reserve(is_utf16(encoding.encoding) ? 2 * text.size() + utf16le_bom.size() : text.size());
  if (encoding.has_utf16_bom) bytes += encoding.encoding == TextEncoding::utf16le ? utf16le_bom : utf16be_bom;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t at = text.size() - rest.size();
    const std::optional<std::uint32_t> code_point = take_code_point(rest);
    std::optional<char> byte;
    if (code_point && is_utf16(encoding.encoding)) {
      append_utf16(bytes, *code_point, order_of(encoding.encoding));
      continue;
    }
    if (code_point) byte = byte_of(*code_point, encoding.encoding);
    if (!byte) {
      const std::string_view before = text.substr(0, at);
      return UnencodableCharacter{.character = std::string(text.substr(at, text.size() - rest.size() - at)),
                                  .code_point = code_point,
                                  .line = 1 + static_cast<std::int64_t>(std::ranges::count(before, '\n'))};
    }
    bytes += *byte;
  }
  return bytes;
}

std::string unencodable_message(const UnencodableCharacter& missing, TextEncoding encoding,
                                std::string_view path) {
  std::string character = "a byte that is not UTF-8";
  if (missing.code_point) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "U+%04X", static_cast<unsigned>(*missing.code_point));
    character = "\"" + missing.character + "\" (" + digits + ")";
  }
  return "line " + std::to_string(missing.line) + " has " + character + ", which " +
         std::string(name_of(encoding)) + ", the encoding of " + path_in_sentence(path) +
         ", does not have. Use other characters, or write the whole file in UTF-8 with workspace_write_file "
         "(content as base64:<data>)";
}

}  // namespace snapgen::core

#pragma once
// Converts texts between UTF-8 and the other encodings of text files. Every conversion to UTF-8 can be
// reversed: encode_text() returns exactly the bytes that decode_text() had.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace snapgen::core {

enum class TextEncoding : std::uint8_t { utf8, utf16le, utf16be, latin1, windows1252 };

// Returns the name that answers and messages have: "utf-8", "utf-16le", "utf-16be", "latin-1",
// "windows-1252".
std::string_view name_of(TextEncoding encoding);

// Returns the encoding that a declaration names, such as "ISO-8859-1" or "cp1252"; nullopt for other
// encodings, and for UTF-16 without a byte order.
std::optional<TextEncoding> encoding_of_label(std::string_view label);

struct FileEncoding {
  TextEncoding encoding = TextEncoding::utf8;
  bool has_utf16_bom = false;  // The bytes begin with a byte order mark, which is not a part of the text.
};

struct DecodedText {
  std::string text;  // UTF-8
  FileEncoding encoding;
};

// Returns true if the bytes begin with the byte order mark of UTF-16.
bool has_utf16_bom(std::string_view bytes);

// Returns the text of a file that is not in UTF-8. A byte order mark decides its encoding, then `declared`.
// Otherwise it is Windows-1252 if it has bytes from 0x80 to 0x9F, and else Latin-1. Returns nullopt if the
// content is binary: UTF-16 that is damaged, or a content with NUL or other control characters that text
// files do not have.
std::optional<DecodedText> decode_text(std::string_view bytes, std::optional<TextEncoding> declared);

// The first character of a text that an encoding does not have.
struct UnencodableCharacter {
  std::string character;                    // In UTF-8, or one byte that is not UTF-8.
  std::optional<std::uint32_t> code_point;  // nullopt: it is not UTF-8.
  std::int64_t line = 0;                    // From 1.
};

// Returns the bytes of a UTF-8 text in another encoding.
std::variant<std::string, UnencodableCharacter> encode_text(std::string_view text, FileEncoding encoding);

// Returns for example `line 3 has "€" (U+20AC), which latin-1, the encoding of a.txt, does not have. Use …`,
// without a full stop.
std::string unencodable_message(const UnencodableCharacter& missing, TextEncoding encoding,
                                std::string_view path);

}  // namespace snapgen::core

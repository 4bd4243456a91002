#pragma once
// Code points, and their bytes in UTF-8 and UTF-16.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {

void append_utf8(std::string& text, std::uint32_t code_point);

// Takes the first character off `rest`, which must not be empty. Returns nullopt, and takes one byte, if it
// is not UTF-8.
std::optional<std::uint32_t> take_code_point(std::string_view& rest);

// Returns true for a code point that text files have: anything but control characters below U+0020 and
// U+007F, of which \b, \t, \n, \v, \f, \r and escape are allowed.
bool is_in_text_files(std::uint32_t code_point);

enum class ByteOrder : std::uint8_t { little, big };

// Returns the UTF-8 text of UTF-16 without its byte order mark; nullopt if the number of bytes is odd, a
// surrogate is alone, or a control character shows that the content is not text.
std::optional<std::string> utf8_of_utf16(std::string_view bytes, ByteOrder order);

void append_utf16(std::string& bytes, std::uint32_t code_point, ByteOrder order);

}  // namespace snapgen::core

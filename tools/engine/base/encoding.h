#pragma once
// Encodes bytes as JSON strings: valid UTF-8 as is, everything else as `base64:` followed by base64. Text
// that itself begins with `base64:` is encoded too, so that decoding is unambiguous.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"

namespace snapgen::core {

inline constexpr std::string_view base64_prefix = "base64:";

std::string text_of_bytes(std::string_view bytes);
// As text_of_bytes(), for bytes that are valid UTF-8.
std::string text_of_utf8(std::string_view text);
// Decodes the result of text_of_bytes(). Errors: invalid_argument for bad base64 after the prefix.
Result<std::string> bytes_of_text(std::string_view text);
// Reads a string and decodes it to bytes. Returns false if the value is not a string or not valid base64.
bool read_encoded_bytes(json::Reader& in, std::string& bytes);

// Returns true if git would treat the content as binary: a NUL among the first 8,000 bytes.
inline constexpr std::size_t binary_probe_bytes = 8000;
bool looks_binary(std::string_view bytes);

}  // namespace snapgen::core

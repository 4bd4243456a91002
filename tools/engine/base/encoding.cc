#include "tools/engine/base/encoding.h"

#include <cstring>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"

namespace snapgen::core {

std::string text_of_bytes(std::string_view bytes) {
  return json::valid_utf8(bytes) ? text_of_utf8(bytes) : std::string(base64_prefix) + base64(bytes);
}

std::string text_of_utf8(std::string_view text) {
  return text.starts_with(base64_prefix) ? std::string(base64_prefix) + base64(text) : std::string(text);
}

Result<std::string> bytes_of_text(std::string_view text) {
  if (!text.starts_with(base64_prefix)) return std::string(text);
  std::optional<std::string> decoded = base64_decoded(text.substr(base64_prefix.size()));
  if (decoded) return *std::move(decoded);
  return Error(ErrorCode::invalid_argument,
               "What follows base64: is not base64 (standard alphabet, padded, without white space).");
}

bool read_encoded_bytes(json::Reader& in, std::string& bytes) {
  std::string text;
  if (!in.string(text)) return false;
  Result<std::string> decoded = bytes_of_text(text);
  if (!decoded) return false;
  bytes = *std::move(decoded);
  return true;
}

bool looks_binary(std::string_view bytes) {
  return std::memchr(bytes.data(), 0, std::min(bytes.size(), binary_probe_bytes)) != nullptr;
}

}  // namespace snapgen::core

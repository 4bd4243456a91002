#include "tools/engine/store/blobs/blob_id.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::core {
namespace {

constexpr std::string_view prefix = "sha256:";

// The text of an id has no capital letters, so that equal contents have equal texts.
int digit(char c) { return is_lower_hex_digit(c) ? hex_value(c) : -1; }

}  // namespace

std::string BlobId::hex() const { return snapgen::hex(bytes_of(digest)); }

std::string BlobId::text() const {
  std::string text;
  append_text(text);
  return text;
}

// Faster than a general hex(): a manifest has very many ids.
void BlobId::append_text(std::string& out) const {
  char text[prefix.size() + 2 * sizeof digest];
  char* next = std::copy(prefix.begin(), prefix.end(), text);
  for (const std::uint8_t byte : digest) {
    *next++ = "0123456789abcdef"[byte >> 4];
    *next++ = "0123456789abcdef"[byte & 15];
  }
  out.append(text, sizeof text);
}

std::optional<BlobId> BlobId::from_text(std::string_view text) {
  BlobId id;
  if (!text.starts_with(prefix) || text.size() != prefix.size() + 2 * id.digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < id.digest.size(); ++i) {
    int high = digit(text[prefix.size() + 2 * i]);
    int low = digit(text[prefix.size() + 2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.digest[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return id;
}

BlobId blob_id_of(std::string_view bytes) { return BlobId{.digest = sha256(bytes)}; }

}  // namespace snapgen::core

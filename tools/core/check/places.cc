#include "tools/core/check/places.h"

#include "tools/core/path/path.h"

namespace snapgen::core {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// A URL's path: %20 is a space.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    plain += is_escape ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (is_escape) i += 2;
  }
  return plain;
}

}  // namespace

std::string Places::path(std::string_view printed) const {
  constexpr std::string_view scheme = "file://";
  const bool is_url = printed.starts_with(scheme);
  const std::string plain = is_url ? without_escapes(printed.substr(scheme.size())) : std::string(printed);
  const std::string_view inner = plain;
  if (inner.starts_with('/')) {
    // The root itself may be printed with a part of its own that is a symlink: then it is none of ours.
    if (inner.size() <= root.size() + 1 || !inner.starts_with(root) || inner[root.size()] != '/')
      return std::string(inner);
    return resolved("", inner.substr(root.size() + 1)).value_or(std::string(inner));
  }
  return resolved(from, inner).value_or(std::string(printed));
}

}  // namespace snapgen::core

#include "tools/insight/check/read/output_path_resolver.h"

#include "runtime/base/percent.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

// Decodes the percent escapes of a URL's path.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<char> byte = percent_decoded_byte(text, i);
    plain += byte.value_or(text[i]);
    if (byte) i += 2;
  }
  return plain;
}

}  // namespace

std::string OutputPathResolver::resolve(std::string_view printed) const {
  constexpr std::string_view scheme = "file://";
  const bool is_url = printed.starts_with(scheme);
  const std::string plain = is_url ? without_escapes(printed.substr(scheme.size())) : std::string(printed);
  const std::string_view inner = plain;
  if (inner.starts_with('/')) {
    // If the path does not begin with the root, it is outside, or the program resolved a symlink in the root.
    if (inner.size() <= root.size() + 1 || !inner.starts_with(root) || inner[root.size()] != '/')
      return std::string(inner);
    return normalized_path("", inner.substr(root.size() + 1)).value_or(std::string(inner));
  }
  return normalized_path(base_folder, inner).value_or(std::string(printed));
}

}  // namespace snapgen::core

#include "tools/cli/path_words.h"

#include <algorithm>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/encoding.h"

namespace snapgen::tools {

std::string displayed_path(std::string_view text) {
  const Result<std::string> bytes = core::bytes_of_text(text);
  // On a terminal, control characters in a name look like a space, a tab or a line feed.
  const bool has_control = bytes && std::any_of(bytes->begin(), bytes->end(),
                                                [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (has_control) return std::string(core::base64_prefix) + base64(*bytes);
  const bool is_text = bytes && json::valid_utf8(*bytes) && !bytes->starts_with(core::base64_prefix);
  return is_text ? *bytes : std::string(text);
}

}  // namespace snapgen::tools

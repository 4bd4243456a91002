#include "tools/engine/base/toml_keys.h"

#include <algorithm>

namespace snapgen::core {
namespace {

// Returns the offset behind the string that begins at `at`. A string that is not closed ends with its line,
// or with the text if it may have several lines.
std::size_t behind_toml_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string_view quotes = quote == '"' ? R"(""")" : "'''";
  const bool has_lines = text.substr(at).starts_with(quotes);
  const std::string_view close = has_lines ? quotes : quotes.substr(0, 1);
  at += close.size();
  while (at < text.size() && !text.substr(at).starts_with(close) && (has_lines || text[at] != '\n'))
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  at = std::min(at + close.size(), text.size());
  // The content may end with two quotes.
  for (int more = 0; has_lines && more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
  return at;
}

}  // namespace

std::optional<std::size_t> long_toml_key(std::string_view text) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '"' || c == '\'') {
      at = behind_toml_string(text, at);
      continue;
    }
    if (c == '.' && ++dots == toml_key_parts_max) return at;
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
    ++at;
  }
  return std::nullopt;
}

}  // namespace snapgen::core

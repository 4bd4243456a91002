#include "tools/engine/base/json_comments.h"

#include <algorithm>

#include "runtime/base/text.h"

namespace snapgen::core {
namespace {

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at)
    if (text[at] != '\n' && text[at] != '\r') text[at] = ' ';
}

// The position after the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// Replaces trailing commas by spaces in a text without comments, except those without a value before them.
void blank_trailing_commas(std::string& text) {
  std::size_t comma = std::string::npos;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      comma = std::string::npos;
      at = behind_string(text, at);
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (closes && comma != std::string::npos) {
      const std::size_t before = text.find_last_not_of(json_white_space, comma == 0 ? 0 : comma - 1);
      const bool is_alone = comma == 0 || before == std::string::npos ||
                            std::string_view("{[,:").find(text[before]) != std::string_view::npos;
      if (!is_alone) text[comma] = ' ';
    }
    if (c == ',')
      comma = at;
    else if (json_white_space.find(c) == std::string_view::npos)
      comma = std::string::npos;
    ++at;
  }
}

}  // namespace

void blank_json_comments(std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::size_t end = at + 1;
    if (rest.front() == '"') {
      end = behind_string(text, at);
    } else if (rest.starts_with("//")) {
      end = std::min(text.find_first_of("\r\n", at), text.size());
      blank(text, at, end);
    } else if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", at + 2);
      if (close == std::string::npos) return;
      end = close + 2;
      blank(text, at, end);
    }
    at = end;
  }
}

std::string without_json_comments(std::string_view text) {
  std::string out(text);
  if (text.starts_with(byte_order_mark)) blank(out, 0, byte_order_mark.size());
  blank_json_comments(out);
  blank_trailing_commas(out);
  return out;
}

}  // namespace snapgen::core

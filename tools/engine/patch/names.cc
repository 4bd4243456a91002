#include "tools/engine/patch/names.h"

#include <algorithm>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

std::optional<char> simple_escape(char c) {
  switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 't': return '\t';
    case 'n': return '\n';
    case 'v': return '\v';
    case 'f': return '\f';
    case 'r': return '\r';
    case '"': return '"';
    case '\\': return '\\';
    default: return std::nullopt;
  }
}

using NamePair = std::pair<std::string, std::string>;

// Returns the paths of one interpretation of the header, if it agrees with the known names.
std::optional<NamePair> agreed(std::string_view old_name, std::string_view new_name,
                               const HeaderNames& known) {
  if (known.minus_name && *known.minus_name != old_name) return std::nullopt;
  if (known.plus_name && *known.plus_name != new_name) return std::nullopt;
  if (known.from && known.to) {
    bool plain = old_name == *known.from && new_name == *known.to;
    bool prefixed = old_name != *known.from && new_name != *known.to && matches_path(old_name, *known.from) &&
                    matches_path(new_name, *known.to);
    if (!plain && !prefixed) return std::nullopt;
    return NamePair(*known.from, *known.to);
  }
  std::optional<std::string> path = common_file_name(old_name, new_name);
  if (!path) return std::nullopt;
  return NamePair(*path, *path);
}

}  // namespace

std::optional<std::string> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string name;
  for (std::size_t at = 1; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') {
      text.remove_prefix(at + 1);
      return name;
    }
    if (c != '\\') {
      name += c;
      continue;
    }
    if (++at == text.size()) return std::nullopt;
    if (std::optional<char> escaped = simple_escape(text[at])) {
      name += *escaped;
      continue;
    }
    if (at + 2 >= text.size() || text[at] > '3' || !is_octal(text[at]) || !is_octal(text[at + 1]) ||
        !is_octal(text[at + 2])) {
      return std::nullopt;
    }
    name += static_cast<char>((text[at] - '0') * 64 + (text[at + 1] - '0') * 8 + (text[at + 2] - '0'));
    at += 2;
  }
  return std::nullopt;
}

std::optional<std::string> name_of_field(std::string_view field) {
  if (field.empty()) return std::nullopt;
  if (!field.starts_with('"')) return std::string(field);
  std::optional<std::string> name = take_quoted(field);
  if (!name || !field.empty()) return std::nullopt;
  return name;
}

std::optional<std::string> common_file_name(std::string_view old_name, std::string_view new_name) {
  if (old_name == new_name) return std::string(old_name);
  if (old_name.starts_with("a/") && old_name.substr(2) == new_name) return std::string(new_name);
  if (new_name.starts_with("b/") && new_name.substr(2) == old_name) return std::string(old_name);
  std::size_t old_slash = old_name.find('/');
  std::size_t new_slash = new_name.find('/');
  if (old_slash == std::string_view::npos || new_slash == std::string_view::npos) return std::nullopt;
  if (old_name.substr(old_slash) != new_name.substr(new_slash)) return std::nullopt;
  return std::string(old_name.substr(old_slash + 1));
}

std::string relative_name(std::string_view name, std::string_view root) {
  while (take_prefix(name, "./")) {
  }
  if (!root.empty() && name.starts_with('/') && is_at_or_below_folder(name, root)) {
    name.remove_prefix(root.size());
    take_prefix(name, "/");
  }
  return std::string(name);
}

bool matches_path(std::string_view name, std::string_view path) {
  if (name == path) return true;
  std::size_t slash = name.find('/');
  return slash != std::string_view::npos && name.substr(slash + 1) == path;
}

std::optional<std::pair<std::string, std::string>> section_names(std::string_view rest,
                                                                 const HeaderNames& known) {
  if (rest.starts_with('"')) {
    std::optional<std::string> first = take_quoted(rest);
    if (!first || !rest.starts_with(' ')) return std::nullopt;
    std::optional<std::string> second = name_of_field(rest.substr(1));
    if (!second) return std::nullopt;
    return agreed(*first, *second, known);
  }
  if (rest.ends_with('"')) {
    std::size_t quote = rest.find(" \"");  // An unquoted name contains no quotation mark.
    if (quote == std::string_view::npos) return std::nullopt;
    std::optional<std::string> second = name_of_field(rest.substr(quote + 1));
    if (!second) return std::nullopt;
    return agreed(rest.substr(0, quote), *second, known);
  }
  std::optional<NamePair> found;
  for (std::size_t at = rest.find(' '); at != std::string_view::npos; at = rest.find(' ', at + 1)) {
    std::optional<NamePair> names = agreed(rest.substr(0, at), rest.substr(at + 1), known);
    if (!names) continue;
    if (found && *found != *names) return std::nullopt;
    found = std::move(names);
  }
  return found;
}

std::string_view refusal_of_path(std::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.find('\0') != std::string_view::npos) return "it contains a NUL";
  if (path.starts_with('/')) return "it is absolute";
  for (std::size_t begin = 0; begin <= path.size();) {
    std::size_t end = std::min(path.find('/', begin), path.size());
    std::string_view component = path.substr(begin, end - begin);
    if (component == "..") return "it contains \"..\"";
    if (component.empty() || component == ".") return "it is not in its shortest form";
    begin = end + 1;
  }
  if (is_reserved_path(path)) return "it belongs to git or to the snapshot store";
  return {};
}

}  // namespace snapgen::core

#include "tools/engine/text/editor_config.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

// The steps for all sections of a file. After them no glob matches, so that a hostile file takes no time.
constexpr int match_steps_max = 100'000;
constexpr std::size_t section_name_bytes_max = 1024;  // The limit of the specification.

// Matches a path with a glob. Each function returns true if the rest of the glob matches the rest of the
// path.
class GlobMatch {
 public:
  // Matches the glob of a section.
  bool matches_section(std::string_view glob, std::string_view path) {
    // A glob without a slash matches the name of a file in any folder.
    const bool is_name = glob.find('/') == std::string_view::npos;
    if (is_name) path = path.substr(path.rfind('/') + 1);
    take_prefix(glob, "/");
    return matches(glob, path);
  }

 private:
  bool matches(std::string_view glob, std::string_view path) {
    if (++steps_ > match_steps_max) return false;
    if (glob.empty()) return path.empty();
    switch (glob.front()) {
      case '*': return matches_star(glob, path);
      case '?': return !path.empty() && path.front() != '/' && matches(glob.substr(1), path.substr(1));
      case '[': return matches_class(glob, path);
      case '{': return matches_braces(glob, path);
      case '\\': return matches_literal(glob.substr(glob.size() > 1 ? 1 : 0), path);
      default: return matches_literal(glob, path);
    }
  }

  bool matches_literal(std::string_view glob, std::string_view path) {
    return !path.empty() && path.front() == glob.front() && matches(glob.substr(1), path.substr(1));
  }

  bool matches_star(std::string_view glob, std::string_view path) {
    const bool crosses_folders = glob.starts_with("**");
    const std::string_view rest = glob.substr(std::min(glob.find_first_not_of('*'), glob.size()));
    for (std::size_t taken = 0;; ++taken) {
      if (matches(rest, path.substr(taken))) return true;
      if (taken == path.size() || (path[taken] == '/' && !crosses_folders) || steps_ > match_steps_max)
        return false;
    }
  }

  bool matches_class(std::string_view glob, std::string_view path) {
    const std::size_t end = glob.find(']', 2);
    if (end == std::string_view::npos || glob.substr(0, end).find('/') != std::string_view::npos)
      return matches_literal(glob, path);
    if (path.empty() || path.front() == '/') return false;
    std::string_view members = glob.substr(1, end - 1);
    const bool is_negated = take_prefix(members, "!");
    bool has = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool is_range = i + 2 < members.size() && members[i + 1] == '-';
      const char last = is_range ? members[i + 2] : members[i];
      has |= members[i] <= path.front() && path.front() <= last;
      if (is_range) i += 2;
    }
    return has != is_negated && matches(glob.substr(end + 1), path.substr(1));
  }

  // Returns the parts between the commas of the braces that the glob begins with, and sets `rest` to what
  // follows. One part: braces without a comma. None: the braces are not closed.
  static std::vector<std::string_view> alternatives(std::string_view glob, std::string_view& rest) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 1;
    for (std::size_t i = 0; i < glob.size(); ++i) {
      if (glob[i] == '\\') {
        ++i;
      } else if (glob[i] == '{') {
        ++depth;
      } else if ((glob[i] == ',' && depth == 1) || (glob[i] == '}' && --depth == 0)) {
        parts.push_back(glob.substr(begin, i - begin));
        begin = i + 1;
        if (depth != 0) continue;
        rest = glob.substr(begin);
        return parts;
      }
    }
    return {};
  }

  bool matches_braces(std::string_view glob, std::string_view path) {
    std::string_view rest;
    const std::vector<std::string_view> parts = alternatives(glob, rest);
    if (parts.empty()) return matches_literal(glob, path);
    if (parts.size() == 1) {
      const std::optional<bool> in_range = matches_number(parts.front(), rest, path);
      return in_range ? *in_range : matches_literal(glob, path);
    }
    return std::ranges::any_of(
        parts, [&](std::string_view part) { return matches(std::string(part) + std::string(rest), path); });
  }

  // Matches `{1..12}`. Returns nullopt if `part` is not such a range.
  std::optional<bool> matches_number(std::string_view part, std::string_view rest, std::string_view path) {
    const auto number = [](std::string_view digits, std::int64_t& value) {
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return !digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    };
    const std::size_t dots = part.find("..");
    std::int64_t first = 0, last = 0, found = 0;
    if (dots == std::string_view::npos || !number(part.substr(0, dots), first) ||
        !number(part.substr(dots + 2), last))
      return std::nullopt;
    for (std::size_t size = 1; size <= path.size(); ++size) {
      if (!number(path.substr(0, size), found) || found < std::min(first, last) ||
          found > std::max(first, last))
        continue;
      if (matches(rest, path.substr(size))) return true;
    }
    return false;
  }

  int steps_ = 0;
};

// Splits `key = value`, without a comment at the end. Returns false if it is another line.
bool parse_pair(std::string_view line, std::string& key, std::string& value) {
  const std::size_t middle = line.find_first_of("=:");
  if (middle == std::string_view::npos) return false;
  std::string_view right = line.substr(middle + 1);
  for (const std::string_view comment : {" #", " ;"}) right = right.substr(0, right.find(comment));
  key = to_lower(trimmed(line.substr(0, middle)));
  value = to_lower(trimmed(right));
  return true;
}

}  // namespace

EditorConfig::EditorConfig(std::string_view text) {
  take_prefix(text, byte_order_mark);
  std::string_view line, glob;
  bool is_in_section = false;
  std::string key, value;
  while (next_line(text, line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      glob = line.substr(1, line.size() - 2);
      is_in_section = true;
    } else if (parse_pair(line, key, value)) {
      if (!is_in_section && key == "root") is_root_ = value == "true";
      if (is_in_section && key == "charset" && glob.size() <= section_name_bytes_max)
        sections_.push_back({.glob = std::string(glob), .charset = value});
    }
  }
}

std::optional<std::string_view> EditorConfig::charset(std::string_view path) const {
  GlobMatch match;
  for (auto section = sections_.rbegin(); section != sections_.rend(); ++section)
    if (match.matches_section(section->glob, path)) return section->charset;
  return std::nullopt;
}

}  // namespace snapgen::core

#include "tools/engine/git/repository/pattern.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "tools/engine/git/repository/wildmatch.h"

namespace snapgen::core::git {
namespace {

bool is_special(char c) { return c == '*' || c == '?' || c == '[' || c == '\\'; }

std::size_t literal_length(std::string_view pattern) {
  return static_cast<std::size_t>(std::find_if(pattern.begin(), pattern.end(), is_special) - pattern.begin());
}

bool same(std::string_view a, std::string_view b, bool fold_case) {
  if (!fold_case || a.size() != b.size()) return a == b;
  return std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return to_lower(x) == to_lower(y); });
}

}  // namespace

PathPattern::PathPattern(std::string_view text, bool fold_case) : fold_case_(fold_case) {
  if (text.starts_with('!')) {
    negative_ = true;
    text.remove_prefix(1);
  }
  suffix_ = text.starts_with('*') && literal_length(text.substr(1)) == text.size() - 1;
  if (text.ends_with('/')) {
    folders_only_ = true;
    text.remove_suffix(1);
  }
  name_only_ = text.find('/') == std::string_view::npos;
  if (text.starts_with('/')) text.remove_prefix(1);
  pattern_ = text;
  literal_prefix_bytes_ = literal_length(text);
}

bool PathPattern::matches(std::string_view path) const {
  if (name_only_) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (literal_prefix_bytes_ == pattern_.size()) return same(pattern_, name, fold_case_);
    if (suffix_) {
      const std::string_view tail = pattern_.substr(1);
      return name.size() >= tail.size() && same(tail, name.substr(name.size() - tail.size()), fold_case_);
    }
    return wildmatch(pattern_, name, WildmatchMode::name, fold_case_);
  }
  // As in git, the literal prefix is compared first and the rest is matched as a separate pattern. So a `**`
  // directly after the prefix counts as a leading one.
  if (literal_prefix_bytes_ > path.size()) return false;
  if (!same(pattern_.substr(0, literal_prefix_bytes_), path.substr(0, literal_prefix_bytes_), fold_case_))
    return false;
  return wildmatch(pattern_.substr(literal_prefix_bytes_), path.substr(literal_prefix_bytes_),
                   WildmatchMode::path, fold_case_);
}

}  // namespace snapgen::core::git

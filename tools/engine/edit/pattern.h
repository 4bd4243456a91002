#pragma once
// Replacement replaces the matches of a pattern in texts.
//
// The pattern has the rules of a search (read/matcher.h): RE2 syntax, or the text itself if `fixed`, and no
// match contains a line feed. Empty matches are not replaced. In the new text, unless `fixed`, $1 to $99 and
// ${1} are the groups of the pattern, $0 is the whole match, and $$ is a dollar sign.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/edit/edit.h"
#include "tools/engine/edit/edited_text.h"
#include "tools/engine/search/regex.h"

namespace snapgen::core {

struct PatternMatches {
  std::vector<TextSpan> spans;
  std::vector<std::string> new_texts;  // For each span.
  std::vector<std::int64_t> lines;     // Of each span, from 1.
};

class Replacement {
 public:
  // Errors: invalid_argument (the pattern; a reference to a group that it does not have).
  static Result<Replacement> make(const PatternEdit& edit);

  // Returns the matches in a text, in order.
  PatternMatches matches_in(std::string_view text) const;

  // Returns the pattern for a search of the lines that may match. `word` makes it match less.
  static std::string search_pattern(const PatternEdit& edit);

 private:
  // A part of the new text: a literal text, or a group.
  struct Part {
    std::string text;
    std::size_t group = 0;
    bool is_group = false;
  };

  Replacement(Regex regex, bool fixed_word) : regex_(std::move(regex)), fixed_word_(fixed_word) {}
  Result<Unit> parse_new_text(std::string_view text);
  std::string new_text(std::string_view text, const std::vector<std::optional<Regex::Match>>& groups) const;

  Regex regex_;
  bool fixed_word_;  // A match must not be a part of a longer word.
  std::vector<Part> parts_;
};

}  // namespace snapgen::core

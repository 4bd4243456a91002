#pragma once
// LineMatcher: finds the lines of a text that a pattern matches.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/search/regex.h"
#include "tools/engine/search/trigram_filter.h"

namespace snapgen::core {

inline constexpr std::size_t columns_max = 100;

// A matching line. Offsets are bytes of the text.
struct LineMatch {
  std::int64_t line = 0;    // from 1
  std::int64_t column = 0;  // of the first match; 1-based, in bytes
  // The columns of the matches after the first. These do not overlap and are not empty. With the first there
  // are at most columns_max.
  std::vector<std::int64_t> more_columns;
  std::size_t begin = 0;
  std::size_t end = 0;  // without the line feed
};

// Thread-safe.
class LineMatcher {
 public:
  // Makes a matcher. `fixed`: the pattern is literal text. Errors: invalid_argument.
  static Result<LineMatcher> make(std::string_view pattern, bool fixed, bool ignore_case);

  // Returns false if no line of the filter's content can match, or if the content is binary.
  bool may_match(const TrigramFilter& trigram_filter) const;

  // The matching lines in order, at most `lines_max`.
  std::vector<LineMatch> lines(std::string_view text, std::size_t lines_max) const;

 private:
  LineMatcher(std::string literal, std::optional<Regex> regex);
  class LiteralPositions;
  std::optional<Regex::Match> find(std::string_view text, std::size_t from, LiteralPositions& leads) const;
  std::vector<std::int64_t> more_columns(std::string_view text, Regex::Match first,
                                         const LineMatch& line) const;

  std::string literal_;  // Used if there is no regex.
  std::optional<Regex> regex_;
  std::vector<TrigramQuery> trigram_queries_;  // For the parts of the regex, or for the literal.
};

}  // namespace snapgen::core

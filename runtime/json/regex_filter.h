#pragma once
// RegexFilter: texts that every match of a regular expression contains. Searching for them is much cheaper
// than running the expression, and rules out most texts without a match.
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class FilteredRE2;
}

namespace snapgen::json {

class RegexFilter {
 public:
  // `source`: in RE2 syntax. `folds`: case-insensitive.
  RegexFilter(const std::string& source, bool folds);
  RegexFilter(RegexFilter&&) = delete;
  ~RegexFilter();

  // The texts to search for, in lower-case ASCII; their letters match in either case. An empty one matches
  // everywhere.
  const std::vector<std::string>& parts() const { return parts_; }
  // False: the text has no match. `may_hold` returns whether the part may occur in it. Thread-safe.
  bool may_match(const std::function<bool(std::size_t part)>& may_hold) const;

  // Indexes of parts, at least one of which occurs in every match. Empty: unknown.
  const std::vector<std::size_t>& leads() const { return leads_; }

 private:
  void choose_leads();

  std::unique_ptr<re2::FilteredRE2> filter_;  // null: the expression cannot be filtered
  // One for each of the filter's texts: a part of it in lower-case ASCII, or empty if it has no usable part.
  std::vector<std::string> parts_;
  std::vector<std::size_t> leads_;
};

// The first position of `part`, which is lower-case ASCII, ignoring case; npos if there is none.
std::size_t find_folded(std::string_view text, std::string_view part);

}  // namespace snapgen::json

#pragma once
// RegexFilter: texts that every match of a regular expression must hold. Looking for them costs a fraction of
// what running the expression costs, so that most texts without a match are told by this alone.
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
  // `source`: as RE2 takes it. `folds`: upper and lower case are the same.
  RegexFilter(const std::string& source, bool folds);
  RegexFilter(RegexFilter&&) = delete;
  ~RegexFilter();

  // False: there is no match in the text. Safe to call from several threads.
  bool may_match(std::string_view text) const;

 private:
  std::unique_ptr<re2::FilteredRE2> filter_;  // none: nothing can be told
  // One for each of the filter's texts: a part of it, in ASCII and lower case; empty if it has none to look
  // for.
  std::vector<std::string> parts_;
};

// Whether `part`, in ASCII and lower case, stands in the text, its letters in either case.
bool contains_folded(std::string_view text, std::string_view part);

}  // namespace snapgen::json

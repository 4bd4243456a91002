#pragma once
// RegexFilter: texts that every match of a regular expression must hold. Looking for them costs a fraction of
// what running the expression costs, so that most texts without a match are told by this alone.
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
  // `source`: as RE2 takes it. `folds`: upper and lower case are the same.
  RegexFilter(const std::string& source, bool folds);
  RegexFilter(RegexFilter&&) = delete;
  ~RegexFilter();

  // What is looked for: texts in ASCII and lower case, whose letters match in either case. An empty one
  // stands everywhere.
  const std::vector<std::string>& parts() const { return parts_; }
  // False: there is no match in a text. `may_hold` says of each part whether it may stand there. Safe to call
  // from several threads.
  bool may_match(const std::function<bool(std::size_t part)>& may_hold) const;

  // Those of the parts, by their numbers, of which every match holds one at least; none: nothing can be told.
  const std::vector<std::size_t>& leads() const { return leads_; }

 private:
  void choose_leads();

  std::unique_ptr<re2::FilteredRE2> filter_;  // none: nothing can be told
  // One for each of the filter's texts: a part of it, in ASCII and lower case; empty if it has none to look
  // for.
  std::vector<std::string> parts_;
  std::vector<std::size_t> leads_;
};

// Where `part`, in ASCII and lower case, stands first in the text, its letters in either case; npos: nowhere.
std::size_t find_folded(std::string_view text, std::string_view part);

}  // namespace snapgen::json

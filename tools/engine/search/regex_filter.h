#pragma once
// RegexFilter: finds texts that must occur in a match of a regular expression. Searching for these is much
// faster than running the expression, and excludes most texts without a match.
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class FilteredRE2;
}

namespace snapgen::core {

class RegexFilter {
 public:
  // Makes the filter of an expression in RE2 syntax. `ignores_case` tells whether the expression ignores
  // case.
  RegexFilter(const std::string& source, bool ignores_case);
  RegexFilter(RegexFilter&&) = delete;
  ~RegexFilter();

  // Returns the texts to search for, in lower-case ASCII. Their letters match in either case, and an empty
  // text matches everywhere.
  const std::vector<std::string>& atoms() const { return atoms_; }
  // Returns false if a text certainly has no match. `may_contain_atom` must return whether the part with this
  // index may occur in the text. Thread-safe.
  bool may_match(const std::function<bool(std::size_t atom)>& may_contain_atom) const;

  // Returns indexes of atoms(); every match contains at least one of these parts. Empty if none are known.
  const std::vector<std::size_t>& covering_atoms() const { return covering_atoms_; }

 private:
  void choose_covering_atoms();

  std::unique_ptr<re2::FilteredRE2> filter_;  // null if no filter is possible
  // For each text that filter_ requires, a part of that text in lower-case ASCII; empty if no part of it can
  // be searched for.
  std::vector<std::string> atoms_;
  std::vector<std::size_t> covering_atoms_;
};

// Returns the first position of `atom`, which must be lower-case ASCII, ignoring case; npos if there is none.
std::size_t find_ignoring_case(std::string_view text, std::string_view atom);

}  // namespace snapgen::core

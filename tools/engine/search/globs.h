#pragma once
// Globs: selects the files of a view that a client wants to search.
//
// A glob without `/` matches the name of a file at any depth; one with `/` matches its path from the root.
// `**` matches any number of folders, `{a,b}` either text. A glob whose last part is a plain name also
// matches a folder of that name with everything in it. A glob that begins with `!` excludes files. The last
// matching glob decides. If all globs exclude, files that match none are selected.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

class Globs {
 public:
  // Parses globs. Errors: invalid_argument (an empty glob; one that ends inside a bracket or brace or after a
  // backslash, which can match nothing; more than some hundred alternatives in braces).
  static Result<Globs> parse(const std::vector<std::string>& globs);
  bool selects(std::string_view path) const;

 private:
  struct Rule {
    std::string pattern;
    std::string folder;  // If whole_path: matches everything below a folder of this name; else empty.
    bool excludes = false;
    bool whole_path = false;

    bool fits(std::string_view path) const;
  };
  static Result<Rule> rule_of(std::string_view glob, bool excludes);

  std::vector<Rule> rules_;
  bool selects_by_default_ = true;
};

}  // namespace snapgen::core

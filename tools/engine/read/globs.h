#pragma once
// Globs: which files of a view a client wants to search.
//
// A glob without `/` is about the name of a file at any depth, one with `/` about its path from the root;
// `**` stands for any number of folders, `{a,b}` for either. One whose last part is a plain name fits a
// folder of that name too, with all that is in it. One that begins with `!` leaves files out. The last glob
// that fits a file decides; a file that none fits is searched if all globs are of the leaving-out kind.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

class Globs {
 public:
  // Errors: invalid_argument (an empty glob; one that ends inside a bracket or a brace or behind a backslash,
  // which would fit nothing; more than some hundred alternatives in braces).
  static Result<Globs> of(const std::vector<std::string>& globs);
  bool select(std::string_view path) const;

 private:
  struct Rule {
    std::string pattern;
    std::string folder;  // For whole paths: what is in the folder of that name; empty: none is meant.
    bool leaves_out = false;
    bool whole_path = false;

    bool fits(std::string_view path) const;
  };
  static Result<Rule> rule_of(std::string_view glob, bool leaves_out);

  std::vector<Rule> rules_;
  bool otherwise_ = true;
};

}  // namespace snapgen::core

#pragma once
// Shell-style matching as git does it (gitignore(5), gitattributes(5)), from the documented behaviour and
// tested against `git check-ignore`.
#include <string_view>

namespace snapgen::core::git {

enum class WildmatchMode : unsigned char {
  name,  // `*` and `?` match any byte, including `/`.
  path,  // `*`, `?` and `[...]` stop at `/`; `**` between slashes crosses them.
};

// Returns true if all of `text` matches `pattern`. Special: `*` `?` `[...]` (ranges, `!`/`^`, [:class:]) `\`.
// A pattern that ends in a lone backslash, or inside a bracket, matches nothing.
bool wildmatch(std::string_view pattern, std::string_view text, WildmatchMode mode, bool fold_case = false);

}  // namespace snapgen::core::git

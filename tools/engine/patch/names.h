#pragma once
// File names as the headers of a patch spell them: git's C-style quoting, and the prefixes `a/` and `b/`.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace snapgen::core {

// A name at the front of `text`, which is quoted: `"a/tab\there"`. Takes it off, with its quotes; nothing if
// the quoting is broken. Escapes as git's unquote_c_style: \a \b \t \n \v \f \r \" \\ and three octal digits.
std::optional<std::string> take_quoted(std::string_view& text);

// A whole header field that is one name, quoted or not.
std::optional<std::string> name_of_field(std::string_view field);

// The one file that two names of a header mean: equal names stand for themselves (`--no-prefix`), and
// otherwise each loses its first component (`a/x b/x`, `i/x w/x`, `old/x new/x`), after which they must be
// equal.
std::optional<std::string> same_file(std::string_view old_name, std::string_view new_name);

// Whether `name` is `path`, or `path` behind a prefix of one component.
bool means(std::string_view name, std::string_view path);

// What the other lines of a section already say about its names.
struct HeaderNames {
  std::optional<std::string> minus_name;  // After `--- `, prefix and all; absent for /dev/null.
  std::optional<std::string> plus_name;
  std::optional<std::string> from;  // Of `rename from` or `copy from`: never with a prefix.
  std::optional<std::string> to;
};

// The old and the new path of the section that begins with `diff --git <rest>`. Unquoted names may hold
// spaces, so the line alone can be read in several ways; the reading that agrees with all other lines counts,
// and nothing is returned if there is none or more than one.
std::optional<std::pair<std::string, std::string>> section_names(std::string_view rest,
                                                                 const HeaderNames& known);

// Why a patch may not name this path; empty: it may. Only `/`-separated components, none of them empty, `.`
// or `..`, not absolute, no NUL, not below `.git` (any case) or the store.
std::string_view refusal_of_path(std::string_view path);

}  // namespace snapgen::core

#pragma once
// File names in the headers of a patch, with git's C-style quoting and the prefixes `a/` and `b/`.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace snapgen::core {

// Takes a quoted name, such as `"a/tab\there"`, off the front of `text`. Returns nullopt if the quoting is
// invalid. The escapes are those of git's unquote_c_style: \a \b \t \n \v \f \r \" \\ and three octal digits.
std::optional<std::string> take_quoted(std::string_view& text);

// Parses a header field that is one name, quoted or not.
std::optional<std::string> name_of_field(std::string_view field);

// Returns the file that both names of a header refer to. Equal names are used as is (`--no-prefix`).
// Otherwise each loses its first component (`a/x b/x`, `i/x w/x`, `old/x new/x`), and the rests must be
// equal; or only one has the prefix `a/` or `b/`.
std::optional<std::string> common_file_name(std::string_view old_name, std::string_view new_name);

// Returns a name without `./` at its beginning, and an absolute one in the folder `root` relative to it.
// `root` is absolute, or empty to leave absolute names unchanged.
std::string relative_name(std::string_view name, std::string_view root);

// Returns true if `name` is `path`, or `path` after a prefix of one component.
bool matches_path(std::string_view name, std::string_view path);

// The names in the other header lines of a section.
struct HeaderNames {
  std::optional<std::string> minus_name;  // After `--- `, with its prefix; nullopt for /dev/null.
  std::optional<std::string> plus_name;
  std::optional<std::string> from;  // From `rename from` or `copy from`, which have no prefix.
  std::optional<std::string> to;
};

// Returns the old and the new path of the section that begins with `diff --git <rest>`. Unquoted names may
// contain spaces, so the line may be ambiguous. Returns the reading that agrees with all other lines, or
// nullopt if there is none or more than one.
std::optional<std::pair<std::string, std::string>> section_names(std::string_view rest,
                                                                 const HeaderNames& known);

// Returns why a patch may not name this path, or an empty view if it may. Rejects empty, `.` and `..`
// components, absolute paths, NUL, and paths below `.git` (in any case) or the store.
std::string_view refusal_of_path(std::string_view path);

}  // namespace snapgen::core

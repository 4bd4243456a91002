#pragma once
// JSON that people wrote, with comments and trailing commas where a program allows them (VS Code): read
// without them, and changed without touching anything else of it.
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

enum class Comments : bool { refused, allowed };

// The same text with spaces for comments, trailing commas and a byte order mark, so that every value stands
// where it stood. With `refused` the text as it is. Line breaks stay.
std::string without_comments(std::string_view text, Comments comments);

// Errors: invalid_argument, one sentence with line and column: it is not JSON, or has a name twice in one
// object.
Result<std::string> checked_json(std::string_view text, Comments comments);

// `text` with `value` (one JSON value, in one line) at `path` (names of members from the root). Objects on
// the way that are not there are made, in the form of what stands around them; all other bytes stay. The same
// text if the value is there already. A text of white space alone is an empty object. Errors: as
// checked_json(); invalid_argument (something on the way is no object).
Result<std::string> with_member(std::string_view text, std::span<const std::string> path,
                                std::string_view value, Comments comments);

// `text` without the member at `path` and the comma that belongs to it. Comments beside the member remain,
// and so does an object that becomes empty. Returns the same text if there is no such member. Errors: as
// checked_json().
Result<std::string> without_member(std::string_view text, std::span<const std::string> path,
                                   Comments comments);

}  // namespace snapgen::tools

#pragma once
// Reads and edits JSON with comments and trailing commas, as VS Code allows them. Edits change nothing else
// in the text.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

enum class Comments : bool { refused, allowed };

// Returns whether the text has only white space, as a file that does not exist.
bool is_blank_text(std::string_view text);

// Replaces comments, trailing commas and a byte order mark by spaces, so that positions and line breaks are
// unchanged. With Comments::refused, returns the text unchanged.
std::string without_comments(std::string_view text, Comments comments);

// Returns the text as JSON, as without_comments() does. Errors: invalid_argument, one sentence with line and
// column: the text is not JSON, or an object has a name twice.
Result<std::string> checked_json(std::string_view text, Comments comments);

// Returns `text` with `value` (one JSON value on one line) at `path` (names of members from the root).
// Creates missing objects in the style of their surroundings; all other bytes are unchanged. A text of only
// white space counts as an empty object. Errors: as checked_json(); invalid_argument (a value on the path is
// not an object).
Result<std::string> with_member(std::string_view text, std::span<const std::string> path,
                                std::string_view value, Comments comments);

// Returns `text` without the member at `path` and its comma. Comments beside the member and emptied objects
// remain. Returns the same text if there is no such member. Errors: as checked_json().
Result<std::string> without_member(std::string_view text, std::span<const std::string> path,
                                   Comments comments);

// Returns `text` with `value` appended to the list at `path`. Creates a missing list and its objects as
// with_member() does. Errors: as with_member(); invalid_argument (the value at the path is not a list).
Result<std::string> with_item(std::string_view text, std::span<const std::string> path,
                              std::string_view value, Comments comments);

// Returns `text` without the item `index` of the list at `path` and its comma. Returns the same text if there
// is no such item. Errors: as checked_json().
Result<std::string> without_item(std::string_view text, std::span<const std::string> path, std::size_t index,
                                 Comments comments);

}  // namespace snapgen::tools

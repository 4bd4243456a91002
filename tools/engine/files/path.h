#pragma once
// Paths of the tools: relative to the root, with `/` separators.
//
// Inside the core a path is bytes: components joined by `/`, without `.`, `..` or empty ones; "" is the root.
// Outside it is text: the bytes themselves if they parse to the same path, otherwise `base64:` and base64.
// Paths are always ordered by their bytes.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

// Converts text to a path. `src`, `src/` and `./src` are the same path; `.` is the root. Errors:
// invalid_argument for an empty path, NUL, an absolute path, `..`, a leading `~`, drive and backslash forms,
// and bad base64. A name that contains a backslash or begins with `~` must be written in base64.
Result<std::string> path_from_text(std::string_view text);

// Like path_from_text(), for a file to write: a trailing slash is invalid_argument too.
Result<std::string> file_path_from_text(std::string_view text);

// Converts a path to text that path_from_text() converts back; the root is `.`.
std::string text_of_path(std::string_view path);

// Converts a path to text for a sentence: control characters escaped, a very long path cut in the middle.
std::string path_in_sentence(std::string_view path);
// Returns at most `named_max` paths in a sentence: "a, b and 2 more".
std::string some_of(const std::vector<std::string>& paths, std::size_t named_max);
// The error for a symlink through which nothing is read or written.
Error symlink_error(std::string_view path);
// The error for a path for which is_reserved_path() is true.
Error reserved_path_error(std::string_view path);
// The error for a write to the workspace's folder itself.
Error empty_path_error();

// Returns true if tools may not access the path: it is in a folder `.git`, in any case, or in the store.
bool is_reserved_path(std::string_view path);
bool is_dot_git(std::string_view component);
// Returns true for `.snapback` in any case, which has the server's own files, and for paths below it.
bool is_state_path(std::string_view path);
// Returns true for the server's logs and paths in them. Tools must not write the record of their own calls.
bool is_log_path(std::string_view path);

std::string_view parent_path(std::string_view path);  // Returns "" for a top-level name.
std::string_view base_name(std::string_view path);
bool is_at_or_below_folder(std::string_view path,
                           std::string_view folder);  // Also true for the folder itself.
// Drops paths that are below another one. The result is sorted and has no duplicates.
std::vector<std::string> outermost_paths(std::vector<std::string> paths);
std::string joined_path(std::string_view folder, std::string_view name);
// Resolves `path` relative to `folder`, with `.` and `..`. Returns nullopt if it leads out of the root.
std::optional<std::string> normalized_path(std::string_view folder, std::string_view path);

// The cause of an error that rejects a path outside the workspace, which distinguishes it from other
// invalid_argument errors.
inline constexpr std::string_view outside_workspace_cause = "a path that leads out of the workspace";

// Selects whether a symlink at the path, or at a component of it, is followed or rejected.
enum class SymlinkPolicy : std::uint8_t { refused, followed };

// Converts each text to a path. Errors: as path_from_text(), for the first invalid path.
Result<std::vector<std::string>> paths_of_texts(const std::vector<std::string>& texts);
// Like paths_of_texts() above; nullopt becomes an empty list.
Result<std::vector<std::string>> paths_of_texts(const std::optional<std::vector<std::string>>& texts);

}  // namespace snapgen::core

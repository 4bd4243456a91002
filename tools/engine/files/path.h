#pragma once
// Paths as the tools take and give them: relative to the root, `/` between components (substrate
// specification, section 1.2).
//
// Inside the core a path is its bytes: components joined by `/`, without `.`, `..` or empty ones; "" is the
// root. Outside it is text: the bytes themselves where they read back as the same path, else `base64:` and
// the bytes in base64. The order of paths is always that of their bytes.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

// Text to path. `src`, `src/` and `./src` are the same path; `.` is the root. Errors: invalid_argument for an
// empty path, NUL, an absolute one, `..`, a first component that begins with `~`, drive and backslash forms,
// bad base64. A name that really holds a backslash, or really begins with `~`, is written in base64.
Result<std::string> path_from_text(std::string_view text);

// The same of a path at which a file is to stand; invalid_argument also if it ends as a folder's may: `src/`.
Result<std::string> file_path_from_text(std::string_view text);

// Path to text; the root is `.`. path_from_text() reads it back as the same path.
std::string text_of_path(std::string_view path);

// The same, fit for a sentence: control characters escaped, the middle of a very long one left out.
std::string path_in_sentence(std::string_view path);

// Whether no tool may read or write here: inside a folder called `.git` in any case, or inside our own store.
bool is_reserved(std::string_view path);
bool is_git_name(std::string_view component);
// Whether it is `.snapback` in any case, where the server's own files are, or below it.
bool is_state_path(std::string_view path);
// Whether it leads to the server's logs there, or into them: who is watched does not write the record of it.
bool is_record_path(std::string_view path);

std::string_view parent_path(std::string_view path);  // of a top-level name: ""
std::string_view base_name(std::string_view path);
bool is_below(std::string_view path, std::string_view folder);  // or the folder itself
// The paths that do not stand below another of them, sorted, each once.
std::vector<std::string> outermost(std::vector<std::string> paths);
std::string joined(std::string_view folder, std::string_view name);
// `path` seen from `folder`, with `.` and `..` taken away; none if it leads out of the root.
std::optional<std::string> resolved(std::string_view folder, std::string_view path);

}  // namespace snapgen::core

#include "tools/engine/files/path.h"

#include <algorithm>

#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::size_t shown_end_bytes = 150;  // The length of each end of a path that is cut.

bool has_drive(std::string_view text) { return text.size() >= 2 && is_letter(text[0]) && text[1] == ':'; }

// Returns why the path cannot be written as plain text and needs base64, or an empty view if it can.
std::string_view foreign_form(std::string_view path) {
  if (path.starts_with('~')) return "it begins with ~; paths are relative to the workspace's root";
  if (has_drive(path)) return "there are no drives; paths are relative to the workspace's root";
  if (path.find('\\') != std::string_view::npos)
    return "it contains a backslash; use / to separate components";
  return {};
}

// Replaces the middle of a long text by an ellipsis.
std::string without_middle(const std::string& text) {
  if (text.size() <= 2 * shown_end_bytes) return text;
  return std::string(utf8_head(text, shown_end_bytes)).append("…").append(utf8_tail(text, shown_end_bytes));
}

std::string shortened_for_sentence(const std::string& text) {
  const bool has_break = text.find_first_of("\n\t") != std::string::npos;
  if (!has_break && !has_hidden_characters(text)) return without_middle(text);
  return visible(json::quoted(without_middle(text)));
}

// The error for a path that is rejected. `text` is the client's argument and is quoted as sent.
Error invalid_path_error(std::string_view text, std::string_view why) {
  const std::string shown =
      json::valid_utf8(text) ? shortened_for_sentence(std::string(text)) : path_in_sentence(text);
  return Error(ErrorCode::invalid_argument, "The path " + shown + " is rejected: " + std::string(why) + ".");
}

Error outside_workspace_error(std::string_view text, std::string_view why) {
  Error error = invalid_path_error(text, why);
  error.cause = outside_workspace_cause;
  return error;
}

}  // namespace

Result<std::string> path_from_text(std::string_view text) {
  bool encoded = text.starts_with(base64_prefix);
  Result<std::string> bytes = bytes_of_text(text);
  if (!bytes) return invalid_path_error(text, "what follows base64: is not base64");
  if (bytes->empty()) return Error(ErrorCode::invalid_argument, "A path is empty; the root is \".\".");
  if (bytes->find('\0') != std::string::npos) return invalid_path_error(text, "it contains a NUL");
  if (bytes->front() == '/')
    return outside_workspace_error(text, "it is absolute; paths are relative to the workspace's root");

  std::string path;
  std::string_view rest = *bytes, component;
  while (next_part(rest, component, '/')) {
    if (component.empty() || component == ".") continue;
    if (component == "..")
      return outside_workspace_error(text, "it contains \"..\"; paths are relative to the workspace's root");
    if (!path.empty()) path += '/';
    path += component;
  }
  const std::string_view reason = encoded ? std::string_view() : foreign_form(path);
  if (reason.empty()) return path;
  if (path.size() > shown_end_bytes) return outside_workspace_error(text, reason);
  return outside_workspace_error(text,
                                 std::string(reason) + "; to name such a file, write " + text_of_path(path));
}

Result<std::string> file_path_from_text(std::string_view text) {
  Result<std::string> path = path_from_text(text);
  if (!path || path->empty()) return path;
  const Result<std::string> bytes = bytes_of_text(text);
  if (bytes && bytes->ends_with(base_name(*path))) return path;
  return invalid_path_error(text,
                            "a file's path does not end in /; folders are made by writing a file in them");
}

std::string text_of_path(std::string_view path) {
  if (path.empty()) return ".";
  if (foreign_form(path).empty()) return text_of_bytes(path);
  return std::string(base64_prefix) + base64(path);
}

std::string path_in_sentence(std::string_view path) {
  return shortened_for_sentence(path.empty() ? "." : text_of_bytes(path));
}

std::string some_of(const std::vector<std::string>& paths, std::size_t named_max) {
  std::string text;
  const std::size_t named = std::min(paths.size(), named_max);
  for (std::size_t i = 0; i < named; ++i) text += (i == 0 ? "" : ", ") + path_in_sentence(paths[i]);
  if (paths.size() > named) text += " and " + std::to_string(paths.size() - named) + " more";
  return text;
}

Error symlink_error(std::string_view path) {
  return Error(ErrorCode::permission_denied,
               path_in_sentence(path) + " is a symlink; nothing is read or written through it.");
}

Error reserved_path_error(std::string_view path) {
  return Error(
      ErrorCode::permission_denied,
      path_in_sentence(path) + " belongs to git or to the snapshot store, which tools never read or write.");
}

Error empty_path_error() {
  return Error(ErrorCode::invalid_argument, "The workspace itself cannot be written. Name a path in it.");
}

bool is_dot_git(std::string_view component) { return equal_ignoring_case(component, ".git"); }

bool is_state_path(std::string_view path) {
  return equal_ignoring_case(path.substr(0, path.find('/')), ".snapback");
}

namespace {

// Returns the second component of a path below `.snapback`, or an empty view.
std::string_view state_name(std::string_view path) {
  const std::size_t first = path.find('/');
  if (!is_state_path(path) || first == std::string_view::npos) return {};
  const std::string_view rest = path.substr(first + 1);
  return rest.substr(0, rest.find('/'));
}

}  // namespace

bool is_log_path(std::string_view path) { return equal_ignoring_case(state_name(path), "logs"); }

bool is_reserved_path(std::string_view path) {
  if (equal_ignoring_case(state_name(path), "store")) return true;
  for (std::string_view component; next_part(path, component, '/');)
    if (is_dot_git(component)) return true;
  return false;
}

std::string_view parent_path(std::string_view path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_at_or_below_folder(std::string_view path, std::string_view folder) {
  return folder.empty() ||
         (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

std::vector<std::string> outermost_paths(std::vector<std::string> paths) {
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> retained;
  for (std::string& path : paths) {
    // Every earlier path is checked, because other paths may sort between a folder and its files: foo,
    // foo-bar, foo/x.
    bool covered = std::any_of(retained.begin(), retained.end(),
                               [&](const std::string& above) { return is_at_or_below_folder(path, above); });
    if (!covered) retained.push_back(std::move(path));
  }
  return retained;
}

std::string joined_path(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.empty() && !name.empty()) path += '/';
  return path += name;
}

std::optional<std::string> normalized_path(std::string_view folder, std::string_view path) {
  std::string result(folder);
  for (std::string_view component; next_part(path, component, '/');) {
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (result.empty()) return std::nullopt;
      result.resize(parent_path(result).size());
    } else {
      if (!result.empty()) result += '/';
      result += component;
    }
  }
  return result;
}

Result<std::vector<std::string>> paths_of_texts(const std::vector<std::string>& texts) {
  std::vector<std::string> paths;
  for (const std::string& text : texts) {
    std::string path = TRY(path_from_text(text));
    paths.push_back(std::move(path));
  }
  return paths;
}

Result<std::vector<std::string>> paths_of_texts(const std::optional<std::vector<std::string>>& texts) {
  return texts ? paths_of_texts(*texts) : std::vector<std::string>();
}

}  // namespace snapgen::core

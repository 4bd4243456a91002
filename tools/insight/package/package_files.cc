#include <algorithm>
#include <utility>

#include "runtime/base/text.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/text/text_encoding.h"
#include "tools/insight/imports/toml.h"
#include "tools/insight/package/project_packages.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t manifest_bytes_max = 4 << 20;
constexpr std::int64_t lock_bytes_max = 64 << 20;
constexpr std::size_t problems_max = 20;
constexpr std::size_t problem_bytes_max = 300;
// The limit for the entries with one name. Each declared one is compared with each locked one.
constexpr std::size_t namesakes_max = 100;

template <class Entry>
void add_limited(std::vector<Entry>& entries, Entry entry) {
  if (entries.size() < namesakes_max) entries.push_back(std::move(entry));
}

}  // namespace

void ProjectPackages::add_declared(Dependency dependency) {
  std::string name = comparable_name(ecosystem, dependency.name);
  add_limited(declared[std::move(name)], std::move(dependency));
}

void ProjectPackages::add_locked(const std::string& name, LockedPackage package) {
  add_limited(locked[comparable_name(ecosystem, name)], std::move(package));
}

void ProjectPackages::add_override(std::string_view selector, std::string_view range) {
  take_prefix(selector, "**/");
  const std::size_t scope = selector.starts_with('@') ? selector.find('/') : 0;
  const std::string_view name = selector.substr(0, selector.find('@', 1));
  if (scope == selector.npos || name.find('>') != name.npos ||
      name.find('/', scope + (scope > 0 ? 1 : 0)) != name.npos)
    return;
  // A selector with a range applies to some dependents, and "$name" is the range of another package.
  const bool is_known = name.size() == selector.size() && !range.starts_with('$');
  overrides.insert_or_assign(comparable_name(ecosystem, name), is_known ? range : "");
}

std::string PackageFiles::path_of(std::string_view name) const { return joined_path(folder_, name); }

std::vector<std::string> PackageFiles::names_in(std::string_view folder) const {
  std::vector<std::string> names;
  const Result<std::vector<FolderEntry>> entries = root_.read_folder(folder);
  if (!entries) return names;
  for (const FolderEntry& each : *entries)
    if (each.kind == FileKind::file || each.kind == FileKind::symlink) names.push_back(each.name);
  return names;
}

std::vector<std::string> PackageFiles::ancestor_folders() const {
  std::vector<std::string> folders = {folder_};
  while (!folders.back().empty()) folders.emplace_back(parent_path(folders.back()));
  return folders;
}

std::optional<std::string> PackageFiles::read(const std::string& path, std::int64_t bytes_max,
                                              bool& is_unread) {
  Result<OpenedPath> file = root_.open_file(path);
  if (!file && file.error().code == ErrorCode::not_found) return std::nullopt;
  std::string text;
  Result<Unit> done = file ? Result<Unit>(Unit{}) : Result<Unit>(file.error());
  if (file && file->stat.size > bytes_max)
    done = Error(ErrorCode::too_large,
                 "it is larger than " + std::to_string(bytes_max >> 20) + " MiB and was not read");
  // The advice of such an error, to name another path, is of no use: the caller did not name this one.
  if (!file && file.error().code == ErrorCode::permission_denied)
    done = Error(ErrorCode::permission_denied,
                 path_in_sentence(path) +
                     " may not be read: the system denies it, or a symlink leads outside the workspace");
  if (done) done = read_stable_content(*file, text);
  // PowerShell writes `pip freeze > requirements.txt` in UTF-16.
  if (done && has_utf16_bom(text))
    if (std::optional<DecodedText> decoded = decode_text(text, std::nullopt)) text = std::move(decoded->text);
  if (done && !json::valid_utf8(text)) done = Error(ErrorCode::invalid_argument, "it is not valid UTF-8");
  if (done && text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (done) return text;
  is_unread = true;
  add_sentence(with_full_stop((file ? path_in_sentence(path) + ": " : std::string()) + done.error().message));
  return std::nullopt;
}

void PackageFiles::add_sentence(std::string sentence) {
  if (problems_.size() < problems_max) problems_.push_back(std::move(sentence));
}

std::optional<std::string> PackageFiles::read_manifest(const std::string& path, bool& is_unread) {
  return read(path, manifest_bytes_max, is_unread);
}

std::optional<std::string> PackageFiles::read_lock_file(const std::string& path, bool& is_unread) {
  return read(path, lock_bytes_max, is_unread);
}

std::optional<LockFile> PackageFiles::read_nearest_lock(ProjectPackages& found,
                                                        std::initializer_list<std::string_view> names) {
  for (const std::string& folder : ancestor_folders()) {
    for (const std::string_view name : names) {
      std::string path = joined_path(folder, name);
      if (name == binary_lock_name && root_.lstat(path)) {
        found.has_unread_lock = true;
        add_sentence(path_in_sentence(path) + " was not read, because it is binary.");
        return std::nullopt;
      }
      std::optional<std::string> text = read_lock_file(path, found.has_unread_lock);
      if (!text && !found.has_unread_lock) continue;
      if (!text) return std::nullopt;
      found.lock_files.push_back(path);
      for (const std::string_view other : names)
        if (other != name && root_.lstat(joined_path(folder, other)))
          add_sentence(path_in_sentence(joined_path(folder, other)) + " was not read, because " +
                       path_in_sentence(path) + " is beside it.");
      return LockFile{.name = name, .folder = folder, .path = std::move(path), .text = *std::move(text)};
    }
  }
  return std::nullopt;
}

std::optional<json::Node> PackageFiles::read_installed_manifest(const std::string& path, bool& is_unread) {
  const std::optional<std::string> text = read(path, manifest_bytes_max, is_unread);
  return text ? json_of(path, *text, is_unread) : std::nullopt;
}

std::optional<json::Node> PackageFiles::tree_of(const std::string& path, std::string_view text,
                                                json::Document document, bool& is_unread) {
  for (const json::Problem& each : document.problems) add_problem(path, text, each.offset, each.message);
  if (document.ok() && !document.root.is(json::Kind::object))
    add_problem(path, text, document.root.offset, "it is not a JSON object");
  is_unread = is_unread || !document.ok() || !document.root.is(json::Kind::object);
  if (!document.root.is(json::Kind::object)) return std::nullopt;
  return std::move(document.root);
}

std::optional<json::Node> PackageFiles::json_of(const std::string& path, std::string_view text,
                                                bool& is_unread) {
  return tree_of(path, text, json::parse_document(text), is_unread);
}

std::optional<json::Node> PackageFiles::toml_of(const std::string& path, std::string_view text,
                                                bool& is_unread) {
  json::Document document = parse_toml(text);
  const bool is_understood = document.ok();
  for (json::Problem& problem : document.problems) problem.message.insert(0, "not TOML: ");
  std::optional<json::Node> root = tree_of(path, text, std::move(document), is_unread);
  return is_understood ? std::move(root) : std::nullopt;
}

void PackageFiles::add_problem(const std::string& path, std::string_view text, std::size_t offset,
                               const std::string& message) {
  const json::LineColumn position = json::line_column_at(text, std::min(offset, text.size()));
  add_problem(path, {.line = static_cast<std::int64_t>(position.line),
                     .column = static_cast<std::int64_t>(position.column),
                     .message = message});
}

void PackageFiles::add_problem(const std::string& path, const SyntaxFault& fault) {
  const std::string column = fault.column > 0 ? ":" + std::to_string(fault.column) : "";
  add_sentence(with_full_stop(path_in_sentence(path) + ":" + std::to_string(fault.line) + column + ": " +
                              shortened(fault.message, problem_bytes_max)));
}

std::string string_value(const json::Node* node) {
  return node != nullptr && node->is(json::Kind::string) ? node->text : std::string();
}

}  // namespace snapgen::core

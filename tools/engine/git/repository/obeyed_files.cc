#include "tools/engine/git/repository/obeyed_files.h"

#include <algorithm>
#include <string_view>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core::git {
namespace {

constexpr int searched_depth_max = 10;  // Git's own limit.

struct NamedPath {
  bool is_include = false;  // Else a folder of hooks.
  std::string value;
};

// Returns the value of a variable: without its quotes, and without a comment that follows it.
std::string unquoted(std::string_view value) {
  std::string out;
  bool is_quoted = false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (!is_quoted && (c == '#' || c == ';')) break;
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == '\\' && i + 1 < value.size())
      out += value[++i];
    else
      out += c;
  }
  return std::string(trimmed(out));
}

// Takes a header such as `[includeIf "gitdir:x"]` off `line`. Returns the section's name in lower case;
// nullopt if the line does not begin with a header.
std::optional<std::string> take_header(std::string_view& line) {
  if (!line.starts_with('[')) return std::nullopt;
  std::size_t end = line.find_first_of("]\"");
  if (end != std::string_view::npos && line[end] == '"') {
    ++end;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    end = line.find(']', end);
  }
  if (end == std::string_view::npos) return std::nullopt;
  std::string name = to_lower(line.substr(1, line.find_first_of(" \t\"]", 1) - 1));
  line = trimmed(line.substr(end + 1));
  return name;
}

// Returns the includes and folders of hooks in a configuration file. It finds also those that git would not
// use, because a file too many does less harm here than one that is overlooked.
std::vector<NamedPath> named_paths(std::string text) {
  std::vector<NamedPath> found;
  for (const std::string_view continued : {"\\\r\n", "\\\n"})
    for (std::size_t at = 0; (at = text.find(continued, at)) != std::string::npos;)
      text.erase(at, continued.size());
  std::string_view rest = text, line;
  std::string section;
  while (next_line(rest, line)) {
    line = trimmed(line);
    while (std::optional<std::string> name = take_header(line)) section = *std::move(name);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string name = to_lower(trimmed(line.substr(0, equals)));
    const bool is_include = name == "path" && (section == "include" || section == "includeif");
    if (!is_include && !(name == "hookspath" && section == "core")) continue;
    found.push_back({.is_include = is_include, .value = unquoted(line.substr(equals + 1))});
  }
  return found;
}

}  // namespace

bool ObeyedFiles::update(const Repository& repository) {
  const auto is_unchanged = [](const auto& each) { return stat_of(each.first) == each.second; };
  if (!read_.empty() && std::ranges::all_of(read_, is_unchanged)) return false;
  paths_.clear();
  read_.clear();
  const Environment& environment = repository.state().environment;
  for (const std::string& path : user_config_paths(environment))
    add_config(path, environment, repository.root(), 0);
  if (!repository.is_git()) return true;
  add_config(repository.common_dir() + "/config", environment, repository.root(), 0);
  add_config(repository.git_dir() + "/config.worktree", environment, repository.root(), 0);
  return true;
}

void ObeyedFiles::add_config(const std::string& path, const Environment& environment, const std::string& root,
                             int depth) {
  paths_.push_back(path);
  const auto is_same = [&](const auto& each) { return each.first == path; };
  if (depth > searched_depth_max || std::ranges::any_of(read_, is_same)) return;
  read_.emplace_back(path, stat_of(path));
  FileBytes file = read_file(path, limits::config);
  for (const NamedPath& each : named_paths(std::move(file.bytes))) {
    const std::optional<std::string> named = config_path(each.value, environment.home);
    if (!named || named->empty()) continue;
    if (each.is_include) {
      add_config(joined_unless_absolute(parent_path(path), *named), environment, root, depth + 1);
      continue;
    }
    std::string hooks = joined_unless_absolute(root, *named);
    while (hooks.ends_with('/')) hooks.pop_back();
    // Husky's hooks in `_` run those in the folder above.
    paths_.push_back(base_name(hooks) == "_" ? std::string(parent_path(hooks)) : hooks);
  }
}

void update(TrackedSymlinks& links, const Repository& repository) {
  constexpr std::uint32_t symlink_mode = 0120000;
  if (!repository.is_git()) return;
  Repository::State& state = repository.state();
  const Result<std::shared_ptr<const LoadedConfig>> config = load_config(state, {});
  Result<std::shared_ptr<const LoadedIndex>> loaded =
      config ? load_index(state, (*config)->format, {}) : config.error();
  if (!loaded) return static_cast<void>(links = {});
  if (links.index == *loaded) return;
  links.paths.clear();
  for (const IndexEntry& each : (*loaded)->index->entries())
    if (each.mode == symlink_mode) links.paths.emplace_back(each.path);
  links.index = *std::move(loaded);
}

}  // namespace snapgen::core::git

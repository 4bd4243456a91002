#include "tools/engine/git/repository/filters.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {
namespace {

constexpr std::string_view section = "filter.";
constexpr std::string_view permission = "snapgen.repositoryfilters";
constexpr std::string_view need = "to know which filters the repository configures";
constexpr int submodule_depth_max = 16;

// FilterScopes finds the filters that only a repository configures. The user's entries come first.
class FilterScopes {
 public:
  void add_users(std::string_view key, std::string_view value) {
    users_.insert_or_assign(std::string(key), std::string(value));
    if (key == permission) allowed_ = config_boolean(std::string(value)).value_or(false);
  }

  void add_repositorys(std::string_view key, std::string_view value) {
    const auto same = users_.find(key);
    const bool is_users = same != users_.end() && same->second == value;
    if (key.starts_with(section) && !is_users) foreign_.insert(std::string(name_in(key)));
  }

  std::set<std::string, std::less<>> disabled() const {
    return allowed_ ? std::set<std::string, std::less<>>() : foreign_;
  }

  // Records that a configuration sets this variable, for settings().
  void add_variable(std::string_view key) { variables_.insert(std::string(key)); }

  // Returns settings that disable the filters. Git searches all filters for each setting, so variables that
  // no configuration sets are left out.
  std::vector<ConfigEntry> settings() const {
    std::vector<ConfigEntry> out;
    for (const std::string& name : disabled()) {
      for (const std::string_view variable : {"clean", "smudge", "process", "required"}) {
        std::string key = std::string(section) + name + "." + std::string(variable);
        if (variables_.contains(key))
          out.push_back({.key = std::move(key), .value = variable == "required" ? "false" : ""});
      }
    }
    return out;
  }

 private:
  static std::string_view name_in(std::string_view key) {
    const std::size_t end = std::max(key.rfind('.'), section.size());
    return key.substr(section.size(), end - section.size());
  }

  std::map<std::string, std::string, std::less<>> users_;
  std::set<std::string, std::less<>> foreign_;  // Filter names.
  std::set<std::string, std::less<>> variables_;
  bool allowed_ = false;
};

std::string first_line(const std::string& path) {
  const FileBytes file = read_file(path, limits::one_line);
  return file.error == 0 ? file.bytes.substr(0, file.bytes.find('\n')) : std::string();
}

// Returns true if the repository's own configuration files mention filters or are not fully understood.
// Errors: unavailable (a file is too large).
Result<bool> may_name_filters(const std::string& git_dir, const Environment& environment) {
  Config config;
  const Config::Folders folders{.git_dir = git_dir, .home = environment.home};
  const std::string common = first_line(joined_unless_absolute(git_dir, "commondir"));
  config.add_file(
      joined_unless_absolute(common.empty() ? git_dir : joined_unless_absolute(git_dir, common), "config"),
      folders);
  config.add_file(joined_unless_absolute(git_dir, "config.worktree"), folders);
  if (config.error()) return *config.error();
  if (!config.fallback_reason().empty()) return true;
  for (const ConfigEntry& entry : config.entries())
    if (entry.key.starts_with(section)) return true;
  return false;
}

// The mode of a submodule's entry, as the index file stores it.
constexpr std::string_view gitlink_mode("\0\0\xE0\0", 4);

// Returns true if an index in this git folder may contain a submodule.
bool may_have_submodules(const std::string& git_dir) {
  const auto names_one = [](const std::string& path) {
    const FileBytes file = read_file(path, limits::index);
    return file.error == EFBIG || file.bytes.find(gitlink_mode) != std::string::npos;
  };
  if (names_one(joined_unless_absolute(git_dir, "index"))) return true;
  const FolderNames found = names_in_folder(git_dir);
  return std::ranges::any_of(found.names, [&](const std::string& name) {
    return name.starts_with("sharedindex.") && names_one(joined_unless_absolute(git_dir, name));
  });
}

class Search {
 public:
  Search(const Environment& environment, const std::stop_token& stop)
      : environment_(environment), stop_(stop) {}

  // Searches one repository and its submodules. Errors: unavailable, cancelled.
  Result<Unit> inspect(const std::string& git_dir, const std::string& root, int depth) {
    if (depth > submodule_depth_max || !seen_.insert(git_dir).second) return Unit{};
    const bool filters_named = TRY(may_name_filters(git_dir, environment_));
    if (filters_named) {
      TRY(take_configuration(git_dir, root));
    }
    if (!may_have_submodules(git_dir)) return Unit{};
    GitAnswer listed =
        TRY(run_git_with({}, git_dir, root, environment_, {"ls-files", "--stage", "-z"}, need, stop_));
    std::string_view rest = listed.output;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\0'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const std::size_t tab = line.find('\t');
      if (!line.starts_with("160000 ") || tab == std::string_view::npos) continue;
      const std::string inner = joined_unless_absolute(root, line.substr(tab + 1));
      TRY(inspect(git_dir_of(inner), inner, depth + 1));
    }
    return Unit{};
  }

  std::vector<ConfigEntry> settings() const { return scopes_.settings(); }

 private:
  // Returns a submodule's git dir. Like git, does not check the owner of its work tree.
  static std::string git_dir_of(const std::string& root) {
    constexpr std::string_view head = "gitdir: ";
    std::string dot = joined_unless_absolute(root, ".git");
    const std::string line = first_line(dot);
    if (!line.starts_with(head)) return dot;
    return joined_unless_absolute(root, line.substr(head.size()));
  }

  // Collects the filters of a repository's configuration. Git itself reports the origin of each value.
  Result<Unit> take_configuration(const std::string& git_dir, const std::string& root) {
    GitAnswer listed = TRY(run_git_with(
        {}, git_dir, root, environment_,
        {"config", "--null", "--show-scope", "--includes", "--get-regexp", "^(filter|snapgen)[.]"}, need,
        stop_));
    std::string_view rest = listed.output, scope, entry;
    while (next_part(rest, scope, '\0') && next_part(rest, entry, '\0')) {
      const std::string_view key = entry.substr(0, entry.find('\n'));
      const std::string_view value = entry.substr(std::min(entry.size(), key.size() + 1));
      scopes_.add_variable(key);
      if (scope == "system" || scope == "global") {
        scopes_.add_users(key, value);
      } else {
        scopes_.add_repositorys(key, value);
      }
    }
    return Unit{};
  }

  const Environment& environment_;
  const std::stop_token& stop_;
  std::set<std::string> seen_;
  FilterScopes scopes_;
};

}  // namespace

std::set<std::string, std::less<>> disabled_filters(const Config& config, std::size_t user_entries) {
  FilterScopes scopes;
  for (std::size_t i = 0; i < config.entries().size(); ++i) {
    const ConfigEntry& entry = config.entries()[i];
    if (!entry.key.starts_with(section) && entry.key != permission) continue;
    const std::string_view value = entry.value ? std::string_view(*entry.value) : std::string_view();
    if (i < user_entries) {
      scopes.add_users(entry.key, value);
    } else {
      scopes.add_repositorys(entry.key, value);
    }
  }
  return scopes.disabled();
}

Result<std::vector<ConfigEntry>> filter_disabling_settings(const std::string& git_dir,
                                                           const std::string& root,
                                                           const Environment& environment,
                                                           const std::stop_token& stop) {
  Search search(environment, stop);
  TRY(search.inspect(git_dir, root, 0));
  return search.settings();
}

}  // namespace snapgen::core::git

#include "tools/engine/git/obeyed_files.h"

#include <memory>
#include <optional>

#include "tools/engine/git/state.h"

namespace snapgen::core::git {

std::vector<std::string> obeyed_files(const Repository& repository) {
  if (!repository.is_git()) return {};
  Repository::State& state = repository.state();
  const Result<std::shared_ptr<const LoadedConfig>> loaded = load_config(state, {});
  if (!loaded) return {};
  std::vector<std::string> files = (*loaded)->config.files();
  const ConfigEntry* hooks = (*loaded)->config.last_entry("core.hookspath");
  if (hooks && hooks->value) {
    const std::optional<std::string> path = config_path(*hooks->value, state.environment.home);
    if (path) files.push_back(joined_unless_absolute(repository.root(), *path));
  }
  return files;
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

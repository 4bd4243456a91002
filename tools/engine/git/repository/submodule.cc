#include "tools/engine/git/repository/submodule.h"

namespace snapgen::core::git {
namespace {

// Returns the submodule's state, which the parent's state caches between queries.
std::shared_ptr<Repository::State> kept_state(Repository::State& parent, const std::string& path,
                                              RepositoryLayout layout) {
  const std::lock_guard lock(parent.mutex);
  std::shared_ptr<Repository::State>& known = parent.submodules[path];
  if (!known || known->layout != layout) {
    known = std::make_shared<Repository::State>();
    known->layout = std::move(layout);
    known->environment = parent.environment;
  }
  return known;
}

}  // namespace

Result<SubmoduleState> submodule_state(Repository::State& parent, const std::string& path, bool tracked_only,
                                       std::stop_token stop) {
  SubmoduleState out;
  const std::string folder = parent.layout.root + "/" + path;
  Result<std::optional<RepositoryLayout>> layout = layout_at(folder);
  if (!layout || !*layout) {
    out.fallback_reason = "a submodule's .git is not valid";
    return out;
  }
  if (real_path(folder) != (*layout)->root) {
    out.fallback_reason = "a submodule's work tree is elsewhere";
    return out;
  }
  const std::shared_ptr<Repository::State> state = kept_state(parent, path, std::move(**layout));
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(*state, stop));
  Head head = TRY(load_head(*state, config->format, stop));
  out.head = head.commit;
  const bool dirty = TRY(is_dirty(*state, tracked_only, stop));
  out.dirty = dirty;
  return out;
}

}  // namespace snapgen::core::git

#include "tools/engine/git/submodule.h"

namespace snapgen::core::git {
namespace {

// The submodule's own state, kept in its parent's between questions.
std::shared_ptr<Repository::State> kept_state(Repository::State& parent, const std::string& path,
                                              Layout layout) {
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
  Result<std::optional<Layout>> layout = layout_at(folder);
  if (!layout || !*layout) {
    out.doubt = "a submodule's .git is not valid";
    return out;
  }
  if (real_path(folder) != (*layout)->root) {
    out.doubt = "a submodule's work tree is elsewhere";
    return out;
  }
  const std::shared_ptr<Repository::State> state = kept_state(parent, path, std::move(**layout));
  Result<std::shared_ptr<const LoadedConfig>> config = load_config(*state, stop);
  if (!config) return config.error();
  Result<Head> head = load_head(*state, (*config)->format, stop);
  if (!head) return head.error();
  out.head = head->commit;
  const Result<bool> dirty = is_dirty(*state, tracked_only, stop);
  if (!dirty) return dirty.error();
  out.dirty = *dirty;
  return out;
}

}  // namespace snapgen::core::git

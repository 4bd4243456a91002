// Resources with the current state of the work tree, and its files.
#include "schemas/resources/worktree_state.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/resources/file_content.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t changed_max = 1000;

Result<ResourceContent> read_state(App& app, const mcp::UriVariables&, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  core::GitStatus status = TRY(status_of(*workspace, stop));
  std::vector<std::string> dirty = TRY(core::dirty_files(*workspace, status, stop));
  WorktreeState state;
  state.fingerprint = to_schema(status.fingerprint);
  state.total = static_cast<std::int64_t>(dirty.size());
  if (dirty.size() > changed_max) dirty.resize(changed_max);
  for (const std::string& path : dirty) state.changed.emplace_back(core::text_of_path(path));
  return json_content(state);
}

// Besides the work tree, the state depends on HEAD and the index, which are outside of it.
Result<WatchedPaths> watched_for_state(App& app, const mcp::UriVariables&) {
  core::Workspace* workspace = TRY(app.workspace());
  WatchedPaths watched{.worktree = true};
  const std::string& git = repository_of(*workspace).git_dir();
  if (!git.empty()) watched.paths = {git + "/HEAD", git + "/index"};
  return watched;
}

Result<ResourceContent> read_live(App& app, const mcp::UriVariables& variables, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  core::LiveView view(*workspace, false, stop);
  return file_content(view, variables.at("path"));
}

Result<WatchedPaths> watched_for_file(App& app, const mcp::UriVariables& variables) {
  core::Workspace* workspace = TRY(app.workspace());
  std::string path = TRY(core::path_from_text(variables.at("path")));
  if (core::is_reserved_path(path)) return WatchedPaths();
  return WatchedPaths{.paths = {core::joined_path(root_of(*workspace).folder(), path)}};
}

constexpr ResourceRoute worktree_route_table[] = {
    {.uri = worktree_uri,
     .name = "worktree",
     .title = "Work tree",
     .description =
         "Fingerprint and uncommitted files of the work tree. Subscribe to be notified when it changes.",
     .mime_type = json_type,
     .read = &read_state,
     .watched_paths = &watched_for_state},
    {.uri = file_uri,
     .name = "file",
     .title = "A file of the work tree",
     .description = "The current content of a file. Subscribe to be notified when it changes.",
     .read = &read_live,
     .watched_paths = &watched_for_file},
};

}  // namespace

std::span<const ResourceRoute> worktree_routes() { return worktree_route_table; }

}  // namespace snapgen::tools

#include "tools/engine/workspace/workspace_parts.h"

#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

Result<std::shared_ptr<Workspace>> open_workspace(const std::string& folder) {
  return std::shared_ptr<Workspace>(TRY(Workspace::open(folder)));
}

Result<std::shared_ptr<Workspace>> open_other_tree(const Workspace& workspace, const std::string& name) {
  return std::shared_ptr<Workspace>(TRY(workspace.open_other_tree(name)));
}

const Root& root_of(const Workspace& workspace) { return workspace.root(); }

const Repository& repository_of(const Workspace& workspace) { return workspace.repository(); }

const Environment& environment_of(const Workspace& workspace) { return workspace.environment(); }

BlobStore& blobs_of(Workspace& workspace) { return workspace.blobs(); }

SnapshotStore& snapshots_of(Workspace& workspace) { return workspace.snapshots(); }

const WorkTrees& work_trees_of(const Workspace& workspace) { return workspace.work_trees(); }

LiveTree& live_tree_of(const Workspace& workspace) { return workspace.live_tree(); }

Writer& writer_of(Workspace& workspace) { return workspace.writer(); }

const WriteRules& write_rules_of(Workspace& workspace) { return workspace.writer().rules(); }

std::int64_t now_of(const Workspace& workspace) { return workspace.now(); }

const std::string& store_folder_of(const Workspace& workspace) { return workspace.store_folder(); }

const std::string& tree_folder_of(const Workspace& workspace) { return workspace.tree_folder(); }

std::vector<std::optional<OtherTree>> other_trees_of(const Workspace& workspace,
                                                     const std::vector<SnapshotNote>& notes) {
  return workspace.other_trees_of(notes);
}

Result<GitStatus> status_of(const Workspace& workspace, const std::stop_token& stop) {
  return workspace.status(stop);
}

Result<LiveFiles> files_of(const Workspace& workspace, const std::stop_token& stop) {
  return workspace.files(stop);
}

std::optional<std::string> to_workspace_path(const Workspace& workspace, std::string_view repository_path) {
  return workspace.to_workspace_path(repository_path);
}

std::string to_repository_path(const Workspace& workspace, std::string_view path) {
  return workspace.to_repository_path(path);
}

Result<bool> ignores(const Workspace& workspace, std::string_view path, bool is_folder) {
  return workspace.ignores(path, is_folder);
}

bool is_not_checked_out(const Workspace& workspace, std::string_view path) {
  return workspace.is_not_checked_out(path);
}

}  // namespace snapgen::core

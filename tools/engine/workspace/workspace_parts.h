#pragma once
// The parts of a workspace, for code above the engine. These declarations need neither the class nor its
// parts, so that a change of workspace.h recompiles none of that code. Each function is the member of
// Workspace with this name. The pointers are shared, because these can delete a workspace without the class.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::core {

class BlobStore;
struct Environment;
struct GitStatus;
struct LiveFiles;
class LiveTree;
struct OtherTree;
class Repository;
class Root;
struct SnapshotNote;
class SnapshotStore;
class WorkTrees;
class Workspace;
class WriteRules;
class Writer;

Result<std::shared_ptr<Workspace>> open_workspace(const std::string& folder);
Result<std::shared_ptr<Workspace>> open_other_tree(const Workspace& workspace, const std::string& name);

const Root& root_of(const Workspace& workspace);
const Repository& repository_of(const Workspace& workspace);
const Environment& environment_of(const Workspace& workspace);
BlobStore& blobs_of(Workspace& workspace);
SnapshotStore& snapshots_of(Workspace& workspace);
const WorkTrees& work_trees_of(const Workspace& workspace);
LiveTree& live_tree_of(const Workspace& workspace);
Writer& writer_of(Workspace& workspace);
// The rules of the writer: what the server may write.
const WriteRules& write_rules_of(Workspace& workspace);
std::int64_t now_of(const Workspace& workspace);
const std::string& store_folder_of(const Workspace& workspace);
const std::string& tree_folder_of(const Workspace& workspace);
std::vector<std::optional<OtherTree>> other_trees_of(const Workspace& workspace,
                                                     const std::vector<SnapshotNote>& notes);
Result<GitStatus> status_of(const Workspace& workspace, const std::stop_token& stop);
Result<LiveFiles> files_of(const Workspace& workspace, const std::stop_token& stop);
std::optional<std::string> to_workspace_path(const Workspace& workspace, std::string_view repository_path);
std::string to_repository_path(const Workspace& workspace, std::string_view path);
Result<bool> ignores(const Workspace& workspace, std::string_view path, bool is_folder);
bool is_not_checked_out(const Workspace& workspace, std::string_view path);

}  // namespace snapgen::core

#include "tools/app/written_files.h"

#include <set>
#include <vector>

#include "tools/engine/files/path.h"
#include "tools/engine/files/root.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t named_max = 3;

}  // namespace

core::FileStat WrittenFiles::state_of(const core::Workspace& workspace, const std::string& path) {
  const Result<core::FileStat> stat = root_of(workspace).lstat(path);
  if (!stat) return {};
  core::FileStat state = *stat;
  state.ctime_ns = 0;  // A new link to the file changes it, and the content is the same.
  return state;
}

Result<WrittenFiles> WrittenFiles::begin(core::Workspace& workspace, const std::stop_token& stop) {
  WrittenFiles files;
  if (!repository_of(workspace).is_git()) return files;
  const std::vector<std::string> dirty = TRY(core::dirty_files(workspace, stop));
  for (const std::string& path : dirty) files.before_.emplace(path, state_of(workspace, path));
  return files;
}

Result<std::string> WrittenFiles::sentence(core::Workspace& workspace, const std::stop_token& stop) const {
  if (!repository_of(workspace).is_git()) return std::string();
  core::GitStatus status = TRY(status_of(workspace, stop));
  std::erase_if(status.entries, [](const core::StatusEntry& entry) { return entry.index_status == '?'; });
  const std::vector<std::string> tracked = TRY(core::dirty_files(workspace, status, stop));
  std::set<std::string> written;
  for (const std::string& path : tracked)
    if (!before_.contains(path)) written.insert(path);
  for (const auto& [path, state] : before_)
    if (state_of(workspace, path) != state) written.insert(path);
  if (written.empty()) return std::string();
  const std::vector<std::string> paths(written.begin(), written.end());
  return (paths.size() == 1 ? "This file was" : "These files were") +
         (" written or deleted while the programs ran: " + core::some_of(paths, named_max) + ".");
}

}  // namespace snapgen::tools

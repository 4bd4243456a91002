#include "tools/server/resources/completions.h"

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/list.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/resources/reference.h"
#include "tools/work/task/task_store.h"

namespace snapgen::tools {
namespace {

// The limit is one more than a client receives, so that the client learns that there are more.
constexpr std::size_t values_max = 101;

Result<core::ListAnswer> list_folder(core::FileView& view, const std::string& folder) {
  return core::list_entries(view, {.path = folder, .entries_max = 10'000});
}

Result<core::ListAnswer> list_folder(App& app, std::string_view snapshot_id, const std::string& folder,
                                     const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  if (snapshot_id.empty()) {
    core::LiveView view(*workspace, false, stop);
    return list_folder(view, folder);
  }
  std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots_of(*workspace).load(snapshot_id));
  core::SnapshotView view(std::move(snapshot), blobs_of(*workspace), stop);
  return list_folder(view, folder);
}

// Returns whether the error means that a folder or snapshot is missing; then there are no completions.
bool is_absence(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_argument;
}

}  // namespace

Result<std::vector<std::string>> complete_snapshot(App& app, std::string_view typed) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::SnapshotNotes notes = TRY(snapshots_of(*workspace).list());
  std::vector<std::string> found;
  for (const auto& note : notes) {
    const std::string whole = "sha256:" + note->hex;
    const std::string alias = core::short_snapshot_id(note->hex);
    if (alias.starts_with(typed)) {
      found.push_back(alias);
    } else if (whole.starts_with(typed)) {
      found.push_back(whole);
    }
    if (found.size() == values_max) break;
  }
  return found;
}

Result<std::vector<std::string>> complete_task(App& app, std::string_view typed) {
  core::Workspace* workspace = TRY(app.workspace());
  const core::TaskStore store(core::record_folders_of(*workspace));
  std::vector<core::Task> tasks = store.all_open_tasks();
  for (core::Task& task : store.ended_tasks(values_max)) tasks.push_back(std::move(task));
  std::vector<std::string> found;
  for (const core::Task& task : tasks)
    if (task.id.starts_with(typed)) found.push_back(task.id);
  return found;
}

Result<std::vector<std::string>> complete_path(App& app, std::string_view snapshot_id, std::string_view typed,
                                               const std::stop_token& stop) {
  const std::string_view folder = core::parent_path(typed);
  const std::string_view beginning = core::base_name(typed);
  Result<std::string> path = core::path_from_text(folder.empty() ? "." : folder);
  std::vector<std::string> found;
  if (!path) return found;
  Result<core::ListAnswer> listed = list_folder(app, snapshot_id, *path, stop);
  if (!listed && is_absence(listed.error())) return found;
  if (!listed) return std::move(listed).error();
  for (const core::ListEntry& entry : listed->entries) {
    if (!core::base_name(entry.path).starts_with(beginning)) continue;
    found.push_back(core::text_of_path(entry.path) + (entry.kind == core::FileKind::folder ? "/" : ""));
    if (found.size() == values_max) break;
  }
  return found;
}

Result<std::vector<std::string>> complete_paths(App& app, std::string_view snapshot_id,
                                                std::string_view typed, const std::stop_token& stop) {
  const std::size_t comma = typed.rfind(',');
  std::size_t begin = comma == std::string_view::npos ? 0 : comma + 1;
  while (begin < typed.size() && typed[begin] == ' ') ++begin;
  Result<std::vector<std::string>> found = complete_path(app, snapshot_id, typed.substr(begin), stop);
  if (found)
    for (std::string& each : *found) each.insert(0, typed.substr(0, begin));
  return found;
}

std::string other_argument(const mcp::CompleteParams& params, const std::string& name) {
  if (!params.context || !params.context->arguments) return {};
  const auto given = params.context->arguments->find(name);
  return given == params.context->arguments->end() ? std::string() : given->second;
}

std::vector<std::string> complete_page(std::string_view typed) {
  std::vector<std::string> found;
  for (const ReferencePage& page : reference_pages())
    if (page.path.starts_with(typed)) found.emplace_back(page.path);
  return found;
}

}  // namespace snapgen::tools

// Resources with the snapshots of the store, and the files in them.
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/resources/file_content.h"
#include "tools/server/resources/list_snapshots.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t snapshots_max = 500;
constexpr std::size_t files_max = 1000;

KeptSnapshot kept_snapshot(const core::SnapshotNote& note, const std::optional<core::OtherTree>& other_tree) {
  KeptSnapshot out;
  out.uri = mcp::expand_uri(snapshot_uri, {{"snapshot_id", core::short_snapshot_id(note.hex)}});
  out.snapshot_id = "sha256:" + note.hex;
  if (!note.message.empty()) out.message = note.message;
  out.created_at = core::iso_time(note.latest_ms);
  out.manifest_stats = tools::to_schema(note.stats);
  if (other_tree) out.work_tree = other_tree->name;
  return out;
}

Result<ResourceContent> read_list(App& app, const mcp::UriVariables&, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  KeptSnapshots snapshots = TRY(list_snapshots(*workspace));
  return json_content(snapshots);
}

Result<WatchedPaths> watched_for_list(App& app, const mcp::UriVariables&) {
  core::Workspace* workspace = TRY(app.workspace());
  return WatchedPaths{.paths = {snapshots_of(*workspace).folder()}};
}

Result<ResourceContent> read_contents(App& app, const mcp::UriVariables& variables, const std::stop_token&) {
  core::Workspace* workspace = TRY(app.workspace());
  SnapshotContents contents = TRY(snapshot_contents(*workspace, variables.at("snapshot_id")));
  return json_content(contents);
}

Result<ResourceContent> read_kept(App& app, const mcp::UriVariables& variables, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  std::shared_ptr<const core::Snapshot> snapshot =
      TRY(snapshots_of(*workspace).load(variables.at("snapshot_id")));
  core::SnapshotView view(std::move(snapshot), blobs_of(*workspace), stop);
  return file_content(view, variables.at("path"));
}

constexpr ResourceRoute snapshot_route_table[] = {
    {.uri = snapshots_uri,
     .name = "snapshots",
     .title = "Snapshots",
     .description = "The stored snapshots, the latest first, each with its reason.",
     .mime_type = json_type,
     .read = &read_list,
     .watched_paths = &watched_for_list},
    {.uri = snapshot_uri,
     .name = "snapshot",
     .title = "A snapshot",
     .description = "One snapshot: when and why it was created, the repository's state then, and its files.",
     .mime_type = json_type,
     .read = &read_contents},
    {.uri = snapshot_file_uri,
     .name = "snapshot-file",
     .title = "A file of a snapshot",
     .description = "The content of a file in a snapshot. It never changes.",
     .read = &read_kept},
};

}  // namespace

Result<KeptSnapshots> list_snapshots(core::Workspace& workspace, std::string_view contains) {
  core::SnapshotNotes all = TRY(snapshots_of(workspace).list());
  std::erase_if(all, [&](const auto& each) { return each->message.find(contains) == std::string::npos; });
  KeptSnapshots out;
  out.total = static_cast<std::int64_t>(all.size());
  if (all.size() > snapshots_max) all.resize(snapshots_max);
  std::vector<core::SnapshotNote> notes;
  for (const auto& each : all) notes.push_back(*each);
  const std::vector<std::optional<core::OtherTree>> trees = other_trees_of(workspace, notes);
  for (std::size_t i = 0; i < notes.size(); ++i) out.snapshots.push_back(kept_snapshot(notes[i], trees[i]));
  return out;
}

Result<SnapshotContents> snapshot_contents(core::Workspace& workspace, const std::string& id) {
  core::SnapshotStore& store = snapshots_of(workspace);
  std::shared_ptr<const core::Snapshot> snapshot = TRY(store.load(id));
  const std::optional<core::SnapshotNote> note = store.note(snapshot->hex);
  if (!note)
    return Error(ErrorCode::not_found,
                 "The snapshot no longer exists. resources/list returns the current ones.");
  SnapshotContents out;
  out.snapshot = kept_snapshot(*note, other_trees_of(workspace, {*note}).front());
  out.fingerprint = tools::to_schema(snapshot->fingerprint);
  for (const core::ManifestEntry& entry : snapshot->entries) {
    out.truncated = out.files.size() == files_max;
    if (out.truncated) break;
    const std::string path = core::text_of_path(entry.path);
    FileOfSnapshot& file = out.files.emplace_back();
    file.path = Path(path);
    file.uri = mcp::expand_uri(snapshot_file_uri,
                               {{"snapshot_id", core::short_snapshot_id(snapshot->hex)}, {"path", path}});
  }
  return out;
}

std::span<const ResourceRoute> snapshot_routes() { return snapshot_route_table; }

}  // namespace snapgen::tools

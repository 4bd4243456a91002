#include "schemas/facade/snapback_snapshot_list.h"

#include "schemas/facade/snapback_snapshot_create.h"
#include "schemas/facade/snapback_snapshot_restore.h"
#include "tools/app/snapshot_page.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

Result<mcp::Summarized<SnapbackSnapshotListOutput>> list_described(App& app,
                                                                   const SnapbackSnapshotListInput& in,
                                                                   const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const SnapshotPageRequest request{
      .limit = static_cast<std::size_t>(in.limit), .cursor = in.cursor, .contains = in.contains};
  SnapshotPage page = TRY(snapshot_page(services.workspace, request));
  SnapbackSnapshotListOutputData data;
  data.total = page.total;
  data.next_cursor = std::move(page.next_cursor);
  for (std::size_t i = 0; i < page.notes.size(); ++i) {
    const core::SnapshotNote& each = page.notes[i];
    data.snapshots.push_back({.alias = short_snapshot_id(each.hex),
                              .bytes = each.stats.bytes,
                              .created_at = core::iso_time(each.latest_ms),
                              .files = each.stats.file_count,
                              .message = each.message,
                              .snapshot_id = "sha256:" + each.hex});
    if (page.other_trees[i]) data.snapshots.back().work_tree = page.other_trees[i]->name;
  }
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  NextActions actions(app);
  if (!page.has_any)
    actions.add(SnapbackSnapshotCreateInput{}, 0.8, "There is no snapshot to restore yet.");
  else if (data.snapshots.empty())
    actions.add(SnapbackSnapshotListInput{}, 0.8, "No snapshot has that reason. List all of them.");
  else if (const std::optional<std::size_t> latest = first_of_this_tree(page); !in.cursor && latest)
    actions.add(SnapbackSnapshotRestoreInput{.dry_run = true, .snapshot_id = data.snapshots[*latest].alias},
                0.4, "See what restoring the latest would change.");
  std::string summary =
      count_with_noun(data.total, "snapshot") + (in.contains ? " with that reason." : " kept.");
  if (page.left_out > 0 && !in.cursor)
    summary += shown_snapshots_sentence(page);
  else if (page.left_out > 0)
    summary += " " + std::to_string(page.left_out) + " more are not shown.";
  const std::string others =
      page.has_any ? std::string() : snapshots_of(services.workspace).other_snapshots_sentence();
  if (!others.empty()) summary += " " + others;
  summary += other_trees_sentence(page);
  return answer<SnapbackSnapshotListOutput>(std::move(data), now.health, std::move(actions),
                                            std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackSnapshotListOutput>> snapback_snapshot_list(
    App& app, mcp::Call& call, const SnapbackSnapshotListInput& in) {
  return run_on_pool(app, call, in, list_described);
}

}  // namespace snapgen::tools

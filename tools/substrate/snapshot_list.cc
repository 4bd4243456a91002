#include "schemas/substrate/snapshot_list.h"

#include <memory>
#include <string_view>

#include "tools/engine/search/globs.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

SnapshotListEntryType type_of(core::FileKind kind) {
  if (kind == core::FileKind::folder) return SnapshotListEntryType::folder;
  return kind == core::FileKind::symlink ? SnapshotListEntryType::symlink : SnapshotListEntryType::file;
}

Result<core::ListQuery> list_query(const SnapshotListInput& in) {
  std::string path = TRY(core::path_from_text(in.path));
  core::ListQuery query{.path = std::move(path),
                        .recursive = in.recursive,
                        .entries_max = static_cast<std::size_t>(in.max_entries),
                        .cursor = in.cursor,
                        .selects = {}};
  if (in.globs) {
    const auto globs = std::make_shared<const core::Globs>(TRY(core::Globs::parse(*in.globs)));
    query.selects = [globs](std::string_view file) { return globs->selects(file); };
  }
  return query;
}

SnapshotListOutput list_output(core::ReadAnswer<core::ListAnswer> answer) {
  auto fill = [&](auto& out) {
    for (const core::ListEntry& entry : answer.value.entries) {
      out.entries.push_back(SnapshotListEntry{
          .path = core::text_of_path(entry.path), .size = entry.size, .type = type_of(entry.kind)});
    }
    out.truncated = answer.value.next_cursor.has_value();
    out.next_cursor = std::move(answer.value.next_cursor);
    out.skipped = to_schema(answer.value.skipped);
  };
  return hybrid_output<SnapshotListImmutable, SnapshotListWorktree, SnapshotListOutput>(
      std::move(answer.lease), fill);
}

}  // namespace

Task<SnapshotListOutput> snapshot_list(App& app, mcp::Call& call, const SnapshotListInput& in) {
  core::ListQuery query = co_await list_query(in);
  core::ReadSource source = co_await read_source(in.mode, in.snapshot_id, in.lease_id);
  auto job = [&]() -> Result<SnapshotListOutput> {
    core::Workspace* const workspace = TRY(app.workspace());
    core::ReadAnswer<core::ListAnswer> answer =
        TRY(core::list_entries(*workspace, source, query, call.stop()));
    return list_output(std::move(answer));
  };
  Result<SnapshotListOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools

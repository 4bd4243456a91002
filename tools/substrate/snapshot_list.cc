#include "schemas/substrate/snapshot_list.h"

#include "tools/engine/read/list.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

SnapshotListEntryType type_of(core::FileKind kind) {
  if (kind == core::FileKind::folder) return SnapshotListEntryType::folder;
  return kind == core::FileKind::symlink ? SnapshotListEntryType::symlink : SnapshotListEntryType::file;
}

Result<SnapshotListOutput> list_entries(App& app, const SnapshotListInput& in, const std::stop_token& stop) {
  std::string path = TRY(core::path_from_text(in.path));
  core::ListQuery query{.path = std::move(path),
                        .recursive = in.recursive,
                        .entries_max = static_cast<std::size_t>(in.max_entries),
                        .cursor = in.cursor};
  auto read = [&](core::View& view) {
    Result<core::ListAnswer> answer = core::list_entries(view, query);
    // What was not captured has no entries, and that is no error (substrate specification, snapshot.list).
    if (!answer && answer.error().code == ErrorCode::not_found && in.snapshot_id) answer = core::ListAnswer();
    return answer;
  };
  auto fill = [](core::ListAnswer answer, auto& out) {
    for (const core::ListEntry& entry : answer.entries) {
      out.entries.push_back(SnapshotListEntry{
          .path = core::text_of_path(entry.path), .size = entry.size, .type = type_of(entry.kind)});
    }
    out.truncated = answer.next_cursor.has_value();
    out.next_cursor = std::move(answer.next_cursor);
    out.skipped = to_schema(answer.skipped);
  };
  return answer_hybrid<SnapshotListImmutable, SnapshotListWorktree, SnapshotListOutput>(app, in, stop, read,
                                                                                        fill);
}

}  // namespace

Task<SnapshotListOutput> snapshot_list(App& app, mcp::Call& call, const SnapshotListInput& in) {
  auto job = [&] { return list_entries(app, in, call.stop()); };
  Result<SnapshotListOutput> outcome = co_await call.offload(job);
  log_cause(app, call, outcome);
  co_return outcome;
}

}  // namespace snapgen::tools

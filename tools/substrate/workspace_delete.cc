#include "schemas/substrate/workspace_delete.h"

#include "tools/app/work_notes.h"
#include "tools/engine/operations/delete_path.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

WorkspaceDeleteKeptReason reason_of(core::RemainingPath::Reason reason) {
  return reason == core::RemainingPath::Reason::reserved ? WorkspaceDeleteKeptReason::reserved
                                                         : WorkspaceDeleteKeptReason::nested_repository;
}

Result<WorkspaceDeleteOutput> delete_input(App& app, const WorkspaceDeleteInput& in,
                                           const std::stop_token& stop) {
  std::string path = TRY(core::path_from_text(in.path));
  core::DeleteQuery query{.path = std::move(path), .recursive = in.recursive, .discard_contents = in.discard};
  core::Workspace* workspace = TRY(app.workspace());
  core::ChangeResult<core::DeleteAnswer> done = TRY(core::delete_path(*workspace, in.lease_id, query, stop));
  if (done.undo) app.collect_garbage_if_due(*workspace);
  if (!done.value.deleted.empty())
    queue_audit_line(app, "delete",
                     with_undo(core::AuditMembers()
                                   .add("files", static_cast<std::int64_t>(done.value.deleted.size()))
                                   .add("path", in.path),
                               done.undo));
  WorkspaceDeleted out;
  for (const std::string& each : done.value.deleted) out.deleted.push_back(core::text_of_path(each));
  for (const core::RemainingPath& remaining : done.value.remaining)
    out.kept.push_back({.path = core::text_of_path(remaining.path), .reason = reason_of(remaining.reason)});
  out.fingerprint = to_schema(std::move(done.lease.fingerprint));
  out.lease_id = std::move(done.lease.lease_id);
  out.undo = undo_snapshot_id_of(done.undo);
  if (done.undo) out.undo_files = done.undo->file_count;
  return WorkspaceDeleteOutput(std::move(out));
}

}  // namespace

Task<WorkspaceDeleteOutput> workspace_delete(App& app, mcp::Call& call, const WorkspaceDeleteInput& in) {
  if (in.discard) {
    std::string content = core::path_in_sentence(in.path) + (in.recursive ? " and everything in it" : "");
    Task<Unit> asking = confirm_discard_at(app, call, in.path, std::move(content));
    Result<Unit> agreed = co_await std::move(asking);
    if (!agreed) co_return std::move(agreed).error();
  }
  Task<WorkspaceDeleteOutput> writing = offload_and_log(app, call, in, delete_input);
  Result<WorkspaceDeleteOutput> written = co_await std::move(writing);
  co_return written;
}

}  // namespace snapgen::tools

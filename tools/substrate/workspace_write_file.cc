#include "schemas/substrate/workspace_write_file.h"

#include "tools/app/work_notes.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/write_file.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

core::ExpectedContent expectation_of(std::string_view blob) {
  if (blob == "absent") return {};
  return {.blob_prefix = blob_prefix_of(blob)};
}

Result<mcp::Summarized<WorkspaceWriteFileOutput>> write_file(App& app, const WorkspaceWriteFileInput& in,
                                                             const std::stop_token& stop) {
  std::string path = TRY(core::file_path_from_text(in.path));
  std::string content = TRY(core::bytes_of_text(in.content));
  core::WriteFileQuery query{.path = std::move(path),
                             .content = std::move(content),
                             .executable = in.executable,
                             .expected = {},
                             .discard_contents = in.discard,
                             .is_text = !in.content.starts_with(core::base64_prefix)};
  if (in.expected_blob) query.expected.emplace(expectation_of(*in.expected_blob));
  core::Workspace* workspace = TRY(app.workspace());
  core::ChangeResult<core::WrittenFile> written = TRY(core::write_file(*workspace, in.lease_id, query, stop));
  if (written.undo) app.collect_garbage_if_due(*workspace);
  if (written.value.was_changed && !written.value.was_created)
    queue_audit_line(
        app, "overwrite",
        with_undo(
            core::AuditMembers().add("blob", written.value.blob.text()).add("files", 1).add("path", in.path),
            written.undo));
  mcp::Summarized<WorkspaceWriteFileOutput> answer{
      .output = WorkspaceFileWritten{.blob = written.value.blob.text(),
                                     .bytes = written.value.bytes,
                                     .created = written.value.was_created,
                                     .encoding = tools::to_schema(written.value.encoding),
                                     .fingerprint = to_schema(std::move(written.lease.fingerprint)),
                                     .lease_id = std::move(written.lease.lease_id),
                                     .path = core::text_of_path(written.value.path),
                                     .undo = undo_snapshot_id_of(written.undo)},
      .summary = {}};
  if (!written.value.was_changed)
    answer.summary =
        core::path_in_sentence(written.value.path) + " already has this content. Nothing was written.";
  return answer;
}

}  // namespace

Task<mcp::Summarized<WorkspaceWriteFileOutput>> workspace_write_file(App& app, mcp::Call& call,
                                                                     const WorkspaceWriteFileInput& in) {
  if (in.discard) {
    Task<Unit> asking =
        confirm_discard_at(app, call, in.path, "the content of " + core::path_in_sentence(in.path));
    Result<Unit> agreed = co_await std::move(asking);
    if (!agreed) co_return std::move(agreed).error();
  }
  Task<mcp::Summarized<WorkspaceWriteFileOutput>> writing = offload_and_log(app, call, in, write_file);
  Result<mcp::Summarized<WorkspaceWriteFileOutput>> written = co_await std::move(writing);
  co_return written;
}

}  // namespace snapgen::tools

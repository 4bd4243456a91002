#include "schemas/substrate/workspace_apply_patch.h"

#include <algorithm>

#include "tools/app/work_notes.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/operations/apply_patch.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"

namespace snapgen::tools {
namespace {

using Status = WorkspaceApplyPatchFileStatus;
using Reason = WorkspaceApplyPatchReason;

Status to_patch_schema(core::FilePatch::Kind kind) {
  switch (kind) {
    case core::FilePatch::Kind::modify: return Status::modified;
    case core::FilePatch::Kind::create: return Status::added;
    case core::FilePatch::Kind::remove: return Status::deleted;
    case core::FilePatch::Kind::rename: return Status::renamed;
    case core::FilePatch::Kind::copy: return Status::copied;
  }
  return Status::modified;
}

Reason to_patch_schema(core::RejectReason reason) {
  switch (reason) {
    case core::RejectReason::malformed: return Reason::malformed;
    case core::RejectReason::forbidden_path: return Reason::path;
    case core::RejectReason::missing: return Reason::missing;
    case core::RejectReason::exists: return Reason::exists;
    case core::RejectReason::wrong_kind: return Reason::wrong_kind;
    case core::RejectReason::context_mismatch: return Reason::context_mismatch;
    case core::RejectReason::ambiguous: return Reason::ambiguous;
    case core::RejectReason::eof_newline: return Reason::eof_newline;
    case core::RejectReason::binary: return Reason::binary;
    case core::RejectReason::unsupported: return Reason::unsupported;
    case core::RejectReason::too_large: return Reason::too_large;
    case core::RejectReason::encoding: return Reason::encoding;
  }
  return Reason::malformed;
}

// Fills the members that a rejected file and a rejected hunk have in common.
template <class Out>
void fill_reject(const core::Reject& reject, Out& out) {
  out.expected = text_of_line(reject.expected);
  out.found = text_of_line(reject.found);
  out.line = reject.line;
  out.message = reject.message;
  out.patch_line = reject.patch_line;
  out.reason = to_patch_schema(reject.reason);
}

// Returns one entry for each path with rejected hunks, and one for each file that is rejected as a whole.
std::vector<WorkspaceApplyPatchReject> to_patch_schema(const std::vector<core::Reject>& rejects) {
  std::vector<WorkspaceApplyPatchReject> out;
  const core::Reject* last = nullptr;
  for (const core::Reject& reject : rejects) {
    const bool is_same_file =
        reject.hunk_index && last != nullptr && last->hunk_index && last->path == reject.path;
    if (!is_same_file) {
      WorkspaceApplyPatchReject& entry = out.emplace_back();
      if (!reject.path.empty()) entry.path = core::text_of_path(reject.path);
      if (!reject.hunk_index) fill_reject(reject, entry);
    }
    if (reject.hunk_index) {
      WorkspaceRejectedHunk& hunk = out.back().hunks.emplace_back();
      hunk.index = *reject.hunk_index;
      hunk.number = *reject.hunk_index + 1;
      hunk.found_at = reject.applicable_line;
      hunk.header = reject.corrected_header;
      if (!reject.places.empty()) hunk.places = reject.places;
      hunk.places_total = total_if_more(reject.places_total, reject.places.size());
      if (reject.nearest) {
        hunk.nearest = differences_of<WorkspaceApplyPatchDifference>(*reject.nearest);
        hunk.nearest_total =
            total_if_more(reject.nearest->differences_total, reject.nearest->differences.size());
      }
      fill_reject(reject, hunk);
    }
    last = &reject;
  }
  return out;
}

// Returns a sentence about each hunk outside of the block of its heading, one about those with wrong counts,
// and one about the line ends that were adapted.
std::vector<std::string> adaptations_of(const core::PatchedFile& file) {
  std::vector<std::string> notes;
  for (const std::int64_t index : file.hunks_outside_headings)
    notes.push_back("hunk " + std::to_string(index + 1) + " is not in the block of its heading");
  if (!file.corrected_counts.empty()) {
    std::string note = "wrong counts in the @@ line of hunk";
    for (const core::CorrectedCounts& counts : file.corrected_counts)
      note +=
          (&counts == &file.corrected_counts.front() ? " " : ", ") + std::to_string(counts.hunk_index + 1);
    notes.push_back(std::move(note));
  }
  switch (file.line_ends) {
    case core::LineEnds::unchanged: break;
    case core::LineEnds::cr_added: notes.emplace_back("added lines end in CR LF, as the file's lines"); break;
    case core::LineEnds::cr_removed: notes.emplace_back("added lines end in LF, as the file's lines"); break;
  }
  return notes;
}

WorkspaceApplyPatchFile to_patch_schema(const core::PatchedFile& file) {
  WorkspaceApplyPatchFile out;
  out.path = core::text_of_path(file.path);
  out.status = to_patch_schema(file.kind);
  if (!file.from.empty()) out.from = core::text_of_path(file.from);
  std::vector<WorkspaceApplyPatchOffset> offsets;
  for (const core::MovedHunk& moved : file.moved_hunks)
    if (moved.stated_line)
      offsets.push_back({.hunk = moved.hunk_index + 1, .lines = moved.line - *moved.stated_line});
  if (!offsets.empty()) out.offsets = std::move(offsets);
  if (std::vector<std::string> notes = adaptations_of(file); !notes.empty()) out.notes = std::move(notes);
  if (file.blob) {
    out.blob = file.blob->text();
    out.encoding = to_schema(file.encoding);
    fill_changed_lines(file.changed_lines, file.shown, out);
  }
  return out;
}

template <class Out>
void fill_patch(const core::PatchAnswer& answer, Out& out) {
  out.applied = answer.is_applied;
  if (answer.rejects.empty())  // Otherwise no file is modified, and a model must not read that one is.
    for (const core::PatchedFile& file : answer.files) out.files.push_back(to_patch_schema(file));
  out.rejects = to_patch_schema(answer.rejects);
  if (!answer.patch_id.empty()) out.patch_id = answer.patch_id;
}

// Returns the files whose content the patch replaces or deletes, by their old paths.
std::vector<std::string> replaced_files(const std::vector<core::PatchedFile>& files) {
  std::vector<std::string> paths;
  for (const core::PatchedFile& each : files)
    if (each.kind != core::FilePatch::Kind::create && each.kind != core::FilePatch::Kind::copy)
      paths.push_back(each.from.empty() ? each.path : each.from);
  return paths;
}

Result<WorkspaceApplyPatchOutput> apply_patch_input(App& app, const WorkspaceApplyPatchInput& in,
                                                    const std::stop_token& stop) {
  core::ReadSource source = TRY(read_source(in.mode, in.snapshot_id, in.lease_id));
  std::string patch = TRY(core::bytes_of_text(in.patch));
  core::PatchQuery query{.patch = std::move(patch),
                         .continued_id = in.continue_,
                         .dry_run = in.dry_run,
                         .exact_lines = in.exact_lines,
                         .context_lines = in.context,
                         .discard_contents = in.discard};
  core::Workspace* workspace = TRY(app.workspace());
  if (source.snapshot_id) {
    std::shared_ptr<const core::Snapshot> snapshot = TRY(snapshots_of(*workspace).load(*in.snapshot_id));
    core::PatchedSnapshot patched = TRY(core::patch_snapshot(*workspace, std::move(snapshot), query, stop));
    WorkspacePatchedSnapshot out;
    fill_patch(patched.answer, out);
    if (patched.snapshot) out.snapshot_id = patched.snapshot->id();
    return WorkspaceApplyPatchOutput(std::move(out));
  }
  core::ChangeResult<core::PatchAnswer> patched =
      TRY(core::apply_patch(*workspace, in.lease_id, query, stop));
  if (patched.undo) app.collect_garbage_if_due(*workspace);
  if (patched.value.is_applied)
    audit_changed_files(app, "patch", replaced_files(patched.value.files), patched.undo);
  WorkspacePatched out;
  fill_patch(patched.value, out);
  fill_planned_diff(patched.value.diff, out);
  out.fingerprint = tools::to_schema(std::move(patched.lease.fingerprint));
  out.lease_id = std::move(patched.lease.lease_id);
  out.undo = undo_snapshot_id_of(patched.undo);
  return WorkspaceApplyPatchOutput(std::move(out));
}

// Returns the files whose content a patch of the work tree replaces or deletes, for a question; empty if
// there are none, or the patch is rejected.
Result<std::string> content_a_patch_loses(App& app, const WorkspaceApplyPatchInput& in,
                                          const std::stop_token& stop) {
  constexpr std::size_t named_max = 10;
  if (in.dry_run.value_or(false) || in.snapshot_id) return std::string();
  std::string patch = TRY(core::bytes_of_text(in.patch));
  const core::PatchQuery query{.patch = std::move(patch),
                               .continued_id = in.continue_,
                               .dry_run = true,
                               .exact_lines = in.exact_lines};
  core::Workspace* workspace = TRY(app.workspace());
  const core::ChangeResult<core::PatchAnswer> planned =
      TRY(core::apply_patch(*workspace, in.lease_id, query, stop));
  const std::vector<std::string> paths = replaced_files(planned.value.files);
  if (paths.empty() || !planned.value.rejects.empty()) return std::string();
  std::string list;
  for (std::size_t i = 0; i < std::min(paths.size(), named_max); ++i)
    list += (i == 0 ? "" : ", ") + core::path_in_sentence(paths[i]);
  if (paths.size() > named_max) list += " and " + std::to_string(paths.size() - named_max) + " more files";
  return "the content of " + list;
}

}  // namespace

Task<WorkspaceApplyPatchOutput> workspace_apply_patch(App& app, mcp::Call& call,
                                                      const WorkspaceApplyPatchInput& in) {
  if (in.discard) {
    Task<Unit> asking = confirm_planned_discard(app, call, in, content_a_patch_loses);
    Result<Unit> agreed = co_await std::move(asking);
    if (!agreed) co_return std::move(agreed).error();
  }
  Task<WorkspaceApplyPatchOutput> patching = offload_and_log(app, call, in, apply_patch_input);
  Result<WorkspaceApplyPatchOutput> patched = co_await std::move(patching);
  if (const WorkspacePatched* done = patched ? std::get_if<WorkspacePatched>(&*patched) : nullptr)
    note_forbidden_path(call, done->rejects, Reason::path);
  co_return patched;
}

}  // namespace snapgen::tools

#include "tools/engine/operations/apply_patch.h"

#include <algorithm>

#include "runtime/json/reader.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/patch/continue.h"
#include "tools/engine/patch/entries_after.h"
#include "tools/engine/patch/rejected_patches.h"
#include "tools/engine/read/nearest_path.h"
#include "tools/engine/read/snapshot_view.h"
#include "tools/engine/text/text_encodings.h"
#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/inspected_worktree.h"

namespace snapgen::core {
namespace {

constexpr int patch_tries_max = 3;

struct SentPatch {
  OwnedPatch patch;
  bool is_dry_run = false;
};

// Returns the patch of the query; if it continues a rejected one, the whole of both.
Result<SentPatch> patch_of(Workspace& workspace, const PatchQuery& query, const std::string& snapshot_hex) {
  const std::string& root = workspace.root().folder();
  if (!query.continued_id)
    return SentPatch{.patch = parse_owned_patch(query.patch, root),
                     .is_dry_run = query.dry_run.value_or(false)};
  const std::shared_ptr<const RejectedPatch> earlier =
      TRY(workspace.rejected_patches().find(*query.continued_id, workspace.now()));
  if (earlier->snapshot_hex != snapshot_hex) {
    const std::string remedy =
        earlier->snapshot_hex.empty()
            ? " was for the work tree. Omit snapshot_id."
            : " was for a snapshot. Pass snapshot_id: \"" + short_snapshot_id(earlier->snapshot_hex) + "\".";
    return Error(ErrorCode::invalid_argument, *query.continued_id + remedy);
  }
  SentPatch sent{.patch = {}, .is_dry_run = query.dry_run.value_or(earlier->is_dry_run)};
  if (trimmed(query.patch).empty())
    sent.patch = without_rejected(earlier->patch, earlier->rejects);
  else
    sent.patch =
        continue_patch(earlier->patch, earlier->rejects, parse_correction(query.patch, root, *earlier));
  if (sent.patch.patch.files.empty() && sent.patch.patch.rejects.empty())
    return Error(ErrorCode::invalid_argument, "All parts of " + *query.continued_id +
                                                  " were rejected, so nothing remains without them. "
                                                  "Send corrected hunks.");
  return sent;
}

// Adds the paths that may be meant to the rejects of missing files.
void suggest_paths(FileView& view, const Patch& patch, std::vector<Reject>& rejects) {
  for (Reject& reject : rejects) {
    if (reject.reason != RejectReason::missing) continue;
    const auto part = std::ranges::find(patch.files, reject.path, &FilePatch::path);
    reject.similar_paths = similar_paths(view, part == patch.files.end() ? reject.path : part->old_path);
    if (!reject.similar_paths.empty()) reject.message += "; " + did_you_mean(reject.similar_paths);
  }
}

// Completes the answer about a rejected patch, and stores the patch, so that it can be continued. If that is
// impossible after a correction, the patch before it can be.
void finish_rejected(Workspace& workspace, FileView& view, const PatchQuery& query, SentPatch sent,
                     std::string snapshot_hex, PatchAnswer& answer) {
  suggest_paths(view, sent.patch.patch, answer.rejects);
  if (!can_be_continued(answer.rejects)) {
    if (query.continued_id) answer.patch_id = *query.continued_id;
    return;
  }
  answer.patch_id = workspace.rejected_patches().store({.patch = std::move(sent.patch),
                                                        .rejects = answer.rejects,
                                                        .is_dry_run = sent.is_dry_run,
                                                        .snapshot_hex = std::move(snapshot_hex)},
                                                       workspace.now());
}

// Called when the patch was applied: the rejected one need not be stored any longer.
void forget_continued(Workspace& workspace, const PatchQuery& query) {
  if (query.continued_id) workspace.rejected_patches().remove_applied(*query.continued_id);
}

PatchAnswer answer_of(PatchPlan& planned, bool dry_run) {
  return PatchAnswer{.is_applied = planned.rejects.empty() && !dry_run,
                     .files = std::move(planned.files),
                     .rejects = std::move(planned.rejects),
                     .patch_id = {},
                     .diff = {}};
}

// A patch that is not UTF-8 has the bytes of files, so these are not converted.
PatchPlanOptions options_of(const PatchQuery& query, const OwnedPatch& patch, TextEncodings& encodings) {
  const bool has_text =
      std::ranges::all_of(patch.texts, [](const auto& text) { return json::valid_utf8(*text); });
  return {.exact_lines = query.exact_lines,
          .context_lines = query.context_lines,
          .encodings = has_text ? &encodings : nullptr};
}

// The message of the undo snapshot. It names the first patched files, a renamed file by its old path.
std::string message_of(const PatchAnswer& answer) {
  constexpr std::size_t named_max = 3;
  std::string text = "before patching ";
  for (std::size_t i = 0; i < std::min(named_max, answer.files.size()); ++i) {
    const PatchedFile& file = answer.files[i];
    text += (i > 0 ? ", " : "") + (file.kind == FilePatch::Kind::rename ? file.from : file.path);
  }
  if (answer.files.size() > named_max)
    text +=
        " and " + count_with_noun(static_cast<std::int64_t>(answer.files.size() - named_max), "more file");
  return text;
}

// The paths that the patch would change or create and that do not exist.
MissingPaths missed_by(const InspectedWorktree& tree, const Patch& patch) {
  MissingPaths missed;
  for (const FilePatch& file : patch.files)
    for (const std::string& path : {file.old_path, file.new_path})
      if (tree.is_missing(path)) missed.push_back(path);
  return missed;
}

}  // namespace

Result<ChangeResult<PatchAnswer>> apply_patch(Workspace& workspace,
                                              const std::optional<std::string>& lease_id,
                                              const PatchQuery& query, const std::stop_token& stop) {
  SentPatch sent = TRY(patch_of(workspace, query, {}));
  auto plan = [&](MissingPaths& missed) -> Result<ProposedChange<PatchAnswer>> {
    InspectedWorktree tree(workspace.root(), stop);
    TextEncodings encodings(declarations_in(workspace.root()));
    const PatchPlanOptions options = options_of(query, sent.patch, encodings);
    PatchPlan planned = TRY(plan_patch(sent.patch.patch, tree, options, stop));
    ProposedChange<PatchAnswer> proposal;
    proposal.answer = answer_of(planned, sent.is_dry_run);
    if (sent.is_dry_run) {
      proposal.answer.diff = TRY(planned_diff(planned.changes, tree, options.encodings));
    }
    if (proposal.answer.is_applied) proposal.plan.writes = tree.writes_of(std::move(planned.changes));
    proposal.plan.options.prune_empty_folders = true;
    proposal.plan.undo = {.is_wanted = !query.discard_contents, .message = message_of(proposal.answer)};
    proposal.plan.inspected_files = tree.inspected_files();
    if (!proposal.answer.is_applied) missed = missed_by(tree, sent.patch.patch);
    return proposal;
  };
  ChangeResult<PatchAnswer> result = TRY(change_worktree(workspace, lease_id, stop, plan));
  if (result.value.is_applied) forget_continued(workspace, query);
  LiveView view(workspace, false, stop, false);
  if (!result.value.rejects.empty())
    finish_rejected(workspace, view, query, std::move(sent), {}, result.value);
  return result;
}

Result<PatchedSnapshot> patch_snapshot(Workspace& workspace, std::shared_ptr<const Snapshot> snapshot,
                                       const PatchQuery& query, const std::stop_token& stop) {
  TRY(workspace.snapshots().check_same_folder(*snapshot));
  SnapshotView tree(snapshot, workspace.blobs(), stop, "Patch the other files, or another snapshot.");
  SentPatch sent = TRY(patch_of(workspace, query, snapshot->hex));
  TextEncodings encodings(tree.declarations());
  PatchPlan planned = TRY(plan_patch(sent.patch.patch, tree, options_of(query, sent.patch, encodings), stop));
  PatchedSnapshot patched{.answer = answer_of(planned, sent.is_dry_run), .snapshot = {}};
  if (!patched.answer.rejects.empty())
    finish_rejected(workspace, tree, query, std::move(sent), snapshot->hex, patched.answer);
  if (!patched.answer.is_applied) return patched;
  TRY(workspace.prepare_store());
  // The patched snapshot inherits two records of the original: which files are private, and which part of the
  // tree was captured.
  const std::optional<SnapshotNote> note = workspace.snapshots().note(snapshot->hex);
  const SnapshotOrigin& origin = workspace.snapshots().origin();
  SnapshotCapture like{.origin = origin,
                       .scope = note ? note->nearest_scope_at(origin) : SnapshotScope(),
                       .privacy = note ? note->privacy_at(origin) : Privacy()};
  for (const TreeChange& change : planned.changes)
    if (change.kind == TreeChange::Kind::remove) like.scope.absent_paths.push_back(change.path);
  for (int tries = 1;; ++tries) {
    Result<std::vector<ManifestEntry>> entries =
        entries_after(snapshot->entries, planned.changes, workspace.blobs());
    Result<std::shared_ptr<const Snapshot>> saved =
        entries ? workspace.snapshots().save(snapshot->fingerprint, *std::move(entries),
                                             workspace.now() / 1'000'000, like, stop)
                : std::move(entries).error();
    if (saved) {
      patched.snapshot = *std::move(saved);
      forget_continued(workspace, query);
      return patched;
    }
    workspace.blobs().abandon_puts();
    // A garbage collection may have removed blobs since save() found them. The next try stores them again.
    if (saved.error().code != ErrorCode::repo_changed || tries == patch_tries_max)
      return std::move(saved).error();
  }
}

}  // namespace snapgen::core

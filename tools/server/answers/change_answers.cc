#include "tools/server/answers/change_answers.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/json/values.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/substrate/snapshot_export.h"
#include "schemas/substrate/snapshot_info.h"
#include "schemas/substrate/workspace_apply_patch.h"
#include "schemas/substrate/workspace_delete.h"
#include "schemas/substrate/workspace_write_file.h"
#include "tools/engine/base/phrase.h"
#include "tools/server/answers/answer_of.h"

namespace snapgen::tools {
namespace {

std::string snapshot_words(const std::string& id, const ManifestStats& stats) {
  return core::short_snapshot_id(id) + " " + core::count_with_noun(stats.files, "file") + " " +
         core::count_with_noun(stats.bytes, "byte") + "\n";
}

std::string undo_words(const std::optional<std::string>& undo) {
  return undo ? " undo " + core::short_snapshot_id(*undo) : std::string();
}

// Returns the lines about a rejected file or hunk, from the text after its path on.
template <class Rejected>
std::string reason_lines(const Rejected& reject, const std::string& message,
                         WorkspaceApplyPatchReason reason) {
  std::string text = ": " + message + " (" + std::string(tools::text(reason));
  if (reject.patch_line) text += ", patch line " + std::to_string(*reject.patch_line);
  text += ")\n";
  if (reject.expected) text += "  expected " + json::quoted(*reject.expected) + "\n";
  if (reject.found) text += "  found    " + json::quoted(*reject.found) + "\n";
  return text;
}

// Returns lines such as "src/a.py hunk 1: line 2 of the file is not what the hunk shows (context_mismatch,
// patch line 3)".
std::string reject_lines(const WorkspaceApplyPatchReject& reject) {
  const std::string path = reject.path ? quoted_path(*reject.path) : std::string("patch");
  std::string text;
  if (reject.message && reject.reason) text += path + reason_lines(reject, *reject.message, *reject.reason);
  for (const WorkspaceRejectedHunk& hunk : reject.hunks) {
    text += path + " hunk " + std::to_string(hunk.index + 1) + reason_lines(hunk, hunk.message, hunk.reason);
    if (hunk.found_at) text += "  fits at line " + std::to_string(*hunk.found_at) + "\n";
  }
  return text;
}

// Returns the number of rejected hunks, plus that of files that are rejected as a whole.
std::int64_t reject_count(const std::vector<WorkspaceApplyPatchReject>& rejects) {
  std::size_t count = 0;
  for (const WorkspaceApplyPatchReject& reject : rejects)
    count += std::max<std::size_t>(reject.hunks.size(), 1);
  return static_cast<std::int64_t>(count);
}

std::string patched_file_line(const WorkspaceApplyPatchFile& file) {
  std::string line = std::string(text(file.status)) + " ";
  if (file.from) line += quoted_path(*file.from) + " -> ";
  line += quoted_path(file.path);
  if (file.offsets)
    for (const WorkspaceApplyPatchOffset& offset : *file.offsets)
      line += ", hunk " + std::to_string(offset.hunk + 1) + " at offset " + std::to_string(offset.lines);
  return line + "\n";
}

template <class Patched>
std::string patched_words(const Patched& patched) {
  std::string text;
  if (patched.applied && patched.files.empty())
    text = "nothing to apply: the files already are as the patch makes them";
  else if (patched.applied)
    text = "applied";
  else if (patched.rejects.empty())
    text = "not applied: dry run, the patch fits";
  else
    text = "not applied: " + core::count_with_noun(reject_count(patched.rejects), "reject") +
           ", nothing changed";
  text += lease_suffix(patched);
  if constexpr (requires { patched.snapshot_id; })
    if (patched.snapshot_id) text += " " + core::short_snapshot_id(*patched.snapshot_id);
  if constexpr (requires { patched.undo; }) text += undo_words(patched.undo);
  text += "\n";
  // Without rejects a dry run lists what would change; a patch with rejects changes nothing.
  if (patched.rejects.empty())
    for (const WorkspaceApplyPatchFile& file : patched.files) text += patched_file_line(file);
  for (const WorkspaceApplyPatchReject& reject : patched.rejects) text += reject_lines(reject);
  return text;
}

}  // namespace

std::string snapshot_create_answer(const UnformattedAnswer& answered) {
  const auto words = [](const SnapshotCreated& made) {
    return snapshot_words(made.snapshot_id, made.manifest_stats) + skipped_line(json::to_json(made.skipped));
  };
  return format_output<SnapshotCreateOutput>(answered.structured, &read_snapshot_create_output, words);
}

std::string snapshot_info_answer(const UnformattedAnswer& answered) {
  const auto words = [](const SnapshotDescribed& found) {
    const Fingerprint& at = found.fingerprint;
    const std::string beginning =
        snapshot_words(found.snapshot_id, found.manifest_stats) + "id " + found.snapshot_id + "\n";
    if (at.status_hash.empty()) return beginning + "no fingerprint: it has only the files of one change\n";
    return beginning + "fingerprint head_oid=" + at.head_oid + ", index_oid=" + at.index_oid +
           ", status_hash=" + at.status_hash + "\n";
  };
  return format_output<SnapshotInfoOutput>(answered.structured, &read_snapshot_info_output, words);
}

std::string snapshot_export_answer(const UnformattedAnswer& answered) {
  const auto words = [](const auto& packed) {
    std::string text = std::string(tools::text(packed.format)) + " sha256 " + packed.bundle_sha256 +
                       lease_suffix(packed) + "\n";
    if constexpr (requires { packed.skipped; }) text += skipped_line(json::to_json(packed.skipped));
    if (packed.format == ExportFormat::bundle) return text + packed.bundle.text;
    std::string archive;
    json::Reader in(packed.bundle.text);
    in.string(archive);
    return text + archive;
  };
  return format_output<SnapshotExportOutput>(answered.structured, &read_snapshot_export_output, words);
}

std::string apply_patch_answer(const UnformattedAnswer& answered) {
  const auto words = [](const auto& patched) { return patched_words(patched); };
  return format_output<WorkspaceApplyPatchOutput>(answered.structured, &read_workspace_apply_patch_output,
                                                  words);
}

std::string write_file_answer(const UnformattedAnswer& answered) {
  // The tool adds a summary only if it wrote nothing.
  const bool is_unchanged = !answered.summary.empty();
  const auto words = [&](const WorkspaceFileWritten& written) {
    const std::string_view done = is_unchanged      ? " unchanged, as it already has this content, "
                                  : written.created ? " created "
                                                    : " written ";
    return quoted_path(written.path) + std::string(done) + core::count_with_noun(written.bytes, "byte") +
           lease_suffix(written) + " blob " + short_blob_id(written.blob) + undo_words(written.undo) + "\n";
  };
  return format_output<WorkspaceWriteFileOutput>(answered.structured, &read_workspace_write_file_output,
                                                 words);
}

std::string delete_answer(const UnformattedAnswer& answered) {
  const auto words = [](const WorkspaceDeleted& out) {
    std::string text = "deleted " +
                       core::count_with_noun(static_cast<std::int64_t>(out.deleted.size()), "path") +
                       lease_suffix(out) + undo_words(out.undo);
    if (out.undo_files) text += " of " + core::count_with_noun(*out.undo_files, "file");
    if (!out.undo && !out.deleted.empty()) text += " without undo";
    text += "\n";
    for (const std::string& path : out.deleted) text += quoted_path(path) + "\n";
    for (const WorkspaceDeleteKept& kept : out.kept)
      text += "not deleted: " + quoted_path(kept.path) + " (" + std::string(tools::text(kept.reason)) + ")\n";
    return text;
  };
  return format_output<WorkspaceDeleteOutput>(answered.structured, &read_workspace_delete_output, words);
}

}  // namespace snapgen::tools

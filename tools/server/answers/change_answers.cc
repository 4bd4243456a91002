#include "tools/server/answers/change_answers.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "schemas/substrate/snapshot_changes.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/substrate/snapshot_diff.h"
#include "schemas/substrate/snapshot_export.h"
#include "schemas/substrate/snapshot_info.h"
#include "schemas/substrate/workspace_apply_patch.h"
#include "schemas/substrate/workspace_delete.h"
#include "schemas/substrate/workspace_write_file.h"
#include "tools/engine/base/encoding.h"
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

// ---- The answer of snapshot.diff

// Returns the offsets of the parts of a diff; each part is about one file.
std::vector<std::size_t> parts_of(std::string_view diff) {
  constexpr std::string_view head = "diff --";
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < diff.size();) {
    if (at == 0 || diff.substr(at).starts_with(head)) begins.push_back(at);
    const std::size_t line_feed = diff.find('\n', at);
    if (line_feed == std::string_view::npos) break;
    at = line_feed + 1;
  }
  return begins;
}

// Returns the part that begins at `begins[index]`.
std::string_view part_at(std::string_view diff, const std::vector<std::size_t>& begins, std::size_t index) {
  const std::size_t end = index + 1 < begins.size() ? begins[index + 1] : diff.size();
  return diff.substr(begins[index], end - begins[index]);
}

// Returns the files that have a part in the diff.
template <class Diff>
std::vector<SnapshotDiffFile*> files_with_part(Diff& out) {
  std::vector<SnapshotDiffFile*> files;
  for (SnapshotDiffFile& file : out.files)
    if (!file.omitted.value_or(false)) files.push_back(&file);
  return files;
}

// Maximum number of omitted files that are named; further ones are only counted.
constexpr std::size_t omitted_files_named = 20;
constexpr std::size_t omitted_line_bytes = 150;  // Typical length of the line about one omitted file.

// Removes the parts of the diff that do not fit, and marks their files as omitted.
template <class Diff>
void fit_diff(Diff& out, TextLimit limit, AnswerForm form) {
  const std::vector<std::size_t> begins = parts_of(out.diff);
  const std::vector<SnapshotDiffFile*> files = files_with_part(out);
  const bool are_matched = files.size() == begins.size();
  if (form == AnswerForm::text)
    limit.try_consume(std::min(out.files.size(), omitted_files_named) * omitted_line_bytes,
                      std::min(out.files.size(), omitted_files_named));
  else if (!limit.try_consume(json::to_json(out.files).size(), 0)) {
    out.files.resize(count_fitting(out.files, limit));
    out.diff.clear();
    out.truncated = true;
    return;
  }
  std::string fitting;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::string_view part = part_at(out.diff, begins, i);
    const bool fits =
        form == AnswerForm::text ? limit.try_consume(part) : limit.try_consume(encoded_size(part), 0);
    if (fits) {
      fitting += part;
      continue;
    }
    out.truncated = true;
    if (are_matched) files[i]->omitted = true;
  }
  out.diff = std::move(fitting);
}

// Removes the parts of a base64 diff that are not UTF-8, and marks their files as omitted, so that the other
// parts can be read as text. A diff of only such parts remains base64. Returns the number of removed parts.
template <class Diff>
std::int64_t omit_non_utf8_parts(Diff& out) {
  if (!is_encoded(out.diff)) return 0;
  const Result<std::string> bytes = core::bytes_of_text(out.diff);
  if (!bytes) return 0;
  const std::vector<std::size_t> begins = parts_of(*bytes);
  const std::vector<SnapshotDiffFile*> files = files_with_part(out);
  if (files.size() != begins.size()) return 0;
  std::string readable;
  std::vector<SnapshotDiffFile*> unreadable;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::string_view part = part_at(*bytes, begins, i);
    if (json::valid_utf8(part))
      readable += part;
    else
      unreadable.push_back(files[i]);
  }
  if (readable.empty()) return 0;
  for (SnapshotDiffFile* file : unreadable) file->omitted = true;
  out.diff = std::move(readable);
  out.truncated = true;
  return static_cast<std::int64_t>(unreadable.size());
}

template <class Diff>
std::string diff_text(const Diff& out, std::string_view lease_id, std::int64_t non_utf8) {
  const auto files = static_cast<std::int64_t>(out.files.size());
  const bool has_omitted = std::ranges::any_of(
      out.files, [](const SnapshotDiffFile& file) { return file.omitted.value_or(false); });
  const bool has_more_files = out.truncated && !has_omitted;
  std::string text = (has_more_files ? "first " + core::count_with_noun(files, "changed file")
                                     : core::count_with_noun(files, "file") + " changed") +
                     lease_suffix(out, lease_id) + "\n";
  std::size_t omitted = 0;
  for (const SnapshotDiffFile& file : out.files) {
    if (!file.omitted.value_or(false) || ++omitted > omitted_files_named) continue;
    text += "omitted " + quoted_path(file.path) + " +" + std::to_string(file.added) + " -" +
            std::to_string(file.removed) + "\n";
  }
  if (omitted > omitted_files_named)
    text += "omitted " + std::to_string(omitted - omitted_files_named) + " more files\n";
  if (non_utf8 > 0)
    text += core::count_with_noun(non_utf8, "omitted file") +
            " not in UTF-8; name only such files with paths to get base64\n";
  if (static_cast<std::int64_t>(omitted) > non_utf8)
    text += "name only the omitted files with paths, or pass a larger max_bytes\n";
  if (has_more_files) text += "there are more; narrow with paths, or raise max_files\n";
  if constexpr (requires { out.untracked; })
    if (out.untracked)
      text += core::count_with_noun(*out.untracked, "untracked file") +
              " not shown; untracked: true shows them\n";
  return text + skipped_line(json::to_json(out.skipped)) + out.diff;
}

// ---- The answer of snapshot.changes

std::string change_line(const SnapshotChange& change) {
  std::string line = std::string(text(change.status)) + " ";
  if (change.from) line += quoted_path(*change.from) + " -> ";
  return line + quoted_path(change.path) + "\n";
}

template <class Changes>
std::string changes_text(const Changes& changes, const UnformattedAnswer& answered) {
  TextLimit limit = answered.limit;
  std::string lines;
  std::size_t shown = 0;
  for (; shown < changes.changes.size(); ++shown) {
    const std::string piece = change_line(changes.changes[shown]);
    if (!limit.try_consume(piece)) break;
    lines += piece;
  }
  std::string text = core::count_with_noun(changes.total, "change") +
                     lease_suffix(changes, answered.requested_lease_id) + "\n";
  if (changes.total > static_cast<std::int64_t>(shown))
    text += "first " + std::to_string(shown) + " shown; narrow with paths\n";
  if constexpr (requires { changes.skipped; }) text += skipped_line(json::to_json(changes.skipped));
  return text + lines;
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

std::string diff_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& out) {
    if (answered.form != AnswerForm::text) {
      fit_diff(out, answered.limit, answered.form);
      return json::to_json(out);
    }
    const std::int64_t non_utf8 = omit_non_utf8_parts(out);
    fit_diff(out, answered.limit, answered.form);
    return diff_text(out, answered.requested_lease_id, non_utf8);
  };
  return format_output<SnapshotDiffOutput>(answered.structured, &read_snapshot_diff_output, answer_of);
}

std::string changes_answer(const UnformattedAnswer& answered) {
  const auto answer_of = [&](auto& changes) {
    if (answered.form == AnswerForm::text) return changes_text(changes, answered);
    const std::size_t count = count_fitting(changes.changes, answered.limit);
    if (count < changes.changes.size()) changes.truncated = true;
    changes.changes.resize(count);
    return json::to_json(changes);
  };
  return format_output<SnapshotChangesOutput>(answered.structured, &read_snapshot_changes_output, answer_of);
}

}  // namespace snapgen::tools

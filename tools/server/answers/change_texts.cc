// The texts of tools that make or compare snapshots, or change files, and what of their outputs fits.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/server/answers/host_text.h"
#include "tools/server/answers/words.h"

namespace snapgen::tools {
namespace {

std::string snapshot_words(const std::string& id, const ManifestStats& stats) {
  return core::short_snapshot_id(id) + " " + core::count_with_noun(stats.files, "file") + " " +
         core::count_with_noun(stats.bytes, "byte") + "\n";
}

std::string undo_words(const std::optional<std::string>& undo) {
  return undo ? " undo " + core::short_snapshot_id(*undo) : std::string();
}

// Explains two lines that look equal because they differ only in white space at the end.
std::string end_of_line_words(const std::optional<std::string>& expected,
                              const std::optional<std::string>& found) {
  if (!expected || !found) return {};
  const std::size_t expected_end = expected->find_last_not_of(" \t\r") + 1;
  const std::size_t found_end = found->find_last_not_of(" \t\r") + 1;
  if (expected->substr(0, expected_end) != found->substr(0, found_end)) return {};
  return "  they differ in white space at the end: " + json::quoted(expected->substr(expected_end)) +
         " in the hunk, " + json::quoted(found->substr(found_end)) + " in the file\n";
}

// Returns the lines about a rejected file or hunk, from the text after its path on.
template <class Rejected>
std::string reason_lines(const Rejected& reject, const std::string& message,
                         WorkspaceApplyPatchReason reason) {
  std::string text = ": " + message + " (" + std::string(tools::text(reason));
  if (reject.patch_line) text += ", patch line " + std::to_string(*reject.patch_line);
  text += ")\n";
  return text;
}

// Returns the line that a reject expects and the one that the file has, verbatim.
template <class Rejected>
std::string expected_lines(const Rejected& reject) {
  std::string text;
  if (reject.expected) text += "  expected " + *reject.expected + "\n";
  if (reject.found) text += "  found    " + *reject.found + "\n";
  return text + end_of_line_words(reject.expected, reject.found);
}

std::string numbers_in_words(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t each : numbers) text += (text.empty() ? "" : ", ") + std::to_string(each);
  return text;
}

// Returns the lines that differ at the nearest place, verbatim: "-" those of `wanted`, which is what does not
// fit, "+" those of the file.
template <class Difference>
std::string nearest_lines(const std::vector<Difference>& differences, std::string_view wanted,
                          const std::optional<std::int64_t>& total = {}) {
  if (differences.empty()) return {};
  std::string text = "  most similar at line " + std::to_string(differences.front().line) + " (- " +
                     std::string(wanted) + ", + the file):\n";
  for (const Difference& each : differences) {
    if (each.expected) text += "  " + std::to_string(each.line) + " -" + *each.expected + "\n";
    if (each.found) text += "  " + std::to_string(each.line) + " +" + *each.found + "\n";
    text += end_of_line_words(each.expected, each.found);
  }
  if (total)
    text += "  and " + std::to_string(*total - static_cast<std::int64_t>(differences.size())) +
            " more differences\n";
  return text;
}

// Returns the lines of the file at which the hunk fits, and the number of those that are not listed.
std::string places_line(const WorkspaceRejectedHunk& hunk) {
  std::string text = "  fits at the lines " + numbers_in_words(*hunk.places);
  if (hunk.places_total)
    text += " and " + std::to_string(*hunk.places_total - static_cast<std::int64_t>(hunk.places->size())) +
            " more";
  return text + "\n";
}

// Returns lines such as "src/a.py hunk 1: line 2 of the file is not what the hunk shows (context_mismatch,
// patch line 3)".
std::string reject_lines(const WorkspaceApplyPatchReject& reject) {
  const std::string path = reject.path ? quoted_path(*reject.path) : std::string("patch");
  std::string text;
  if (reject.message && reject.reason)
    text += path + reason_lines(reject, *reject.message, *reject.reason) + expected_lines(reject);
  for (const WorkspaceRejectedHunk& hunk : reject.hunks) {
    text += path + " hunk " + std::to_string(hunk.number) + reason_lines(hunk, hunk.message, hunk.reason);
    if (!hunk.nearest) text += expected_lines(hunk);
    if (hunk.found_at) text += "  fits at line " + std::to_string(*hunk.found_at) + "\n";
    if (hunk.places) text += places_line(hunk);
    if (hunk.nearest) text += nearest_lines(*hunk.nearest, "the hunk", hunk.nearest_total);
    if (hunk.header) text += "  send     " + *hunk.header + "\n";
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

// Returns ranges such as " 12-14,30"; empty if there are none. "-30" means that lines before line 30 were
// removed.
std::string ranges_in_words(const std::vector<std::vector<std::int64_t>>& ranges) {
  std::string text;
  for (const std::vector<std::int64_t>& range : ranges) {
    const std::int64_t first = range.front();
    const std::int64_t last = range.back();
    text += text.empty() ? " " : ",";
    if (last < first)
      text += "-" + std::to_string(first);
    else
      text += std::to_string(first) + (last > first ? "-" + std::to_string(last) : "");
  }
  return text;
}

// Returns the changed lines with those around them, verbatim, for a call that requested them.
template <class File>
std::string shown_lines_text(const File& file) {
  std::string text;
  if (file.lines)
    for (const ShownLines& part : *file.lines) {
      text += quoted_path(file.path) + " from line " + std::to_string(part.line) + ":\n" + part.text;
      if (!text.ends_with('\n')) text += "\n";
    }
  if (file.omitted_lines) text += core::count_with_noun(*file.omitted_lines, "line") + " not shown\n";
  return text;
}

// Returns a line such as "M src/a.c 12-14,30 blob 1a2b3c4d5e".
template <class File>
std::string changed_file_line(const File& file) {
  std::string line(1, static_cast<char>(text(file.status).front() - 'a' + 'A'));
  line += " ";
  if (file.from) line += quoted_path(*file.from) + " -> ";
  line += quoted_path(file.path);
  if constexpr (requires { file.ranges.has_value(); })
    line += file.ranges ? ranges_in_words(*file.ranges) : std::string();
  else
    line += ranges_in_words(file.ranges);
  if (file.blob) line += " blob " + short_blob_id(*file.blob);
  line += encoding_words(file.encoding);
  return line;
}

std::string patched_file_line(const WorkspaceApplyPatchFile& file) {
  std::string line = changed_file_line(file);
  if (file.offsets)
    for (const WorkspaceApplyPatchOffset& offset : *file.offsets)
      line += ", hunk " + std::to_string(offset.hunk) + " at offset " + std::to_string(offset.lines);
  if (file.notes)
    for (const std::string& note : *file.notes) line += ", " + note;
  return line + "\n";
}

template <class Patched>
std::string patched_words(const WorkspaceApplyPatchInput& in, const Patched& patched, TextLimit limit) {
  std::string text;
  if (patched.applied && patched.files.empty())
    text = "nothing to apply: the files already are as the patch makes them";
  else if (patched.applied)
    text = "applied";
  else if (patched.rejects.empty())
    text = in.dry_run || !in.continue_
               ? "not applied: dry run, the patch fits"
               : "not applied: dry run, as the patch that it continues. It fits; repeat the call with "
                 "dry_run: false";
  else
    text = "not applied: " + core::count_with_noun(reject_count(patched.rejects), "reject") +
           ", nothing changed";
  text += lease_suffix(in, patched);
  if constexpr (requires { patched.snapshot_id; })
    if (patched.snapshot_id) text += " " + core::short_snapshot_id(*patched.snapshot_id);
  if constexpr (requires { patched.undo; }) text += undo_words(patched.undo);
  text += "\n";
  // Without rejects a dry run lists what would change; a patch with rejects changes nothing.
  if (patched.rejects.empty()) {
    append_fitting(patched.files, patched_file_line, "more file", limit, text);
    append_fitting(patched.files, shown_lines_text<WorkspaceApplyPatchFile>, "more context", limit, text);
  }
  for (const WorkspaceApplyPatchReject& reject : patched.rejects) text += reject_lines(reject);
  if (patched.patch_id)
    text += "Send only the corrected hunks with continue: \"" + *patched.patch_id +
            "\", or an empty patch to leave the rejected ones out.\n";
  return text;
}

// ---- The answer of workspace.edit

std::string edited_file_line(const WorkspaceEditFile& file) { return changed_file_line(file) + "\n"; }

// Returns the lines about a fault, such as "edits[2] src/a.c: old occurs 3 times. … (ambiguous)".
std::string fault_lines(const EditFault& fault) {
  std::string lines = "edits[" + std::to_string(fault.edit) + "]";
  if (fault.path) lines += " " + quoted_path(*fault.path);
  lines += ": " + fault.message + " (" + std::string(text(fault.reason)) + ")\n";
  const bool has_several_lines = fault.lines && fault.lines->size() > 1;
  if (has_several_lines)
    lines += "  at the lines " + numbers_in_words(*fault.lines) + (fault.lines_total ? ", …" : "") + "\n";
  if (fault.nearest) lines += nearest_lines(*fault.nearest, "old");
  if (fault.matches) {
    for (const WorkspaceEditMatch& match : *fault.matches)
      lines += "  " + quoted_path(match.path) + ":" + std::to_string(match.line) + "\n";
    const auto shown = static_cast<std::int64_t>(fault.matches->size());
    if (fault.matches_total.value_or(0) > shown)
      lines += "  and " + std::to_string(*fault.matches_total - shown) + " more lines\n";
  }
  return lines + fault.diff.value_or("");
}

std::string edited_words(const WorkspaceEditInput& in, const WorkspaceEdited& edited, TextLimit limit) {
  std::string text;
  if (edited.applied && edited.files.empty())
    text = "nothing to apply";
  else if (edited.applied)
    text = "applied";
  else if (edited.faults.empty())
    text = "not applied: dry run, the edits fit";
  else
    text = "not applied: " + core::count_with_noun(static_cast<std::int64_t>(edited.faults.size()), "fault") +
           ", nothing changed";
  text += lease_suffix(in, edited) + undo_words(edited.undo) + "\n";
  append_fitting(edited.files, edited_file_line, "more file", limit, text);
  if (edited.notes)
    append_fitting(
        *edited.notes, [](const std::string& note) { return note + "\n"; }, "more note", limit, text);
  append_fitting(edited.files, shown_lines_text<WorkspaceEditFile>, "more context", limit, text);
  if (edited.diff && limit.try_consume(*edited.diff)) text += *edited.diff;
  append_fitting(edited.faults, fault_lines, "more fault", limit, text);
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

// Removes the parts of the diff that do not fit, and marks their files as omitted. Returns whether it removed
// something.
template <class Diff>
bool fit_diff(Diff& out, TextLimit limit, AnswerForm form) {
  if (!limit.is_limited()) return false;
  const std::vector<std::size_t> begins = parts_of(out.diff);
  const std::vector<SnapshotDiffFile*> files = files_with_part(out);
  const bool are_matched = files.size() == begins.size();
  if (form == AnswerForm::text)
    limit.try_consume(std::min(out.files.size(), omitted_files_named) * omitted_line_bytes,
                      std::min(out.files.size(), omitted_files_named));
  else if (!limit.try_consume(json::to_json(out.files).size(), 0)) {
    out.files.resize(count_fitting(out.files, limit));
    out.diff.clear();
    return out.truncated = true;
  }
  std::string fitting;
  bool is_cut = false;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::string_view part = part_at(out.diff, begins, i);
    const bool fits =
        form == AnswerForm::text ? limit.try_consume(part) : limit.try_consume(encoded_size(part), 0);
    if (fits) {
      fitting += part;
      continue;
    }
    is_cut = out.truncated = true;
    if (are_matched) files[i]->omitted = true;
  }
  out.diff = std::move(fitting);
  return is_cut;
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
std::string diff_text(const SnapshotDiffInput& in, const Diff& out, std::int64_t non_utf8) {
  const auto files = static_cast<std::int64_t>(out.files.size());
  const bool has_omitted = std::ranges::any_of(
      out.files, [](const SnapshotDiffFile& file) { return file.omitted.value_or(false); });
  const bool has_more_files = out.truncated && !has_omitted;
  std::string text = (has_more_files ? "first " + core::count_with_noun(files, "changed file")
                                     : core::count_with_noun(files, "file") + " changed") +
                     lease_of_read(in, out) + "\n";
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
  return text + encoding_lines(out.files) + skipped_line(out.skipped) + out.diff;
}

// ---- The answer of snapshot.changes

std::string change_line(const SnapshotChange& change) {
  std::string line = std::string(text(change.status)) + " ";
  if (change.from) line += quoted_path(*change.from) + " -> ";
  return line + quoted_path(change.path) + "\n";
}

template <class Changes>
std::string changes_text(const SnapshotChangesInput& in, const Changes& changes, TextLimit limit) {
  std::string lines;
  std::size_t shown = 0;
  for (; shown < changes.changes.size(); ++shown) {
    const std::string piece = change_line(changes.changes[shown]);
    if (!limit.try_consume(piece)) break;
    lines += piece;
  }
  std::string text = core::count_with_noun(changes.total, "change") + lease_of_read(in, changes) + "\n";
  if (changes.total > static_cast<std::int64_t>(shown))
    text += "first " + std::to_string(shown) + " shown; narrow with paths\n";
  if constexpr (requires { changes.skipped; }) text += skipped_line(changes.skipped);
  return text + lines;
}

}  // namespace

std::string host_text(const SnapshotCreateInput&, SnapshotCreateOutput& out, const TextForm&) {
  return visit_answer(out, [](const SnapshotCreated& made) {
    return snapshot_words(made.snapshot_id, made.manifest_stats) + skipped_line(made.skipped);
  });
}

std::string host_text(const SnapshotInfoInput&, SnapshotInfoOutput& out, const TextForm&) {
  return visit_answer(out, [](const SnapshotDescribed& found) {
    const Fingerprint& at = found.fingerprint;
    const std::string beginning =
        snapshot_words(found.snapshot_id, found.manifest_stats) + "id " + found.snapshot_id + "\n";
    if (at.status_hash.empty()) return beginning + "no fingerprint: it has only the files of one change\n";
    return beginning + "fingerprint head_oid=" + at.head_oid + ", index_oid=" + at.index_oid +
           ", status_hash=" + at.status_hash + "\n";
  });
}

std::string host_text(const SnapshotExportInput& in, SnapshotExportOutput& out, const TextForm&) {
  return visit_answer(out, [&](const auto& packed) {
    std::string text = std::string(tools::text(packed.format)) + " sha256 " + packed.bundle_sha256 +
                       lease_suffix(in, packed) + "\n";
    if constexpr (requires { packed.skipped; }) text += skipped_line(packed.skipped);
    if (packed.format == ExportFormat::bundle) return text + json::to_json(packed.bundle);
    // The schema allows any JSON here, because a bundle is an object. An archive is a string.
    std::string archive;
    json::Reader in_bundle(packed.bundle.text);
    in_bundle.string(archive);
    return text + archive;
  });
}

std::string host_text(const WorkspaceApplyPatchInput& in, WorkspaceApplyPatchOutput& out,
                      const TextForm& form) {
  return visit_answer(out, [&](const auto& patched) { return patched_words(in, patched, form.limit); });
}

std::string host_text(const WorkspaceEditInput& in, WorkspaceEditOutput& out, const TextForm& form) {
  return visit_answer(out,
                      [&](const WorkspaceEdited& edited) { return edited_words(in, edited, form.limit); });
}

std::string host_text(const WorkspaceWriteFileInput& in, WorkspaceWriteFileOutput& out,
                      const TextForm& form) {
  // The tool adds a summary only if it wrote nothing.
  const bool is_unchanged = !form.summary.empty();
  return visit_answer(out, [&](const WorkspaceFileWritten& written) {
    const std::string_view done = is_unchanged      ? " unchanged, as it already has this content, "
                                  : written.created ? " created "
                                                    : " written ";
    return quoted_path(written.path) + std::string(done) + core::count_with_noun(written.bytes, "byte") +
           lease_suffix(in, written) + " blob " + short_blob_id(written.blob) +
           encoding_words(written.encoding) + undo_words(written.undo) + "\n";
  });
}

std::string host_text(const WorkspaceDeleteInput& in, WorkspaceDeleteOutput& out, const TextForm&) {
  return visit_answer(out, [&](const WorkspaceDeleted& done) {
    std::string text = "deleted " +
                       core::count_with_noun(static_cast<std::int64_t>(done.deleted.size()), "path") +
                       lease_suffix(in, done) + undo_words(done.undo);
    if (done.undo_files) text += " of " + core::count_with_noun(*done.undo_files, "file");
    if (!done.undo && !done.deleted.empty()) text += " without undo";
    text += "\n";
    for (const std::string& path : done.deleted) text += quoted_path(path) + "\n";
    for (const WorkspaceDeleteKept& remaining : done.kept)
      text += "not deleted: " + quoted_path(remaining.path) + " (" +
              std::string(tools::text(remaining.reason)) + ")\n";
    return text;
  });
}

std::string host_text(const SnapshotDiffInput& in, SnapshotDiffOutput& out, const TextForm& form) {
  return visit_answer(out, [&](auto& diff) {
    const std::int64_t non_utf8 = omit_non_utf8_parts(diff);
    fit_diff(diff, form.limit, AnswerForm::text);
    return diff_text(in, diff, non_utf8);
  });
}

bool fit_to_limit(const SnapshotDiffInput&, SnapshotDiffOutput& out, TextLimit limit) {
  return visit_answer(out, [&](auto& diff) { return fit_diff(diff, limit, AnswerForm::json); });
}

std::string host_text(const SnapshotChangesInput& in, SnapshotChangesOutput& out, const TextForm& form) {
  return visit_answer(out, [&](const auto& changes) { return changes_text(in, changes, form.limit); });
}

bool fit_to_limit(const SnapshotChangesInput&, SnapshotChangesOutput& out, TextLimit limit) {
  return visit_answer(out, [&](auto& changes) {
    const std::size_t count = count_fitting(changes.changes, limit);
    if (count == changes.changes.size()) return false;
    changes.changes.resize(count);
    return changes.truncated = true;
  });
}

}  // namespace snapgen::tools

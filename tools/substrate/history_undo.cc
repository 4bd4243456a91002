#include "schemas/substrate/history_undo.h"

#include <charconv>
#include <utility>

#include "tools/app/path_lines.h"
#include "tools/app/restore_work.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/operations/history/rewind.h"
#include "tools/substrate/common.h"
#include "tools/substrate/history.h"

namespace snapgen::tools {
namespace {

// Returns the number at the beginning of the text, which it takes from there; 0 if there is none.
std::int64_t take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

// Parses "12" or "12-14". Errors: invalid_argument.
Result<core::LineSpan> lines_of_text(const std::string& text, const std::string& path) {
  std::string_view rest = text;
  core::LineSpan lines;
  lines.first = take_number(rest);
  lines.last = core::take_prefix(rest, "-") ? take_number(rest) : lines.first;
  if (rest.empty() && lines.first >= 1 && lines.last >= lines.first) return lines;
  return Error(ErrorCode::invalid_argument,
               "The lines " + text + " of " + path +
                   " are wrong. Send the first and the last line, from 1, as in " + path + ":12-14.");
}

Result<core::UndoPath> undo_path_of(const std::string& text) {
  const PathLines divided = path_lines_of(text);
  core::UndoPath out;
  out.path = TRY(core::path_from_text(divided.path));
  if (!divided.lines.empty()) {
    out.lines = TRY(lines_of_text(divided.lines, core::path_in_sentence(divided.path)));
  }
  return out;
}

Result<core::UndoMomentQuery> undo_query(const HistoryUndoInput& in) {
  core::UndoMomentQuery query{.target = in.target, .partial = in.partial, .dry_run = in.dry_run};
  if (!in.paths) return query;
  for (const std::string& each : *in.paths) {
    core::UndoPath path = TRY(undo_path_of(each));
    query.paths.push_back(std::move(path));
  }
  return query;
}

Result<HistoryUndoOutput> undo_input(App& app, const HistoryUndoInput& in, const std::stop_token& stop) {
  const core::UndoMomentQuery query = TRY(undo_query(in));
  core::Workspace* workspace = TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  core::WithLease<core::UndoMomentAnswer> undone = TRY(core::undo_moment(*workspace, *taker, query, stop));
  const core::UndoMomentAnswer& answer = undone.value;
  std::optional<core::UndoSnapshot> undo;
  if (answer.undo_snapshot_id) undo = {.snapshot_id = *answer.undo_snapshot_id};
  if (undo) app.collect_garbage_if_due(*workspace);
  if (answer.is_done) audit_changed_files(app, "undo", replaced_paths(answer.files), undo);
  HistoryUndone out;
  if (!answer.conflicts.empty()) out.conflicts.emplace();
  for (const core::UndoConflict& each : answer.conflicts)
    out.conflicts->push_back(
        {.lines = to_schema(each.lines), .path = core::text_of_path(each.path), .reason = each.reason});
  out.done = answer.is_done;
  out.files = listed_files(answer.files);
  out.file_count = total_if_more(static_cast<std::int64_t>(answer.files.size()), out.files.size());
  out.undo_snapshot_id = answer.undo_snapshot_id;
  out.undo_with = moment_id(answer.undo_with);
  out.fingerprint = to_schema(std::move(undone.lease.fingerprint));
  out.lease_id = std::move(undone.lease.lease_id);
  return HistoryUndoOutput(std::move(out));
}

}  // namespace

Task<HistoryUndoOutput> history_undo(App& app, mcp::Call& call, const HistoryUndoInput& in) {
  return offload_and_log(app, call, in, undo_input);
}

}  // namespace snapgen::tools

#pragma once
// Code that the handlers of the substrate share: conversion between generated types and those of the engine.
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/mcp/call.h"
#include "schemas/common/fingerprint.h"
#include "schemas/common/manifest_stats.h"
#include "schemas/common/read_mode.h"
#include "schemas/common/shown_lines.h"
#include "schemas/common/skipped.h"
#include "schemas/common/text_encoding.h"
#include "tools/app/app.h"
#include "tools/app/run_on_pool.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/planned_diff.h"
#include "tools/engine/operations/read.h"
#include "tools/engine/operations/undo.h"
#include "tools/engine/patch/shown_lines.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/text/text_encoding.h"
#include "tools/work/log/audit_line.h"

namespace snapgen::tools {

Fingerprint to_schema(core::Fingerprint fingerprint);
ManifestStats to_schema(const core::ManifestStats& stats);
Skipped to_schema(const core::SkippedCounts& skipped);
// Returns the digits of a blob, or of a prefix of one.
std::string blob_prefix_of(std::string_view blob);
// Returns each range as its first and last line.
std::vector<std::vector<std::int64_t>> to_schema(const std::vector<core::LineRange>& ranges);
// Returns nullopt for UTF-8.
std::optional<TextEncoding> to_schema(core::TextEncoding encoding);
std::vector<ShownLines> to_schema(const std::vector<core::ShownLines>& parts);
std::vector<std::string> texts_as_arguments(const std::vector<std::string>& lines);

// Returns the state from which a call reads. Errors: invalid_argument (a lease with a snapshot, a snapshot_id
// in mode worktree, or mode snapshot without a snapshot_id).
Result<core::ReadSource> read_source(const std::optional<ReadMode>& mode,
                                     const std::optional<std::string>& snapshot_id,
                                     const std::optional<std::string>& lease_id);

// Makes the output of a tool that reads either a snapshot or the work tree: `Immutable` for a snapshot, which
// has no lease, or `Worktree`. `fill(out)` sets the members that both have under the same names.
template <class Immutable, class Worktree, class Output, class Fill>
Output hybrid_output(std::optional<core::LeaseState> lease, Fill fill) {
  if (!lease) {
    Immutable out;
    fill(out);
    return Output(std::move(out));
  }
  Worktree out;
  out.fingerprint = to_schema(std::move(lease->fingerprint));
  out.lease_id = std::move(lease->lease_id);
  fill(out);
  return Output(std::move(out));
}

// Returns the maximum length of an answer's content, in bytes: that of the call, or else what the client
// shows in full, or else the default of the schema.
template <class Input>
std::size_t content_bytes_max(mcp::Call& call, const Input& in) {
  if (in.max_bytes) return static_cast<std::size_t>(*in.max_bytes);
  return call.renderer().shown_bytes_max().value_or(static_cast<std::size_t>(Input::max_bytes_default));
}

// Logs the cause of an error, which the client does not receive.
template <class T>
void log_cause(const App& app, const mcp::Call& call, const Result<T>& outcome) {
  if (outcome || outcome.error().cause.empty()) return;
  const Error& error = outcome.error();
  Severity severity = error.code == ErrorCode::internal ? Severity::error : Severity::info;
  app.log.write(severity, std::string(call.tool().name) + ": " + error.message + " (" + error.cause + ")");
}

// Runs the handler `run` on the thread pool, and logs the cause of its error.
template <class Input, class Output>
Task<Output> offload_and_log(App& app, mcp::Call& call, const Input& in,
                             Result<Output> (*run)(App&, const Input&, const std::stop_token&)) {
  Task<Output> running = run_on_pool(app, call, in, run);
  Result<Output> outcome = co_await std::move(running);
  log_cause(app, call, outcome);
  co_return outcome;
}

// Logs that a change was rejected because of a path which leads out of the workspace, or which no tool may
// write. `faults` are those of one answer, and `path_reason` is their reason for such a path.
template <class Fault, class Reason>
void note_forbidden_path(const mcp::Call& call, const std::vector<Fault>& faults, Reason path_reason) {
  for (const Fault& each : faults)
    if (each.reason == path_reason)
      return call.note_error(
          Error(ErrorCode::permission_denied, std::optional<std::string>(each.message).value_or("")));
}

// Fills the members about the changed lines of a file, which several tools have under the same names.
template <class File>
void fill_changed_lines(const std::vector<core::LineRange>& ranges, const core::ShownParts& shown,
                        File& out) {
  out.ranges = to_schema(ranges);
  if (!shown.parts.empty()) out.lines = to_schema(shown.parts);
  if (shown.omitted_lines > 0) out.omitted_lines = shown.omitted_lines;
}

// Returns a line of a file as text; nullopt if there is none.
std::optional<std::string> text_of_line(const std::optional<std::string>& line);

// Returns the differences at the most similar lines of a file, as a tool's own type has them.
template <class Difference>
std::vector<Difference> differences_of(const core::NearestLines& nearest) {
  std::vector<Difference> out;
  for (const core::LineDifference& each : nearest.differences)
    out.push_back(
        {.expected = text_of_line(each.expected), .found = text_of_line(each.found), .line = each.line});
  return out;
}

// Returns the number of all, if some are not listed.
inline std::optional<std::int64_t> total_if_more(std::int64_t total, std::size_t listed) {
  return total > static_cast<std::int64_t>(listed) ? std::optional(total) : std::nullopt;
}

// Fills the members about the diff of a dry run.
template <class Out>
void fill_planned_diff(const core::PlannedDiff& diff, Out& out) {
  if (!diff.text.empty()) out.diff = core::text_of_bytes(diff.text);
  if (diff.omitted_files > 0) out.omitted_files = diff.omitted_files;
}

// Logs a change of files in the audit log. `paths` are the files whose content was replaced or deleted;
// nothing is logged if there are none.
void audit_changed_files(App& app, std::string_view event, const std::vector<std::string>& paths,
                         const std::optional<core::UndoSnapshot>& undo);

// Asks the user through the client whether `content` may be lost for good: "build" or "the content of a.txt".
// Succeeds without a question if the user's settings allow it. Errors: permission_denied (the user declined,
// or the client cannot ask; the message says who can allow it); cancelled.
Task<Unit> confirm_discard(const App& app, mcp::Call& call, std::string content);
// Does so for a call that discards what exists at `path`, a path as text; if nothing exists there, succeeds
// without a question. Errors: also those of the call itself (a wrong path, or one that no tool may change),
// so that the user is not asked about a call that fails.
Task<Unit> confirm_discard_at(App& app, mcp::Call& call, const std::string& path, std::string content);

// Does so for a call whose plan says what it discards: `content_to_lose` returns it, or an empty text if the
// call discards nothing. It runs on the thread pool.
template <class Input>
Task<Unit> confirm_planned_discard(App& app, mcp::Call& call, const Input& in,
                                   Result<std::string> (*content_to_lose)(App&, const Input&,
                                                                          const std::stop_token&)) {
  auto planning = [&] { return content_to_lose(app, in, call.stop()); };
  Result<std::string> planned = co_await call.offload(planning);
  std::string content = co_await planned;
  if (content.empty()) co_return Unit{};
  Task<Unit> asking = confirm_discard(app, call, std::move(content));
  Result<Unit> agreed = co_await std::move(asking);
  co_return agreed;
}

inline std::optional<std::string> undo_snapshot_id_of(const std::optional<core::UndoSnapshot>& undo) {
  if (!undo) return std::nullopt;
  return undo->snapshot_id;
}

// Adds the undo snapshot to the members of an audit line.
inline core::AuditMembers with_undo(core::AuditMembers members,
                                    const std::optional<core::UndoSnapshot>& undo) {
  if (undo) members.add("undo", undo->snapshot_id);
  return members;
}

}  // namespace snapgen::tools

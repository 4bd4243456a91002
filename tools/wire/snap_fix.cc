#include "schemas/wire/snap_fix.h"

#include <algorithm>

#include "runtime/json/members.h"
#include "runtime/json/writer.h"
#include "tools/app/next_actions.h"
#include "tools/app/restore_work.h"
#include "tools/app/snapshot_page.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/work_summary.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/wire/common.h"
#include "tools/work/task/restore_words.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t named_bytes_max = 160;  // Maximum length of the paths in one answer.
constexpr std::size_t logged_max = 1000;      // Maximum number of files in the log message.

// Returns an age such as "now", "5m", "3h" or "12d".
std::string age_of(std::int64_t ms) {
  constexpr std::int64_t minute = 60'000, hour = 60 * minute, day = 24 * hour;
  if (ms < minute) return "now";
  if (ms < hour) return std::to_string(ms / minute) + "m";
  if (ms < 2 * day) return std::to_string(ms / hour) + "h";
  return std::to_string(ms / day) + "d";
}

// Returns how many paths or messages an answer has, however long they are: none if the call does not request
// more than usual.
std::size_t named_min_of(const SnapFixInput& in) {
  return in.limit > SnapFixInput().limit ? static_cast<std::size_t>(in.limit) : 0;
}

// Returns the call that names all of so many paths.
std::string naming_advice(std::int64_t count) { return "limit " + std::to_string(count) + " names all"; }

// Returns what the snapshots of the page were taken for; empty if none has a message. Messages of undo
// snapshots, which the server made, are left out before others.
std::string messages_sentence(const SnapshotPage& page, std::size_t named_min) {
  constexpr std::size_t message_bytes_max = 60;
  constexpr std::size_t usual_count = 1;
  // Each snapshot in the line, and a cursor, leave less space for messages.
  const std::size_t ids = page.notes.size() + (page.next_cursor ? 1 : 0);
  const std::size_t messages_bytes_max = 300 - std::min<std::size_t>(300, 30 * ids);
  std::string text;
  std::size_t bytes = 0, named = 0, omitted = 0;
  for (const bool is_undo : {false, true})
    for (const core::SnapshotNote& each : page.notes) {
      if (each.message.empty() || each.is_undo != is_undo) continue;
      const std::string next = short_snapshot_id(each.hex) + " " + shortened(each.message, message_bytes_max);
      bytes += next.size();
      if (bytes > messages_bytes_max && named >= std::max(named_min, usual_count)) {
        ++omitted;
        continue;
      }
      text += (named++ == 0 ? " " : "; ") + next;
    }
  if (omitted > 0)
    text += "; and " + std::to_string(omitted) + " more messages with limit " +
            std::to_string(std::max<std::size_t>(page.notes.size(), SnapFixInput().limit + 1));
  return text.empty() ? text : text + ".";
}

Result<mcp::Text> list_snapshots(core::Workspace& workspace, const SnapFixInput& in) {
  const SnapshotPageRequest request{.limit = static_cast<std::size_t>(in.limit), .cursor = in.cursor};
  SnapshotPage page = TRY(snapshot_page(workspace, request));
  lines::SnapshotsLine line{.count = page.total};
  const std::int64_t now_ms = now_of(workspace) / 1'000'000;
  for (const core::SnapshotNote& each : page.notes)
    line.snapshots.push_back({.id = short_snapshot_id(each.hex),
                              .age = age_of(now_ms - each.latest_ms),
                              .files = each.stats.file_count});
  std::string summary = count_with_noun(line.count, "snapshot") + " available.";
  if (page.left_out > 0 && !in.cursor) summary += shown_snapshots_sentence(page);
  if (page.next_cursor)
    summary += " " + std::to_string(page.left_out) + " more: cursor " + *page.next_cursor + ".";
  summary += messages_sentence(page, named_min_of(in));
  summary += other_trees_sentence(page);
  const std::string others =
      page.has_any ? std::string() : snapshots_of(workspace).other_snapshots_sentence();
  if (!others.empty()) summary += " " + others;
  return answer(line, in.compact, summary);
}

using Loaded = std::shared_ptr<const core::Snapshot>;

Result<std::optional<std::vector<std::string>>> paths_of(const SnapFixInput& in) {
  if (!in.paths) return std::optional<std::vector<std::string>>();
  return std::optional(TRY(core::paths_of_texts(*in.paths)));
}

Result<mcp::Text> diff_snapshot_lines(core::Workspace& workspace, const SnapFixInput& in,
                                      const std::stop_token& stop) {
  Loaded before = TRY(load_snapshot(workspace, *in.id));
  core::ChangesQuery query;
  query.changes_max = 1'000'000;
  query.paths = TRY(core::paths_of_texts(in.paths));
  lines::DiffLine line{.from = before->alias(), .to = "worktree"};
  core::ChangesAnswer changes;
  if (in.diff_with) {
    Loaded after = TRY(load_snapshot(workspace, *in.diff_with));
    line.to = after->alias();
    changes = TRY(core::changes_between(workspace, *before, *after, query, stop));
  } else {
    auto read = [&](core::LiveView& view) { return core::changes_since(workspace, *before, view, query); };
    auto found = TRY(core::read_worktree(workspace, std::nullopt, stop, read));
    changes = std::move(found.value);
  }
  std::string paths;
  std::size_t named = 0;
  std::int64_t unnamed = 0;
  for (const core::FileChange& each : changes.changes) {
    char mark = '~';
    if (each.status == core::ChangeStatus::added) mark = '+';
    if (each.status == core::ChangeStatus::deleted) mark = '-';
    ++(mark == '+' ? line.added : mark == '-' ? line.removed : line.changed);
    const std::string next = " " + std::string(1, mark) + core::path_in_sentence(each.path);
    if (unnamed == 0 && (paths.size() + next.size() <= named_bytes_max || named < named_min_of(in))) {
      paths += next;
      ++named;
    } else {
      ++unnamed;
    }
  }
  if (unnamed > 0)
    paths += " and " + std::to_string(unnamed) + " more (" +
             naming_advice(unnamed + static_cast<std::int64_t>(named)) + ")";
  std::string summary = "Diff: +" + std::to_string(line.added) + " added, -" + std::to_string(line.removed) +
                        " removed, ~" + std::to_string(line.changed) + " changed." + paths;
  if (changes.skipped.not_captured > 0)
    summary += " " + count_with_noun(changes.skipped.not_captured, "file") + " not compared: " +
               (in.diff_with ? "not in both snapshots." : "not in the snapshot, which has only some paths.");
  summary += core::with_leading_space(core::unreadable_sentence(changes.unreadable));
  if (!in.diff_with)
    summary += core::with_leading_space(core::omitted_from_snapshot_sentence(workspace, *before, stop));
  return answer(line, in.compact, summary);
}

std::string log_of(const core::RestoreAnswer& restored) {
  const std::vector<core::RestoredPath> changes = core::changes_deletions_first(restored);
  std::string log = "{\"changes\":[";
  for (std::size_t i = 0; i < std::min(changes.size(), logged_max); ++i)
    log += (i == 0 ? "" : ",") + std::string("{\"kind\":") + json::quoted(core::text(changes[i].kind)) +
           ",\"path\":" + json::quoted(core::text_of_path(changes[i].path)) + "}";
  return log + "],\"deleted\":" + std::to_string(core::deleted_paths(restored).size()) + "}";
}

// Returns what to do after a rejected restore; empty if that follows from the error's code.
std::string restore_advice(App& app, const SnapFixInput& in, const Error& error) {
  if (in.paths || !error.family_code.empty()) return {};  // A family code: there is no such snapshot.
  const Result<core::Workspace*> workspace = app.workspace();
  if (workspace && write_rules_of(**workspace).permits_nothing()) return "Report the error to the user.";
  if (error.code != ErrorCode::permission_denied && error.code != ErrorCode::too_large) return {};
  if (!error.details.text("hint").empty()) return {};
  return "To restore only some files, pass them as paths.";
}

Result<mcp::Text> read_snapshots(App& app, const SnapFixInput& in, const std::stop_token& stop) {
  core::Workspace* workspace = TRY(app.workspace());
  return in.action == SnapFixInputAction::list ? list_snapshots(*workspace, in)
                                               : diff_snapshot_lines(*workspace, in, stop);
}

}  // namespace

Task<mcp::Text> snap_fix(App& app, mcp::Call& call, const SnapFixInput& in) {
  if (in.action != SnapFixInputAction::restore) {
    auto job = [&] { return read_snapshots(app, in, call.stop()); };
    Result<mcp::Text> outcome = co_await call.offload(job);
    if (!outcome) co_return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact);
    co_return outcome;
  }
  Result<std::optional<std::vector<std::string>>> paths = paths_of(in);
  if (!paths) co_return with_failure_details(std::move(paths).error(), std::nullopt, in.compact);
  const RestoreRequest request{.id = *in.id,
                               .paths = *std::move(paths),
                               .dry_run = in.dry_run,
                               .from_tree = in.from_tree,
                               .from_tree_argument = "fromTree"};
  Task<RestoredWork> restoring = restore_work(app, call, request);
  Result<RestoredWork> outcome = co_await std::move(restoring);
  if (!outcome) {
    const std::string advice = restore_advice(app, in, outcome.error());
    co_return with_failure_details(std::move(outcome).error(), std::nullopt, in.compact, advice);
  }
  RestoreText text = format_restore(*outcome, in.dry_run, named_min_of(in));
  if (in.dry_run && std::ssize(text.line.restored) < text.line.files)
    text.summary += " " + naming_advice(text.line.files) + ".";
  // The answer may have only the first files; the log message has all of them.
  call.log(mcp::LogLevel::debug, "snap_fix", log_of(outcome->restored));
  co_return answer(text.line, in.compact, text.summary);
}

}  // namespace snapgen::tools

#include "schemas/wire/snap_fix.h"

#include <algorithm>

#include "runtime/json/writer.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/wire/common.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/task/end.h"
#include "tools/work/task/restore_words.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

constexpr std::size_t listed_max = 8;
constexpr std::size_t named_bytes_max = 160;  // Limit for the paths in one answer.
constexpr std::size_t logged_max = 1000;      // Limit for logged files.

// For example "now", "5m", "3h", "12d".
std::string age_of(std::int64_t ms) {
  constexpr std::int64_t minute = 60'000, hour = 60 * minute, day = 24 * hour;
  if (ms < minute) return "now";
  if (ms < hour) return std::to_string(ms / minute) + "m";
  if (ms < 2 * day) return std::to_string(ms / hour) + "h";
  return std::to_string(ms / day) + "d";
}

Result<mcp::Text> list_snapshots(core::Workspace& workspace, const SnapFixInput& in) {
  std::vector<core::SnapshotNote> notes = TRY(workspace.snapshots().list());
  lines::SnapshotsLine line{.count = static_cast<std::int64_t>(notes.size())};
  const std::int64_t now_ms = workspace.now() / 1'000'000;
  for (const core::SnapshotNote& each : notes) {
    if (line.snapshots.size() == listed_max) break;
    line.snapshots.push_back(
        {.id = short_snapshot(each.hex), .age = age_of(now_ms - each.latest_ms), .files = each.stats.files});
  }
  std::string summary = counted(line.count, "snapshot") + " available.";
  if (notes.size() > listed_max) summary += " The newest " + std::to_string(listed_max) + " are shown.";
  if (!notes.empty() && !notes.front().message.empty())
    summary += " Newest: " + shortened(notes.front().message, 80) + ".";
  const std::string others = notes.empty() ? workspace.snapshots().where_others_are() : std::string();
  if (!others.empty()) summary += " " + others;
  return answer(line, in.compact, summary);
}

using Loaded = std::shared_ptr<const core::Snapshot>;

Result<Loaded> load(core::Workspace& workspace, const std::string& id, bool compact) {
  Result<Loaded> snapshot = workspace.snapshots().load(id);
  if (snapshot) return snapshot;
  // A malformed id is reported as a snapshot that does not exist.
  const bool named_wrong =
      snapshot.error().code == ErrorCode::not_found || snapshot.error().code == ErrorCode::invalid_argument;
  return as_failure(std::move(snapshot).error(),
                    named_wrong ? std::optional(lines::Failure::snapshot_not_found) : std::nullopt, compact);
}

Result<mcp::Text> diff_snapshot_lines(core::Workspace& workspace, const SnapFixInput& in,
                                      const std::stop_token& stop) {
  Loaded before = TRY(load(workspace, *in.id, in.compact));
  core::ChangesQuery query;
  query.changes_max = 1'000'000;
  lines::DiffLine line{.from = before->alias(), .to = "worktree"};
  core::ChangesAnswer changes;
  if (in.diff_with) {
    Loaded after = TRY(load(workspace, *in.diff_with, in.compact));
    line.to = after->alias();
    changes = TRY(core::changes_between(*before, *after, query, stop));
  } else {
    auto read = [&](core::LiveView& view) { return core::changes_since(workspace, *before, view, query); };
    auto found = TRY(core::read_worktree(workspace, std::nullopt, stop, read));
    changes = std::move(found.value);
  }
  std::string paths;
  for (const core::FileChange& each : changes.changes) {
    char mark = '~';
    if (each.status == core::ChangeStatus::added) mark = '+';
    if (each.status == core::ChangeStatus::deleted) mark = '-';
    ++(mark == '+' ? line.added : mark == '-' ? line.removed : line.changed);
    const std::string next = " " + std::string(1, mark) + core::path_in_sentence(each.path);
    if (paths.size() + next.size() <= named_bytes_max) paths += next;
  }
  std::string summary = "Diff: +" + std::to_string(line.added) + " added, -" + std::to_string(line.removed) +
                        " removed, ~" + std::to_string(line.changed) + " changed." + paths;
  return answer(line, in.compact, summary);
}

void remember_fix(App& app, const core::RestoreAnswer& restored, const std::string& id) {
  Result<core::WorkspaceServices> services = app.services();
  Result<Unit> kept =
      services ? core::remember_restore(*services, restored, id) : Result<Unit>(std::move(services).error());
  if (!kept)
    app.log.write(Severity::warning, "snap_fix: the restore was not recorded: " + kept.error().message);
}

// A path in a line; "-" marks a deleted file.
std::string marked(const core::RestoredPath& each) {
  const std::string path = core::text_of_path(each.path);
  if (each.kind == core::RestoredPath::Kind::deleted) return "-" + path;
  return path.starts_with('-') ? "./" + path : path;
}

std::string_view kind_in_words(core::RestoredPath::Kind kind) {
  switch (kind) {
    case core::RestoredPath::Kind::created: return "created";
    case core::RestoredPath::Kind::replaced: return "replaced";
    case core::RestoredPath::Kind::mode: return "mode";
    case core::RestoredPath::Kind::deleted: break;
  }
  return "deleted";
}

std::string log_of(const std::vector<core::RestoredPath>& changes, std::size_t deleted) {
  std::string log = "{\"changes\":[";
  for (std::size_t i = 0; i < std::min(changes.size(), logged_max); ++i)
    log += (i == 0 ? "" : ",") + std::string("{\"kind\":") + json::quoted(kind_in_words(changes[i].kind)) +
           ",\"path\":" + json::quoted(core::text_of_path(changes[i].path)) + "}";
  return log + "],\"deleted\":" + std::to_string(deleted) + "}";
}

// The answer, and the log message; empty: none.
struct Answered {
  mcp::Text text;
  std::string log;
};

Result<Answered> restore(App& app, core::Workspace& workspace, const SnapFixInput& in,
                         const std::stop_token& stop) {
  Loaded snapshot = TRY(load(workspace, *in.id, in.compact));
  const core::RestoreQuery query{.snapshot_id = snapshot->id(),
                                 .paths = {},
                                 .dry_run = in.dry_run,
                                 .note = core::restore_line(snapshot->alias())};
  core::Coherent<core::RestoreAnswer> done = TRY(core::restore(workspace, query, stop));
  const core::RestoreAnswer& restored = done.value;
  if (!in.dry_run) remember_fix(app, restored, snapshot->alias());
  lines::RestoreLine line{.status = lines::Verdict::ok,
                          .files = static_cast<std::int64_t>(restored.changes.size())};
  const std::vector<core::RestoredPath> changes = core::gone_first(restored);
  std::size_t bytes = 0;
  for (const core::RestoredPath& each : changes) {
    const std::string name = marked(each);
    bytes += name.size();
    if (bytes <= named_bytes_max) line.restored.push_back(name);
  }
  std::string summary = (in.dry_run ? "Would restore " : "Restored ") + counted(line.files, "file") +
                        " from snapshot " + snapshot->alias() + ".";
  if (line.restored.size() < changes.size())
    summary += " The first " + std::to_string(line.restored.size()) + " are named.";
  summary += core::sentence_of_gone(restored, in.dry_run);
  if (!restored.spared.empty())
    summary += " Left unchanged: " + counted(static_cast<std::int64_t>(restored.spared.size()), "file") +
               " not in the snapshot.";
  if (restored.safety_snapshot_id)
    summary += " To undo it, restore " + short_snapshot(*restored.safety_snapshot_id) + ".";
  return Answered{.text = answer(line, in.compact, summary),
                  .log = log_of(changes, core::gone(restored).size())};
}

Result<Answered> without_log(Result<mcp::Text> text) {
  if (!text) return std::move(text).error();
  return Answered{.text = *std::move(text), .log = {}};
}

Result<Answered> run_fix(App& app, const SnapFixInput& in, const std::stop_token& stop) {
  Result<core::Workspace*> opened = app.workspace();
  if (!opened) return as_failure(std::move(opened).error(), std::nullopt, in.compact);
  core::Workspace& workspace = **opened;
  Result<Answered> outcome =
      in.action == SnapFixInputAction::list   ? without_log(list_snapshots(workspace, in))
      : in.action == SnapFixInputAction::diff ? without_log(diff_snapshot_lines(workspace, in, stop))
                                              : restore(app, workspace, in, stop);
  if (outcome) return outcome;
  return as_failure(std::move(outcome).error(), std::nullopt, in.compact);
}

}  // namespace

Task<mcp::Text> snap_fix(App& app, mcp::Call& call, const SnapFixInput& in) {
  auto job = [&] { return run_fix(app, in, call.stop()); };
  Result<Answered> outcome = co_await call.offload(job);
  Answered answered = co_await outcome;
  // The answer has only the first files; the log message has all of them.
  if (!answered.log.empty()) call.log(mcp::LogLevel::debug, "snap_fix", answered.log);
  co_return std::move(answered.text);
}

}  // namespace snapgen::tools

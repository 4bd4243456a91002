#include "tools/engine/operations/restore.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <mutex>
#include <thread>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/operations/capture_files.h"
#include "tools/engine/operations/restore_plan.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {
namespace {

constexpr int restore_tries_max = 3;
constexpr std::size_t contents_per_block = 8;  // Contents that one thread reads at a time.

// Waits until new files have a later birth time than a snapshot of `taken_ms`: kernel file times advance in
// ticks (1 to 10 ms), and snapshots have times in milliseconds. Otherwise undoing the restore with its safety
// snapshot would spare files that the restore created.
void let_the_clock_tick(std::int64_t taken_ms) {
  const std::int64_t from_ns = (taken_ms + 2) * 1'000'000;
  while (true) {
    timespec tick{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &tick);
    if (tick.tv_sec * 1'000'000'000 + tick.tv_nsec > from_ns) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Captures the files that are about to be replaced, in the safety snapshot. The writer then replaces only the
// captured contents, and the plan's unchanged files are verified.
Result<std::string> capture(Workspace& workspace, const std::string& source_name,
                            const std::vector<std::string>& paths, RestorePlan& plan, ExaminedFiles examined,
                            const std::stop_token& stop) {
  CreateSnapshotQuery query{.lease_id = {},
                            .paths = std::vector<std::string>(),
                            .message = std::string(safety_message_prefix) + source_name,
                            .prefers_earlier_message = true,
                            .is_undo = plan.is_of_undo_snapshot};
  for (const std::string& path : plan.is_of_undo_snapshot ? std::vector<std::string>() : paths) {
    Result<FileStat> stat = workspace.root().lstat(path);
    if (stat && kind_of(*stat) == FileKind::folder) query.paths->push_back(path);
  }
  const std::vector<std::string> folders = *query.paths;
  for (const std::string& path : plan.affected_paths) {
    bool listed = !plan.unlisted.contains(path) &&
                  std::any_of(folders.begin(), folders.end(),
                              [&](const std::string& folder) { return is_at_or_below_folder(path, folder); });
    if (!listed) query.paths->push_back(path);
  }
  for (const TreeWrite& write : plan.change.writes)
    if (!write.existing && write.change.kind == TreeChange::Kind::write)
      query.absent_paths.push_back(write.change.path);
  if (query.paths->empty() && !plan.is_of_undo_snapshot) query.paths->emplace_back();
  CreatedSnapshot created = TRY(create_snapshot(workspace, query, stop));
  if (examined != ExaminedFiles::all && created.files && created.files != plan.files)
    return work_tree_changed_error("restored");
  const std::vector<ManifestRow>& entries = created.rows;
  for (TreeWrite& write : plan.change.writes) {
    if (!write.existing || write.change.kind == TreeChange::Kind::chmod) continue;
    auto at = std::lower_bound(
        entries.begin(), entries.end(), write.change.path,
        [](const ManifestRow& entry, const std::string& bound) { return entry.path < bound; });
    bool same = at != entries.end() && at->path == write.change.path &&
                (!write.existing->blob || *write.existing->blob == at->blob);
    if (!same) return work_tree_changed_error("restored");
    write.existing->blob = at->blob;
  }
  const std::int64_t now_ms = now_ns() / 1'000'000;
  const std::optional<SnapshotNote> note = workspace.snapshots().note(created.hex);
  let_the_clock_tick(note ? std::min(note->scope_at(workspace.snapshots().origin()).taken_ms, now_ms)
                          : now_ms);
  return created.id();
}

// Verifies the stored copies of files that the restore is about to replace, because they may be damaged.
// Captures unreadable ones again.
Result<Unit> verify_stored_copies(Workspace& workspace, const RestorePlan& plan,
                                  const std::stop_token& stop) {
  const std::vector<TreeWrite>& writes = plan.change.writes;
  std::mutex mutex;
  std::map<std::string, BlobId> damaged;
  in_parallel(writes.size(), contents_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !stop.stop_requested(); ++i) {
      const std::optional<FileRecord>& existing = writes[i].existing;
      if (!existing || writes[i].change.kind == TreeChange::Kind::chmod) continue;
      if (workspace.blobs().is_sound(*existing->blob)) continue;
      const std::lock_guard lock(mutex);
      damaged.emplace(existing->path, *existing->blob);
    }
  });
  if (stop.stop_requested()) return cancelled_restore_error();
  if (damaged.empty()) return Unit{};
  std::vector<CaptureTarget> targets;
  for (const auto& [path, blob] : damaged)
    targets.push_back({.path = path, .listed_stat = {}, .is_named = true, .is_reread = true});
  auto [records, failed] = capture_files(workspace, targets, stop);
  if (failed && failed->second.code == ErrorCode::not_found) return work_tree_changed_error("restored");
  if (failed) return std::move(failed->second);
  for (const FileRecord& record : records)
    if (record.blob != damaged.at(record.path)) return work_tree_changed_error("restored");
  return workspace.blobs().commit();
}

// Reads the contents to write while it captures those to replace. Returns the safety snapshot's id.
Result<std::string> prepare(Workspace& workspace, const std::string& source_name,
                            const std::vector<std::string>& paths, RestorePlan& plan, ExaminedFiles examined,
                            const std::stop_token& stop) {
  Result<std::vector<std::string>> contents = std::vector<std::string>();
  Result<std::string> safety = std::string();
  Result<Unit> secured = Unit{};
  run_both(
      [&] {
        safety = capture(workspace, source_name, paths, plan, examined, stop);
        if (safety) secured = verify_stored_copies(workspace, plan, stop);
      },
      [&] { contents = read_contents(workspace.blobs(), plan, stop); });
  if (safety && !secured) return std::move(secured).error();
  if (!contents) return std::move(contents).error();
  for (std::size_t i = 0; i < contents->size(); ++i)
    plan.change.writes[i].change.bytes = std::move((*contents)[i]);
  return safety;
}

// Checks that the caller knows of which work tree the snapshot is. Errors: invalid_argument.
Result<Unit> check_tree(const Workspace& workspace, const Snapshot& snapshot,
                        const std::optional<SnapshotNote>& note, const RestoreQuery& query) {
  constexpr std::size_t message_bytes_max = 80;
  if (!note) return Unit{};
  const std::optional<OtherTree> other = workspace.other_trees_of({*note}).front();
  const std::string argument(query.from_tree_argument);
  if (!other) {
    if (!query.from_tree || *query.from_tree == workspace.work_trees().own_name() ||
        *query.from_tree == workspace.root().folder())
      return Unit{};
    return Error(ErrorCode::invalid_argument,
                 "The snapshot " + snapshot.alias() + " is of this work tree, not of " +
                     path_in_sentence(*query.from_tree) + ": omit " + argument + ".");
  }
  if (query.from_tree && other->is_named(*query.from_tree)) return Unit{};
  const std::string about =
      note->message.empty() ? "" : " (" + shortened(note->message, message_bytes_max) + ")";
  return Error(ErrorCode::invalid_argument, "The snapshot " + snapshot.alias() + about +
                                                " is of the work tree " + path_in_sentence(other->name) +
                                                ", not of this one; to restore it here, pass " + argument +
                                                " " + path_in_sentence(other->name) + ".");
}

}  // namespace

Result<WithLease<RestoreAnswer>> restore(Workspace& workspace, const RestoreQuery& query,
                                         const std::stop_token& stop) {
  std::shared_ptr<const Snapshot> snapshot = TRY(workspace.snapshots().load(query.snapshot_id));
  TRY(workspace.snapshots().check_same_folder(*snapshot));
  const std::optional<SnapshotNote> note = workspace.snapshots().note(snapshot->hex);
  TRY(check_tree(workspace, *snapshot, note, query));
  return restore_source(workspace,
                        {.snapshot = snapshot,
                         .scope = note ? note->scope_at(workspace.snapshots().origin()) : SnapshotScope(),
                         .privacy = note ? note->privacy_at(workspace.snapshots().origin()) : Privacy(),
                         .is_undo = note && note->is_undo,
                         .name = snapshot->alias()},
                        query, stop);
}

Result<WithLease<RestoreAnswer>> restore_source(Workspace& workspace, const RestoreSource& source,
                                                const RestoreQuery& query, const std::stop_token& stop) {
  std::vector<std::string> paths = outermost_paths(query.paths.value_or(std::vector<std::string>{""}));
  for (const std::string& path : paths) {
    if (is_reserved_path(path))
      return Error(
          ErrorCode::permission_denied,
          path_in_sentence(path) +
              " belongs to git or to the snapshot store, which is never restored. Leave it out of paths.");
    const WriteRules& rules = workspace.writer().rules();
    if (rules.protects(path)) return rules.check(path).error();
  }
  // An undo snapshot's files are captured individually. No folder is captured, so the plan must examine all
  // files.
  ExaminedFiles examined =
      query.dry_run || source.is_undo ? ExaminedFiles::all : ExaminedFiles::outside_folders;
  for (int tries = 0; tries < restore_tries_max; ++tries) {
    Result<RestorePlan> planned = plan_restore(workspace, source, paths, examined, stop);
    if (planned && planned->change.writes.empty() && examined != ExaminedFiles::all) {
      // Nothing will be replaced, so no capture follows that examines the files in folders; the plan must do
      // it.
      examined = ExaminedFiles::all;
      planned = plan_restore(workspace, source, paths, examined, stop);
    }
    if (!planned && planned.error().code == ErrorCode::repo_changed) continue;
    if (!planned) return std::move(planned).error();
    // The write rules are checked before any capture, and also in a dry run.
    WriteChecks checks(workspace.writer().rules());
    for (const TreeWrite& each : planned->change.writes) {
      TRY(checks.check(each.change));
    }
    if (query.dry_run) planned->change.writes.clear();
    if (!planned->change.writes.empty()) {
      Result<std::string> safety = prepare(workspace, source.name, paths, *planned, examined, stop);
      if (!safety && safety.error().code == ErrorCode::repo_changed) {
        examined = ExaminedFiles::all;
        continue;
      }
      if (!safety) return std::move(safety).error();
      planned->answer.safety_snapshot_id = *std::move(safety);
      if (query.make_note) planned->change.options.note = query.make_note(planned->answer);
    }
    WorktreeChange change = TRY(WorktreeChange::begin(workspace, std::nullopt, stop));
    std::optional<LeaseState> state = TRY(change.commit_or_retry(planned->change));
    if (state)
      return WithLease<RestoreAnswer>{.value = std::move(planned->answer), .lease = *std::move(state)};
  }
  return work_tree_changed_error("restored");
}

}  // namespace snapgen::core

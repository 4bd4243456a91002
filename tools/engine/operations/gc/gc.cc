#include "tools/engine/operations/gc/gc.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fcntl.h>
#include <sys/file.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/operations/gc/kinds.h"
#include "tools/engine/operations/gc/reachable_blobs.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/compact.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {
namespace {

std::string blobs_folder(const Workspace& workspace) { return store_folder_of(workspace) + "/blobs"; }

// Permits one collector at a time; the kernel releases the lock of a dead process.
Result<Fd> lock_collector(const std::string& folder) {
  Fd fd(::open((folder + "/collector").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return store_not_writable_error(folder);
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return fd;
  return Error(ErrorCode::unavailable, "Another process is cleaning up the snapshot store; try again later.");
}

class StoreCollector {
 public:
  StoreCollector(Workspace& workspace, const CollectQuery& query, const std::stop_token& stop)
      : workspace_(workspace), query_(query), stop_(stop), reachable_(std::in_place, workspace) {}

  Result<CollectResult> run() {
    TRY(make_folders(blobs_folder(workspace_)));
    Fd only = TRY(lock_collector(blobs_folder(workspace_)));
    if (query_.retention.history) thin_histories(*query_.retention.history);
    Result<Unit> done = choose_snapshots();
    if (done) done = reachable_->gather(going_, stop_);
    if (!done) return std::move(done).error();
    std::vector<SurveyedSegment> segments = TRY(survey_segments(blobs_folder(workspace_), stop_));
    std::uint64_t bytes = 0;
    for (const SurveyedSegment& segment : segments) bytes += segment.bytes;
    const bool misses = has_missing_blob(segments);
    Compaction compaction(blobs_folder(workspace_), std::move(segments));
    auto is_needed = [&](const BlobId& id) { return reachable_->contains(id); };
    if (misses) compaction.exclude_damaged();
    Compaction::Plan plan = compaction.plan(is_needed);
    auto fits = [&](const Compaction::Plan& planned) {
      return bytes - planned.dead_bytes <=
             static_cast<std::uint64_t>(query_.retention.quota_bytes + history_bytes_);
    };
    if (!fits(plan)) {
      Compaction::Plan smallest = TRY(without_expendable(compaction));
      found_.quota_is_too_small = !fits(smallest);
    }
    while (!found_.quota_is_too_small && !fits(plan) && keep_fewer()) {
      reachable_.emplace(workspace_);
      done = reachable_->gather(going_, stop_);
      if (!done) return std::move(done).error();
      plan = compaction.plan(is_needed);
    }
    found_.blobs_removed = plan.dead_blob_count;
    found_.bytes_freed = plan.dead_bytes;
    found_.segments_removed = plan.segments.size();
    if (!query_.dry_run) done = carry_out(compaction, plan, is_needed);
    if (!done) return std::move(done).error();
    found_.store_bytes = static_cast<std::uint64_t>(bytes_below(store_folder_of(workspace_)));
    return std::move(found_);
  }

 private:
  // Thins the histories of all work trees, also of deleted ones, and adds up what their moments store. If it
  // fails, more contents are retained.
  void thin_histories(const HistoryLimits& limits) {
    const std::string trees = store_folder_of(workspace_) + "/trees/";
    for (const std::string& tree : names_in_folder(trees).names) {
      HistoryLog log(history_folder(trees + tree));
      if (log.bytes() == 0) continue;
      const Result<Fd> turn = query_.dry_run ? Result<Fd>(Fd()) : log.wait_for_turn(stop_);
      if (turn && !query_.dry_run)
        static_cast<void>(
            thin_history(log, blobs_of(workspace_), limits, now_of(workspace_) / 1'000'000, stop_));
      if (const Result<Timeline> timeline = log.read()) history_bytes_ += history_bytes(*timeline, log);
    }
  }

  // Whether a needed blob is missing and may be in a damaged part of a segment.
  bool has_missing_blob(const std::vector<SurveyedSegment>& segments) const {
    if (std::ranges::none_of(segments,
                             [](const SurveyedSegment& one) { return one.has_unrecognized_bytes(); }))
      return false;
    std::unordered_set<BlobId, BlobIdHash> stored;
    for (const SurveyedSegment& segment : segments)
      for (const SurveyedRecord& record : segment.records) stored.insert(record.id);
    return reachable_->has_missing_blob(stored);
  }

  Result<Unit> choose_snapshots() {
    const SnapshotNotes listed = TRY(snapshots_of(workspace_).list_all());
    std::vector<SnapshotNote> notes;
    for (const auto& each : listed) notes.push_back(*each);
    found_.removed = expired_snapshots(notes, query_.retention, now_of(workspace_) / 1'000'000);
    if (query_.drop_damaged) add_damaged(notes);
    for (const SnapshotNote& note : found_.removed) going_.insert(note.hex);
    std::erase_if(notes, [&](const SnapshotNote& note) { return going_.contains(note.hex); });
    found_.retained_snapshots = static_cast<std::int64_t>(notes.size());
    choose_expendable(notes);
    return Unit{};
  }

  // Selects the retained snapshots that may be removed if the quota is exceeded.
  void choose_expendable(const std::vector<SnapshotNote>& keeping) {
    const std::set<std::string> spared =
        query_.spared_snapshots ? query_.spared_snapshots() : std::set<std::string>();
    const std::int64_t now_ms = now_of(workspace_) / 1'000'000;
    std::int64_t latest = std::max<std::int64_t>(1, query_.retention.keep_count / 10);
    for (const SnapshotNote& note : keeping) {
      const bool is_latest = !note.is_undo && latest-- > 0;
      if (!is_latest && !is_spared(note, spared, query_.retention, now_ms)) expendable_.push_back(note);
    }
  }

  // The compaction plan if every expendable snapshot were removed.
  Result<Compaction::Plan> without_expendable(const Compaction& compaction) const {
    std::set<std::string> going = going_;
    for (const SnapshotNote& note : expendable_) going.insert(note.hex);
    ReachableBlobs reachable(workspace_);
    TRY(reachable.gather(going, stop_));
    return compaction.plan([&](const BlobId& id) { return reachable.contains(id); });
  }

  // Removes a quarter of the retained snapshots, the oldest expendable ones. Returns false if there are none.
  bool keep_fewer() {
    if (expendable_.empty()) return false;
    const auto quarter = static_cast<std::size_t>((found_.retained_snapshots + 3) / 4);
    const auto first = expendable_.end() - static_cast<std::ptrdiff_t>(std::min(quarter, expendable_.size()));
    for (auto note = first; note != expendable_.end(); ++note) going_.insert(note->hex);
    found_.retained_snapshots -= expendable_.end() - first;
    found_.removed.insert(found_.removed.begin(), first, expendable_.end());
    expendable_.erase(first, expendable_.end());
    return true;
  }

  void add_damaged(const std::vector<SnapshotNote>& notes) {
    std::set<std::string> going;
    for (const SnapshotNote& note : found_.removed) going.insert(note.hex);
    for (const SnapshotNote& note : notes) {
      if (going.contains(note.hex)) continue;
      Result<std::shared_ptr<const Snapshot>> loaded = snapshots_of(workspace_).load("sha256:" + note.hex);
      if (!loaded && loaded.error().code != ErrorCode::unavailable) found_.removed.push_back(note);
    }
  }

  Result<Unit> carry_out(Compaction& compaction, const Compaction::Plan& plan,
                         const Compaction::IsNeeded& is_needed) {
    remove_stray_files(blobs_folder(workspace_));
    remove_old_temporaries(store_folder_of(workspace_) + "/snapshots");
    remove_old_temporaries(store_folder_of(workspace_) + "/snapshots/packs");
    Result<Unit> done = compaction.copy(plan, is_needed);
    if (!done) return done;
    GenerationLock hold = TRY(GenerationFile(blobs_folder(workspace_)).lock_exclusive());
    // Under the exclusive lock: a snapshot that was made again since the decision is retained.
    std::erase_if(found_.removed, [&](const SnapshotNote& decided) {
      std::optional<SnapshotNote> now = snapshots_of(workspace_).note(decided.hex);
      bool stays = now && now->latest_ms != decided.latest_ms;
      if (stays) going_.erase(decided.hex);
      found_.retained_snapshots += stays;
      return stays;
    });
    done = reachable_->gather(going_, stop_);
    if (done) done = snapshots_of(workspace_).remove({going_.begin(), going_.end()});
    if (done) done = compaction.remove_originals(hold, is_needed);
    found_.bytes_freed = compaction.bytes_freed();
    found_.segments_removed = compaction.segments_removed();
    found_.segments_in_use = compaction.segments_in_use();
    found_.segments_damaged = compaction.segments_damaged();
    return done;
  }

  Workspace& workspace_;
  const CollectQuery& query_;
  std::stop_token stop_;
  std::optional<ReachableBlobs> reachable_;
  std::vector<SnapshotNote> expendable_;  // Removable for the quota, latest first.
  std::set<std::string> going_;
  std::int64_t history_bytes_ = 0;  // What the moments of all histories were the first to store.
  CollectResult found_;
};

}  // namespace

Result<CollectResult> collect_garbage(Workspace& workspace, const CollectQuery& query,
                                      const std::stop_token& stop) {
  return StoreCollector(workspace, query, stop).run();
}

Result<StoreUsage> store_usage(Workspace& workspace, const std::stop_token& stop) {
  StoreUsage sums;
  const SnapshotNotes notes = TRY(snapshots_of(workspace).list_all());
  sums.snapshot_count = static_cast<std::int64_t>(notes.size());
  for (const auto& note : notes) sums.logical_bytes += note->stats.bytes;
  if (!notes.empty()) {
    sums.latest_ms = notes.front()->latest_ms;
    sums.oldest_ms = notes.back()->latest_ms;
  }
  ReachableBlobs reachable(workspace);
  TRY(reachable.gather({}, stop));
  std::vector<SurveyedSegment> segments = TRY(survey_segments(blobs_folder(workspace), stop));
  sums.segment_count = static_cast<std::int64_t>(segments.size());
  std::unordered_set<BlobId, BlobIdHash> different;
  for (const SurveyedSegment& segment : segments) {
    sums.blob_copy_count += static_cast<std::int64_t>(segment.records.size());
    for (const SurveyedRecord& record : segment.records) {
      if (different.insert(record.id).second)
        sums.blob_bytes += static_cast<std::int64_t>(record.location.raw_bytes);
    }
  }
  sums.blob_count = static_cast<std::int64_t>(different.size());
  Compaction compaction(blobs_folder(workspace), std::move(segments));
  auto is_needed = [&](const BlobId& id) { return reachable.contains(id); };
  sums.reclaimable_bytes = static_cast<std::int64_t>(compaction.plan(is_needed).dead_bytes);
  sums.stored_bytes = bytes_below(store_folder_of(workspace));
  return sums;
}

}  // namespace snapgen::core

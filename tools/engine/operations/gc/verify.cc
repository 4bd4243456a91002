#include "tools/engine/operations/gc/verify.h"

#include <mutex>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/blobs/compact.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::core {
namespace {

constexpr std::size_t records_per_block = 64;  // Records that one thread reads at a time.

class Verification {
 public:
  Verification(Workspace& workspace, const std::stop_token& stop) : workspace_(workspace), stop_(stop) {}

  Result<VerifyResult> run() {
    std::vector<SurveyedSegment> segments = TRY(survey_segments(folder(), stop_));
    for (const SurveyedSegment& segment : segments) {
      TRY(check_segment(segment));
    }
    TRY(check_snapshots());
    for (BlobDamage& damage : found_.damages) {
      if (!damage.blob) continue;
      damage.has_sound_copy = sound_.contains(*damage.blob);
      if (auto users = users_.find(*damage.blob); users != users_.end()) {
        const Users& of_blob = users->second;
        damage.snapshots = of_blob.snapshots;
        damage.paths.assign(of_blob.paths.begin(), of_blob.paths.end());
        damage.has_more_paths = of_blob.more_paths;
      }
    }
    return std::move(found_);
  }

 private:
  std::string folder() const { return store_folder_of(workspace_) + "/blobs"; }

  Result<Unit> check_segment(const SurveyedSegment& survey) {
    Result<std::shared_ptr<Segment>> segment = Segment::open(folder(), survey.name);
    if (!segment && segment.error().code == ErrorCode::not_found) return Unit{};  // The segment was removed.
    if (!segment) return std::move(segment).error();
    ++found_.segment_count;
    found_.torn_bytes += survey.torn_bytes;
    if (survey.index_is_wrong) found_.segments_with_wrong_index.push_back(survey.name);
    for (const SurveyedSegment::Gap& gap : survey.gaps) {
      const std::string why = gap.bytes == 0
                                  ? "the segment ends before it"
                                  : "no record can be read in " + std::to_string(gap.bytes) + " bytes";
      for (const BlobId& id : gap.lost)
        damaged(BlobDamage{.blob = id, .segment = survey.name, .offset = gap.offset, .why = why});
      if (gap.lost.empty())
        damaged(BlobDamage{.blob = {}, .segment = survey.name, .offset = gap.offset, .why = why});
    }
    in_parallel(survey.records.size(), records_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !stop_.stop_requested(); ++i) {
        Result<Unit> sound = check_record(*segment, survey.records[i]);
        std::lock_guard lock(mutex_);
        note(survey.name, survey.records[i], sound);
      }
    });
    if (stop_.stop_requested()) return cancelled_call_error();
    return Unit{};
  }

  void note(const std::string& segment, const SurveyedRecord& record, const Result<Unit>& sound) {
    ++found_.blob_copy_count;
    found_.content_bytes += static_cast<std::int64_t>(record.location.raw_bytes);
    if (sound) {
      sound_.insert(record.id);
    } else {
      damaged(BlobDamage{.blob = record.id,
                         .segment = segment,
                         .offset = record.location.offset,
                         .why = sound.error().cause});
    }
  }

  void damaged(BlobDamage damage) {
    if (damage.blob) broken_.insert(*damage.blob);
    found_.damages.push_back(std::move(damage));
  }

  Result<Unit> check_snapshots() {
    const Result<Unit> packs = snapshots_of(workspace_).check_undo_packs();
    if (!packs && packs.error().code != ErrorCode::internal) return packs;
    if (!packs) damaged(BlobDamage{.blob = {}, .segment = {}, .offset = 0, .why = packs.error().message});
    std::vector<std::string> names = TRY(snapshots_of(workspace_).id_hexes());
    for (const std::string& hex : names) {
      if (stop_.stop_requested()) return cancelled_call_error();
      Result<Unit> done = check_snapshot(hex);
      if (!done && done.error().code != ErrorCode::not_found) {
        found_.damaged_snapshots.push_back({.hex = hex, .why = done.error().message});
      }
    }
    return Unit{};
  }

  Result<Unit> check_snapshot(const std::string& hex) {
    SnapshotHeader head = TRY(snapshots_of(workspace_).read_header(hex));
    ++found_.snapshot_count;
    bool readable = true;
    for (const BlobId& chunk : head.chunks) readable = check_need(chunk, hex) && readable;
    if (!readable) return Error(ErrorCode::internal, "Its manifest cannot be read.");
    std::shared_ptr<const Snapshot> snapshot = TRY(snapshots_of(workspace_).load("sha256:" + hex));
    for (const ManifestEntry& entry : snapshot->entries) {
      if (!check_need(entry.blob, hex)) note_path(entry);
    }
    return Unit{};
  }

  // Checks a blob that the snapshot `hex` needs. Blobs that were added after the segments were read are
  // looked up.
  bool check_need(const BlobId& id, const std::string& hex) {
    if (sound_.contains(id) && !broken_.contains(id)) return true;
    if (!broken_.contains(id)) {
      Result<std::unique_ptr<ByteSource>> there = blobs_of(workspace_).open(id);
      if (there) return true;
      damaged(BlobDamage{.blob = id, .segment = {}, .offset = 0, .why = "it is missing"});
    }
    std::vector<std::string>& users = users_[id].snapshots;
    if (users.empty() || users.back() != hex) users.push_back(hex);
    return sound_.contains(id);
  }

  void note_path(const ManifestEntry& entry) {
    Users& users = users_[entry.blob];
    if (users.paths.size() < damage_paths_max) {
      users.paths.insert(entry.path);
    } else {
      users.more_paths = users.more_paths || !users.paths.contains(entry.path);
    }
  }

  struct Users {
    std::vector<std::string> snapshots;
    std::set<std::string> paths;
    bool more_paths = false;
  };

  Workspace& workspace_;
  std::stop_token stop_;
  VerifyResult found_;
  std::mutex mutex_;
  std::unordered_set<BlobId, BlobIdHash> sound_;
  std::unordered_set<BlobId, BlobIdHash> broken_;
  std::unordered_map<BlobId, Users, BlobIdHash> users_;  // The users of blobs in broken_.
};

}  // namespace

Result<VerifyResult> verify_store(Workspace& workspace, const std::stop_token& stop) {
  return Verification(workspace, stop).run();
}

}  // namespace snapgen::core

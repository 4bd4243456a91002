#pragma once
// Compaction: copies the needed blobs of segments to new ones and removes the old ones (see
// generation_file.h).
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/generation_file.h"
#include "tools/engine/store/blobs/survey.h"

namespace snapgen::core {

// One run of a collector; no other may run at the same time. Everything before remove_originals() only adds
// to the store, so a run may be abandoned at any point.
class Compaction {
 public:
  using IsNeeded = std::function<bool(const BlobId&)>;

  Compaction(std::string folder, std::vector<SurveyedSegment> segments)
      : folder_(std::move(folder)), segments_(std::move(segments)) {}
  Compaction(Compaction&&) = delete;
  ~Compaction();  // Removes the copies, unless remove_originals() began to remove the originals.

  // Excludes segments with damaged parts from now on: a missing blob may be in them.
  void exclude_damaged() { excludes_damaged_ = true; }

  // The segments that are worth rewriting, and the savings.
  struct Plan {
    std::vector<std::string> segments;
    std::uint64_t dead_blob_count = 0;  // In these segments; includes duplicates of needed blobs.
    std::uint64_t dead_bytes = 0;       // The bytes that these blobs, damaged parts and torn ends take.
  };
  Plan plan(const IsNeeded& is_needed) const;

  // Locks the segments of the plan, cuts off what crashes left after their last records, and copies their
  // needed blobs durably. Leaves a segment alone if another process appends to it, or if a needed blob in it
  // has no sound copy. If copying fails (disk full), leaves alone all segments with something to copy.
  // Errors: unavailable (there is then nothing to discard).
  Result<Unit> copy(const Plan& plan, const IsNeeded& is_needed);

  // Copies blobs that have become needed since copy(), counts the generation up, and removes the segments.
  // Errors: unavailable.
  Result<Unit> remove_originals(GenerationLock& hold, const IsNeeded& is_needed);

  std::uint64_t segments_in_use() const { return in_use_; }
  std::uint64_t segments_damaged() const { return damaged_; }
  std::uint64_t segments_removed() const { return removed_; }
  std::uint64_t bytes_freed() const {
    return bytes_before_ > bytes_after_ ? bytes_before_ - bytes_after_ : 0;
  }

 private:
  struct Victim {
    std::shared_ptr<Segment> segment;
    SurveyedSegment found;
  };
  bool is_spared(const SurveyedSegment& segment) const;
  Result<Unit> lock_victims(const Plan& plan);
  Result<Unit> copy_all(const IsNeeded& is_needed);
  Result<bool> copy_needed(const Victim& victim, const IsNeeded& is_needed);
  Result<Unit> append(const std::string& record);
  Result<Unit> finish_segment();
  bool is_stored_elsewhere(const BlobId& id) const;
  bool remove_copies();

  std::string folder_;
  std::vector<SurveyedSegment> segments_;
  std::vector<Victim> victims_;
  std::vector<std::shared_ptr<Segment>> staying_;
  std::vector<std::shared_ptr<Segment>> targets_;
  std::shared_ptr<Segment> target_;  // The last target, if it accepts more records; or null.
  std::string pending_;              // Bytes for target_ that are not written yet.
  std::unordered_set<BlobId, BlobIdHash> copied_;
  bool is_discarding_ = false;  // The originals may be removed, so the copies may be the only ones.
  bool excludes_damaged_ = false;
  std::uint64_t in_use_ = 0;
  std::uint64_t damaged_ = 0;
  std::uint64_t removed_ = 0;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t bytes_after_ = 0;
};

// Deletes files that crashes left beside the segments, such as index files without a segment.
void remove_stray_files(const std::string& folder);

}  // namespace snapgen::core

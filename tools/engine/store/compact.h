#pragma once
// Compaction: what is needed of some segments goes to a new one, and they are removed (see generation.h).
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/generation.h"
#include "tools/engine/store/survey.h"

namespace snapgen::core {

// One run of a collector; there must be no other one at a time. Everything up to discard() only adds to the
// store and may be given up at any point.
class Compaction {
 public:
  using IsNeeded = std::function<bool(const BlobId&)>;

  Compaction(std::string folder, std::vector<SurveyedSegment> segments)
      : folder_(std::move(folder)), segments_(std::move(segments)) {}
  Compaction(Compaction&&) = delete;
  ~Compaction();  // Of what was not discarded no copies stay.

  // From now on segments stay in which something is no record: what is missing may be there.
  void spare_damaged() { spares_damaged_ = true; }

  // What could be won by rewriting those segments for which it is worth while.
  struct Plan {
    std::vector<std::string> segments;
    std::uint64_t dead_blobs = 0;  // In them, copies of what is needed included,
    std::uint64_t dead_bytes = 0;  // and the room that these take.
  };
  Plan plan(const IsNeeded& is_needed) const;

  // Locks the segments of the plan, cuts off what crashes left behind their last records, and copies what is
  // needed of them, durably. A segment that somebody appends to, or that has a needed blob without a sound
  // copy, is left alone; and where copying fails, on a full disk, all that have something to copy. Errors:
  // unavailable (then there is nothing to discard).
  Result<Unit> copy(const Plan& plan, const IsNeeded& is_needed);

  // Copies what has come to be needed since, makes everybody look anew, and removes the segments. Errors:
  // unavailable.
  Result<Unit> discard(GenerationHold& hold, const IsNeeded& is_needed);

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
  bool stands_elsewhere(const BlobId& id) const;
  bool remove_copies();

  std::string folder_;
  std::vector<SurveyedSegment> segments_;
  std::vector<Victim> victims_;
  std::vector<std::shared_ptr<Segment>> staying_;
  std::vector<std::shared_ptr<Segment>> targets_;
  std::shared_ptr<Segment> target_;  // The last of them, if it takes more.
  std::string pending_;              // Of the target.
  std::unordered_set<BlobId, BlobIdHash> copied_;
  bool is_discarding_ = false;  // The copies may be the only ones.
  bool spares_damaged_ = false;
  std::uint64_t in_use_ = 0;
  std::uint64_t damaged_ = 0;
  std::uint64_t removed_ = 0;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t bytes_after_ = 0;
};

// Removes what crashes left beside the segments: index files of segments that are gone.
void remove_strays(const std::string& folder);

}  // namespace snapgen::core

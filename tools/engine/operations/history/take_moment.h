#pragma once
// MomentTaker records moments of a workspace (moment.h): it compares the work tree and the position of git
// with the last recorded ones, stores the contents of what changed, and appends a moment to the history's
// log.
//
// A moment is not one instant: each file is as it was at some time while the moment was taken. A file that
// keeps changing meanwhile is left for the next moment. One whose versions of a day take too much (BusyFiles)
// is left out until it has not changed for ten minutes, except before and after a rewind or an undo.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/position.h"
#include "tools/engine/operations/history/busy_files.h"
#include "tools/engine/operations/history/history_options.h"
#include "tools/engine/operations/history/store_copy.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/history/recorded_state.h"
#include "tools/engine/workspace/own_writes.h"

namespace snapgen::core {

class Workspace;

enum class MomentPace : std::uint8_t {
  normal,
  background,  // At low priority, so that it delays no call.
};

struct TakenMoment {
  std::uint64_t number = 0;           // The last moment, whose state is the present one unless it is paused.
  bool is_new = false;                // Something had changed.
  std::vector<std::string> unstable;  // Files that kept changing.
  // When a file that changes too much is recorded if it does not change until then; 0: there is none.
  std::int64_t again_ms = 0;
  std::string copy_failure = {};  // Why the copy of the store (store_copy.h) is not up to date.
};

// Thread-safe.
class MomentTaker {
 public:
  // `workspace` must outlive this.
  MomentTaker(Workspace& workspace, HistoryOptions options);
  MomentTaker(MomentTaker&&) = delete;
  ~MomentTaker();  // Updates the copy of the store.

  // Records nothing while the history is paused. Errors: unavailable (the store cannot be written, ...);
  // too_large (the tree has too many files, or the changes would take too much of the free space); cancelled.
  Result<TakenMoment> take(MomentCause cause, MomentPace pace, const std::stop_token& stop);

  // While the caller has this, no other thread takes moments, so that what it changes is in one.
  std::unique_lock<std::recursive_mutex> hold() { return std::unique_lock(mutex_); }

  HistoryLog& log() { return log_; }
  const HistoryOptions& options() const { return options_; }
  void release_memory();

 private:
  class Taking;

  // The caller of these functions holds mutex_ and the turn.
  Result<TakenMoment> take_in_turn(MomentCause cause, MomentPace pace, const std::stop_token& stop);
  Result<Unit> update_state();
  void load_base(const Timeline& timeline);
  void apply(const std::vector<MomentChange>& changes, std::int64_t at_ms);
  std::int64_t bytes_max_beside(std::int64_t stored_bytes) const;
  HistoryLimits limits_for(const Timeline& timeline) const;
  Result<GitPosition> present_position(const std::stop_token& stop);
  void forget_state();
  Result<bool> record(Moment moment, std::uint64_t generation);
  Result<bool> try_to_record(Moment moment, std::uint64_t generation);
  void collect_own_writes();
  Result<bool> record_replaced_writes(MomentCause cause);
  void take_back_own_writes(std::vector<MomentChange>& changes);
  Result<Unit> thin_if_due(const std::stop_token& stop);

  Workspace& workspace_;
  HistoryOptions options_;
  HistoryLog log_;
  std::recursive_mutex mutex_;
  StoreCopy copy_;
  std::optional<RecordedState> state_;  // The state after the moment number_; nullopt: not loaded.
  std::uint64_t number_ = 0;
  GitPosition position_;     // After the moment number_.
  RepositoryPosition read_;  // What was last read of the repository, and its blobs.
  GitPosition read_as_;
  bool needs_base_ = false;       // The state is unknown: the next record is a base.
  std::int64_t last_ms_ = 0;      // The time of that moment, or of the last comparison.
  std::int64_t prompt_ms_ = 0;    // The time of the last prompt that a hook reported; 0: none.
  std::int64_t compared_ns_ = 0;  // When the tree was last compared with the state, by the system's clock.
  std::set<std::string, std::less<>> ignored_paths_;  // Files and folders that git ignored then.
  std::map<std::string, FileStat> left_out_;          // The stats of files that did not fit.
  BusyFiles busy_;
  std::int64_t file_versions_bytes_max_ = 0;  // See HistoryLimits.
  std::vector<OwnWrite> own_writes_;          // Not yet recorded.
  std::int64_t thinned_ms_ = 0;
};

}  // namespace snapgen::core

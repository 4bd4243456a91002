#pragma once
// Questions about the history of a workspace: its turns and moments, and the moment that a text means.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/history/recorded_state.h"

namespace snapgen::core {

// A turn: what happened between two prompts of a user. Without prompts, moments that are not more than ten
// minutes apart are a turn. It is named after its first moment, as in "t12".
struct HistoryTurn {
  std::uint64_t first_moment = 0;
  std::uint64_t last_moment = 0;
  std::int64_t began_ms = 0;
  std::int64_t ended_ms = 0;
  std::string host;  // These are empty without hooks.
  std::string session;
  std::string prompt;
};

// The turns that have moments, the earliest first.
std::vector<HistoryTurn> turns_of(const Timeline& timeline);

enum class ChangeKind : std::uint8_t { created, modified, mode_changed, deleted, left_out };
ChangeKind kind_of(const MomentChange& change);

// MomentAuthors tells what made the changes of a moment: "server", the shell command or the tool of the host
// that ran meanwhile, such as "Bash: rm -rf build", or "outside".
class MomentAuthors {
 public:
  MomentAuthors(const Timeline& timeline, const Moment& moment);
  std::string of(const MomentChange& change) const;

 private:
  // The tools that ran between the moment before and this one, in the order of their beginnings.
  std::vector<std::shared_ptr<const HostEvent>> tools_;
};

// The moments that a text names.
struct HistoryTarget {
  // The moments; for a time `first` is the moment after it, which may not exist yet, and `last` is less.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::string name;  // Such as "m12", "t12" or "14:03".

  bool is_time() const { return last < first; }
};

// Finds what `text` names: a moment (m12), a turn (t12), or a time: 14:03, 2026-11-28 14:03, both with
// seconds and in local time, 2026-11-28T14:03:00Z, or "5 minutes ago"; also with "before" in front. Errors:
// invalid_argument (unknown form); not_found (no such moment or turn; the time is before the history).
Result<HistoryTarget> find_history_target(const Timeline& timeline, std::string_view text,
                                          std::int64_t now_ms);

// The state after the moment `number`. Errors: not_found (removed); internal (damaged); cancelled.
Result<RecordedState> state_after(const Timeline& timeline, BlobStore& blobs, std::uint64_t number,
                                  const std::stop_token& stop);

// The changes of the moments of a target together. Errors: as changes_of(); cancelled.
Result<std::vector<MomentChange>> changes_of(const Timeline& timeline, BlobStore& blobs,
                                             const HistoryTarget& target, const std::stop_token& stop);

struct HistoryListQuery {
  std::vector<std::string> paths;       // Files or folders; empty: everything.
  std::optional<std::string> target;    // Only the moments of a turn, or one moment.
  std::optional<std::uint64_t> before;  // Only moments with a lower number: the cursor.
  std::size_t moments_max = 20;
  std::size_t changes_max = 20;  // Of each moment.
};

struct ListedChange {
  std::string path;
  ChangeKind kind = ChangeKind::modified;
  std::string author;
  // If the file is left out because it changes too much: when it was last recorded; else 0.
  std::int64_t recorded_ms = 0;
};

struct ListedMoment {
  std::uint64_t number = 0;
  std::int64_t at_ms = 0;
  GitPosition position;
  // What of the position is another one than at the moment before.
  bool moved_head = false;  // HEAD or the branch.
  bool moved_branches = false;
  bool moved_index = false;
  std::vector<ListedChange> changes;  // Of the paths of the query, sorted by path.
  std::int64_t change_count = 0;      // Of all these changes.
};

struct ListedTurn {
  HistoryTurn turn;
  std::vector<ListedMoment> moments;  // The latest first.
};

struct HistoryList {
  std::vector<ListedTurn> turns;  // The latest first.
  std::optional<std::uint64_t> next_before;
  std::int64_t oldest_ms = 0;  // The time of the oldest state; 0: the history is empty.
};

// Errors: as find_history_target() and changes_of().
Result<HistoryList> list_history(const Timeline& timeline, BlobStore& blobs, const HistoryListQuery& query,
                                 std::int64_t now_ms, const std::stop_token& stop);

}  // namespace snapgen::core

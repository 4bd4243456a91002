#pragma once
// Finds what a restore takes away besides what it is meant to undo, from the changes that followed.
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/restore.h"
#include "tools/engine/store/history/history_log.h"
#include "tools/engine/store/history/recorded_state.h"

namespace snapgen::core {

struct Snapshot;

// A file that a restore changes.
struct LaterPart {
  std::uint64_t after = 0;     // Only changes in later moments count.
  std::optional<BlobId> blob;  // The content whose lines do not count; nullopt: all lines count.
};

struct LaterChanges {
  enum class By : std::uint8_t { others, all };
  const Timeline& timeline;
  const RecordedState& present;  // The state before the restore.
  By by = By::others;
};

// Returns the lines that later changes wrote, sorted by path, of 50 files at most. Errors: as changes_of().
Result<std::vector<ForeignLines>> foreign_lines(BlobStore& blobs, const LaterChanges& later,
                                                const std::map<std::string, LaterPart, std::less<>>& parts);

// The same for a restore of a snapshot, done or planned, from the state after the moment `present`. Of an
// undo snapshot, everything counts that followed the change that it undoes; of another one, what others
// changed since. Errors: as state_after().
Result<std::vector<ForeignLines>> foreign_lines_of_restore(Workspace& workspace, const Timeline& timeline,
                                                           std::uint64_t present, const Snapshot& snapshot,
                                                           const std::vector<RestoredPath>& changes,
                                                           const std::stop_token& stop);

// The change that an undo snapshot undoes, of each file: the first one after it that replaced its content.
struct UndoneChange {
  std::uint64_t moment = 0;
  MomentChange change;
};
struct UndoneChanges {
  std::map<std::string, UndoneChange, std::less<>> found;
  std::vector<std::string> missing;  // The files of which the history has no such change; sorted.
};
// Errors: as changes_of().
Result<UndoneChanges> changes_undone_by(Workspace& workspace, const Timeline& timeline,
                                        const Snapshot& snapshot, const SnapshotNote& note);

}  // namespace snapgen::core

#pragma once
// Moment: a state of the whole workspace that the server recorded without being asked, as the changes since
// the moment before. Moments are numbered from 1 in each work tree.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/store/blobs/blob_id.h"

namespace snapgen::core {

// The part of st_mode that an undo and a rewind restore, with the type.
inline constexpr std::uint32_t recorded_permissions = 0777;

// A file of a recorded state.
struct HistoryFile {
  // The content; of a symlink, its target. If the history leaves the file out because it changes too much,
  // the content that it recorded before, or the first one; if it leaves it out for another reason, zero.
  BlobId blob;
  std::uint32_t mode = 0;  // st_mode: type and permissions. 0: the history leaves the file out.

  bool is_left_out() const { return mode == 0; }
  bool changes_too_much() const { return mode == 0 && blob != BlobId(); }
  bool operator==(const HistoryFile&) const = default;
};

// The file after a change that is not recorded because the file changes too much. `before`: the file before,
// or the new one if there was none.
HistoryFile left_out_for_changes(const std::optional<HistoryFile>& before);

struct MomentChange {
  std::string path;
  // The file before and after the change; nullopt: there was none. `before` is left out if the file existed
  // but was not recorded, because git ignored it.
  std::optional<HistoryFile> before, after;
  bool is_by_server = false;  // This server made the change, so no other process did.

  // Whether the change recorded a content that the file did not have before.
  bool has_new_content() const {
    return after && !after->is_left_out() && (!before || before->blob != after->blob);
  }
  bool operator==(const MomentChange&) const = default;
};

enum class MomentCause : std::uint8_t {
  begin,    // The first moment of a server, with what changed while none ran.
  quiet,    // The watch saw changes, and then none for a while.
  call,     // The history was asked for, or a tool was called while the tree is not watched.
  request,  // A hook reported an event.
  before,   // Before an undo or a rewind.
  after,    // After an undo or a rewind.
  end,      // The server ends.
};
std::string_view text(MomentCause cause);
std::optional<MomentCause> moment_cause_named(std::string_view name);

// The position of the repository. Each member is empty without git.
struct GitPosition {
  std::string head;    // The object id of the commit; empty if the branch is unborn.
  std::string branch;  // Such as "refs/heads/main"; empty if HEAD is detached.
  // The blobs of the local branches and of the index (recorded_position.h).
  std::optional<BlobId> branches, index;

  // Whether a repository can be moved back to it. Logs of earlier versions have no branches and no index.
  bool is_complete() const { return branches && index; }
  bool operator==(const GitPosition&) const = default;
};

struct Moment {
  std::uint64_t number = 0;
  std::uint64_t first_number = 0;  // Less than `number` if earlier moments were merged into this one.
  std::int64_t began_ms = 0;       // The time of the moment before, since 1970.
  std::int64_t at_ms = 0;
  MomentCause cause = MomentCause::quiet;
  GitPosition position;
  std::int64_t new_bytes = 0;         // The size of the contents that the moment was the first to store.
  std::vector<MomentChange> changes;  // Sorted by path.
  // The blobs with the encoded changes, if these are too long for a line; `changes` is then empty.
  std::vector<BlobId> change_blobs;
  std::int64_t change_count = 0;

  bool operator==(const Moment&) const = default;
};

// A whole state, from which later moments continue.
struct HistoryBase {
  std::uint64_t number = 0;  // The state after this moment; 0: before the first.
  std::int64_t at_ms = 0;
  BlobId state;  // The blob of an encoded state (recorded_state.h).
  GitPosition position;

  bool operator==(const HistoryBase&) const = default;
};

// Each is one JSON object without line breaks, and the reverse: nullopt if the text is none.
std::string encoded_moment(const Moment& moment);
std::optional<Moment> parse_moment(std::string_view line);
std::string encoded_base(const HistoryBase& base);
std::optional<HistoryBase> parse_base(std::string_view line);

// The changes as a JSON array, and the reverse.
std::string encoded_changes(const std::vector<MomentChange>& changes);
std::optional<std::vector<MomentChange>> parse_changes(std::string_view text);

// The moment of all changes from the begin of `earlier` to `later`, which follows it. Both have their changes
// in memory.
Moment merged_moment(const Moment& earlier, Moment later);

}  // namespace snapgen::core

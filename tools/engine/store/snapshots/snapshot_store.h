#pragma once
// SnapshotStore: snapshots by id, each with a note (SnapshotNote).
//
// `<hex>` is a small JSON file with the fingerprint and the blobs of the manifest's chunks. It is written
// last, so that a snapshot exists as a whole or not at all. Readers verify it against its name.
// `<hex>.note` is the note. Older undo snapshots are in packs instead (undo_packs.h).
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/manifest.h"
#include "tools/engine/store/snapshots/manifest_cache.h"
#include "tools/engine/store/snapshots/snapshot_files.h"
#include "tools/engine/store/snapshots/snapshot_note.h"
#include "tools/engine/store/snapshots/undo_packs.h"
#include "tools/engine/store/snapshots/undo_store.h"

namespace snapgen::core {

struct Snapshot {
  std::string hex;  // 64 digits
  Fingerprint fingerprint;
  std::vector<ManifestEntry> entries;  // sorted by path

  std::string id() const { return "sha256:" + hex; }
  std::string alias() const { return short_snapshot_id(hex); }
};

// The error not_found for a path at and below which the snapshot has no file.
Error not_in_snapshot_error(const Snapshot& snapshot, std::string_view path);

// The content of the file `<hex>` of a snapshot.
struct SnapshotHeader {
  Fingerprint fingerprint;
  std::vector<BlobId> chunks;
};

// Parses a SnapshotHeader. Returns nullopt if the text is damaged.
std::optional<SnapshotHeader> parse_snapshot_header(std::string_view text);

// A snapshot that is not saved yet.
struct SnapshotPlan {
  std::string hex;
  Fingerprint fingerprint;
  std::vector<BlobId> chunks;
};

struct SnapshotSaveOptions {
  std::string_view message;
  bool prefers_earlier_message = false;  // An earlier message of the snapshot replaces this one.
  bool is_undo = false;                  // The snapshot is an undo snapshot, see SnapshotNote::is_undo.
  std::int64_t now_ms = 0;
  // False: the snapshot was computed from another one, so that its scope proves nothing about the present
  // work tree.
  bool captured = true;
  SnapshotScope scope;
  Privacy privacy;
  std::int64_t bytes = 0;  // The size of all contents together.
  // All blobs were found or put in this generation of the store; they are checked again only if a collector
  // ran since. nullopt: every blob is checked, and `bytes` is computed.
  std::optional<std::uint64_t> found_in_generation;
  std::stop_token stop = {};  // Cancels waiting for another process that writes notes.
};

struct SavedSnapshot {
  ManifestStats stats;
  bool existed = false;  // An earlier save of the same snapshot was in the store.
};

// Shared, because a list of thousands that shows ten copies only these.
using SnapshotNotes = std::vector<std::shared_ptr<const SnapshotNote>>;

// Thread-safe.
class SnapshotStore final : public UndoStore {
 public:
  // `origin`: the origin of the snapshots that are saved.
  SnapshotStore(std::string folder, SnapshotOrigin origin, BlobStore& blobs)
      : folder_(std::move(folder)), origin_(std::move(origin)), blobs_(blobs), undo_packs_(folder_) {}

  // First half of saving: computes the id and puts the manifest into the blob store, where nothing refers
  // to it yet. `rows` are sorted by path. Errors: unavailable.
  Result<SnapshotPlan> plan(const Fingerprint& fingerprint, std::span<const ManifestRow> rows);

  // Second half of saving, with the rows of plan(), whose blobs were put before. The snapshot is durable when
  // this returns. Errors: unavailable; repo_changed (a collector removed some of the blobs: put them again);
  // cancelled.
  Result<SavedSnapshot> save(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                             const SnapshotSaveOptions& saving);

  // The second half of saving in two steps, for a caller whose journal includes the files (snapshot_files.h)
  // and that calls make_files_durable() before it deletes the journal. files() returns the data for the
  // journal. write_unsynced() makes the blobs durable and writes both files without a sync. Errors: as
  // save().
  SnapshotFiles files(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                      const SnapshotSaveOptions& saving);
  Result<Unit> write_unsynced(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                              const SnapshotSaveOptions& saving);

  // The writer's interface of undo snapshots.
  bool has_contents(const SnapshotFiles& files) override;
  Result<Unit> make_files_durable(const SnapshotFiles& files) override {
    return make_snapshot_durable(folder_, files);
  }
  Result<Unit> save_late_write(const FileRecord& replaced, int fd) override;
  void pack_older(const std::stop_token& stop) override;
  // Calls `listener` for each snapshot of a late write, with a sentence that names it. Calls are on any
  // thread.
  void set_late_write_listener(std::function<void(const std::string& sentence)> listener);

  // Packs undo snapshots that were last made at `latest_ms_max` or before (UndoPacks::pack()).
  Result<std::size_t> pack_undos(std::int64_t latest_ms_max, const std::stop_token& stop) {
    return undo_packs_.pack(blobs_, latest_ms_max, stop);
  }
  // Errors: those of UndoPacks::check().
  Result<Unit> check_undo_packs() { return undo_packs_.check(); }

  // Plans and saves a snapshot that was computed from another one. `like` has that one's privacy, and the
  // scope of the new one. Errors: as plan() and save().
  Result<std::shared_ptr<const Snapshot>> save(const Fingerprint& fingerprint,
                                               std::vector<ManifestEntry> entries, std::int64_t now_ms,
                                               SnapshotCapture like = {}, std::stop_token stop = {});

  // Finds a snapshot by its id, its alias, or an unambiguous prefix of either. Errors: invalid_argument
  // (malformed, or ambiguous, with the candidates); not_found; internal (damaged).
  Result<std::shared_ptr<const Snapshot>> load(std::string_view id);

  // Returns a recently used snapshot by its full id, or null. Reads no content.
  std::shared_ptr<const Snapshot> try_load(std::string_view id);

  // The number and size of the snapshot's files. Errors: internal (a blob is missing).
  Result<ManifestStats> stats(const Snapshot& snapshot);

  // The snapshots of this workspace and of the same folder in other work trees, the latest first; all undo
  // snapshots but the latest ten are at the end. Errors: unavailable.
  Result<SnapshotNotes> list();

  // Checks that the snapshot's paths are those of this workspace. Errors: invalid_argument (it was taken of
  // another folder of the repository).
  Result<Unit> check_same_folder(const Snapshot& snapshot);

  // Sets a sentence on other stores with snapshots of this workspace; mostly empty. Errors of load() end
  // with it. Set before any other use.
  void set_other_stores_sentence(std::string sentence) { other_stores_sentence_ = std::move(sentence); }
  // Returns what to append to an error for an unknown snapshot: that other stores or folders have snapshots.
  // Usually empty.
  std::string other_snapshots_sentence();

  ManifestCache& manifest_cache() { return manifest_cache_; }

  // Frees what can be read from disk again.
  void release_memory();

  const std::string& folder() const { return folder_; }
  const SnapshotOrigin& origin() const { return origin_; }

  // For maintenance: the snapshots of all workspaces, the latest first. Errors: unavailable.
  Result<SnapshotNotes> list_all();
  // The digits of all ids, sorted. Errors: unavailable.
  Result<std::vector<std::string>> id_hexes();
  // The header of a snapshot. Errors: not_found; internal (damaged).
  Result<SnapshotHeader> read_header(const std::string& hex);
  // Returns nullopt if there is no such snapshot. If the note was lost, the file's time is used.
  std::optional<SnapshotNote> note(const std::string& hex);
  // The part of the workspace that the snapshot captured. Empty if its note was lost.
  SnapshotScope captured_scope(const Snapshot& snapshot);
  // Removes the snapshots durably. The caller holds the discarding lock (generation_file.h). Errors:
  // unavailable.
  Result<Unit> remove(const std::vector<std::string>& hexes);

 private:
  struct BlobHold {
    GenerationLock hold;
    std::optional<std::uint64_t> bytes;  // The size of all blobs, if they were checked.
  };
  Result<BlobHold> checked_reference(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                                     std::optional<std::uint64_t> found_in_generation);
  std::optional<std::uint64_t> bytes_of_all(const SnapshotPlan& plan, std::span<const ManifestRow> rows);
  SnapshotNote new_note(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                        const SnapshotSaveOptions& saving) const;
  // These return whether there was an earlier note.
  bool merge_earlier_note(SnapshotNote& note, const SnapshotSaveOptions& saving);
  Result<bool> write_note(SnapshotNote& note, const SnapshotSaveOptions& saving);
  Error unknown_snapshot_error(std::string_view id) const;
  Result<std::string> find(std::string_view id);
  Result<std::shared_ptr<const Snapshot>> read(const std::string& hex);
  std::optional<SnapshotNote> read_note(const std::string& hex);
  std::shared_ptr<const Snapshot> find_recent(const std::string& hex);
  void add_recent(std::shared_ptr<const Snapshot> snapshot);

  std::string folder_;
  SnapshotOrigin origin_;
  std::string other_stores_sentence_;
  BlobStore& blobs_;
  UndoPacks undo_packs_;
  ManifestCache manifest_cache_;
  std::function<void(const std::string& sentence)> late_write_listener_;
  std::mutex mutex_;
  std::list<std::shared_ptr<const Snapshot>> recent_;  // Most recently used first.
};

}  // namespace snapgen::core

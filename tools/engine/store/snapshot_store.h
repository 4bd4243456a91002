#pragma once
// SnapshotStore: snapshots by their id, and beside each what people want to know of it: when, and why.
//
// `<hex>` is a small JSON file: the fingerprint and the blobs that the manifest's chunks are. It is written
// last, so that a snapshot is there wholly or not at all, and checked against its own name when it is read.
// `<hex>.note` holds its SnapshotNote.
#include <cstdint>
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
#include "tools/engine/store/blob_store.h"
#include "tools/engine/store/manifest.h"
#include "tools/engine/store/snapshot_files.h"
#include "tools/engine/store/snapshot_note.h"

namespace snapgen::core {

struct Snapshot {
  std::string hex;  // 64 digits
  Fingerprint fingerprint;
  std::vector<ManifestEntry> entries;  // sorted by path

  std::string id() const { return "sha256:" + hex; }
  std::string alias() const { return short_snapshot(hex); }
};

// What the file of a snapshot says.
struct SnapshotHead {
  Fingerprint fingerprint;
  std::vector<BlobId> chunks;
};

// None: the text is damaged.
std::optional<SnapshotHead> decoded_head(std::string_view text);

// A snapshot that is about to be kept.
struct SnapshotPlan {
  std::string hex;
  Fingerprint fingerprint;
  std::vector<BlobId> chunks;
};

struct SnapshotSaving {
  std::string_view message;
  bool keeps_message = false;  // Where the same snapshot was made before, its message stays alone.
  bool undo = false;           // See SnapshotNote::undo.
  std::int64_t now_ms = 0;
  SnapshotScope scope;
  Privacy privacy;
  std::int64_t bytes = 0;  // Of all contents together.
  // All blobs were found in the store in this generation of it, or put since: unless a collector was there
  // since, none of them is looked for again. None: each is looked for, and `bytes` is counted.
  std::optional<std::uint64_t> found_in;
  std::stop_token stop = {};  // Others may be writing notes, which is waited for.
};

// Thread-safe.
class SnapshotStore {
 public:
  // `place`: where what is saved was taken.
  SnapshotStore(std::string folder, SnapshotOrigin place, BlobStore& blobs)
      : folder_(std::move(folder)), place_(std::move(place)), blobs_(blobs) {}

  // The first half of keeping a snapshot: finds out its id, and puts its manifest into the blob store, where
  // nothing refers to it yet. `rows` are sorted by path. Errors: unavailable.
  Result<SnapshotPlan> plan(const Fingerprint& fingerprint, std::span<const ManifestRow> rows);

  // The second: of the same rows, whose blobs were put before; durable when this returns.
  // Errors: unavailable; repo_changed (a collector threw away some of the blobs: put them again); cancelled.
  Result<ManifestStats> save(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                             const SnapshotSaving& saving);

  // The second in two steps, for a caller whose journal carries the files (snapshot_files.h) and who calls
  // make_durable() before that journal is deleted. `files` is what the journal needs to know; place() makes
  // the blobs durable and writes both files without waiting for the disk. Errors: as save().
  SnapshotFiles files(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                      const SnapshotSaving& saving);
  Result<Unit> place(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                     const SnapshotSaving& saving);

  // For the writers of changes that make undo snapshots. The store must outlive it.
  UndoStore undo_store();

  // Both, of entries that nobody captured. Errors: as above.
  Result<std::shared_ptr<const Snapshot>> save(const Fingerprint& fingerprint,
                                               std::vector<ManifestEntry> entries, std::int64_t now_ms,
                                               std::stop_token stop = {}, Privacy privacy = {});

  // By an id, an alias, or any unambiguous beginning of either. Errors: invalid_argument (no such form;
  // ambiguous, with the candidates); not_found; internal (damaged).
  Result<std::shared_ptr<const Snapshot>> load(std::string_view id);

  // The same by a whole id, of one that was used before; null otherwise. Nothing is read.
  std::shared_ptr<const Snapshot> try_load(std::string_view id);

  // Errors: internal (a blob is missing).
  Result<ManifestStats> stats(const Snapshot& snapshot);

  // The snapshots of this workspace, the latest first, and those of the same folder in other work trees; of
  // undo snapshots only the latest ten.
  // Errors: unavailable.
  Result<std::vector<SnapshotNote>> list();

  // That the snapshot's paths are those of this workspace. Errors: invalid_argument (it was taken of another
  // folder of the repository).
  Result<Unit> check_is_of_here(const Snapshot& snapshot);

  // A sentence on where else snapshots of this workspace are, which is said where one is missed; mostly
  // empty. Set before anything is asked.
  void set_elsewhere(std::string sentence) { elsewhere_ = std::move(sentence); }
  // That, and what the store has of other folders, for who finds no snapshot here; mostly empty.
  std::string where_others_are();

  // Lets go of what can be read again.
  void rest();

  const std::string& folder() const { return folder_; }
  const SnapshotOrigin& place() const { return place_; }

  // For who looks after the store: those of all workspaces, the latest first. Errors: unavailable.
  Result<std::vector<SnapshotNote>> list_all();
  // The digits of all ids, sorted. Errors: unavailable.
  Result<std::vector<std::string>> names();
  // Errors: not_found; internal (damaged).
  Result<SnapshotHead> head(const std::string& hex);
  // None: there is no such snapshot. One whose note was lost is as old as its file.
  std::optional<SnapshotNote> note(const std::string& hex);
  // Not there any more, durably, when this returns. By one who discards (generation.h). Errors: unavailable.
  Result<Unit> remove(const std::vector<std::string>& hexes);

 private:
  struct Referring {
    GenerationHold hold;
    std::optional<std::uint64_t> bytes;  // Of all blobs together, if they were looked for.
  };
  Result<Referring> refer(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                          std::optional<std::uint64_t> found_in);
  std::optional<std::uint64_t> bytes_of_all(const SnapshotPlan& plan, std::span<const ManifestRow> rows);
  SnapshotNote new_note(const SnapshotPlan& plan, std::span<const ManifestRow> rows,
                        const SnapshotSaving& saving) const;
  void add_earlier(SnapshotNote& note, const SnapshotSaving& saving);
  Result<Unit> write_note(SnapshotNote& note, const SnapshotSaving& saving);
  Error unknown(std::string_view id) const;
  Result<std::string> find(std::string_view id);
  Result<std::shared_ptr<const Snapshot>> read(const std::string& hex);
  std::optional<SnapshotNote> read_note(const std::string& hex);
  std::shared_ptr<const Snapshot> known(const std::string& hex);
  void keep(std::shared_ptr<const Snapshot> snapshot);

  std::string folder_;
  SnapshotOrigin place_;
  std::string elsewhere_;
  BlobStore& blobs_;
  std::mutex mutex_;
  std::list<std::shared_ptr<const Snapshot>> recent_;  // The latest used first.
};

}  // namespace snapgen::core

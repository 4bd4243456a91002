#pragma once
// UndoPacks: the packs (undo_pack.h) of a SnapshotStore. They are in the subfolder `packs`, so that a lookup
// need not list thousands of other files.
//
// A new undo snapshot has two files of its own, which the journal of its change includes. pack() moves those
// of older ones into a pack: it writes the pack durably, and then deletes the files. So after a crash at any
// time a snapshot has its files, or is in a pack, or both. If both, its files are the newer ones.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/snapshots/undo_pack.h"

namespace snapgen::core {

// The packs of a folder at one time. Immutable.
struct PackedUndos {
  struct File {
    std::string name;
    FileStat stat;  // All zeros if the file cannot be read.
    UndoPack pack;
  };
  std::vector<std::shared_ptr<const File>> files;  // Sorted by name.
  struct Entry {
    const PackedUndo* undo;
    const File* file;
  };
  // The snapshots of `files`, sorted by id: of each only the latest that is not damaged.
  std::vector<Entry> entries;

  // Returns null if there is no such snapshot.
  const Entry* find(std::string_view hex) const;
};

// Thread-safe.
class UndoPacks {
 public:
  // `folder`: the folder of the SnapshotStore.
  explicit UndoPacks(std::string folder) : folder_(std::move(folder)), packs_folder_(folder_ + "/packs") {}

  struct Listing {
    std::vector<std::string> loose;  // The ids of the snapshots with own files, sorted.
    std::shared_ptr<const PackedUndos> packed;
  };
  // Lists the snapshots of the folder. Errors: unavailable.
  Result<Listing> list();

  // Returns the packed snapshot, or null. It may be damaged.
  std::shared_ptr<const PackedUndo> find(const std::string& hex);
  // As find(), but the note may be an earlier one. Mostly needs only one stat.
  std::shared_ptr<const PackedUndo> find_header(const std::string& hex);

  // Packs undo snapshots whose latest_ms is at most `latest_ms_max`, if there are at least 128. Returns their
  // number. `blobs`: the blobs of the snapshots. Errors: unavailable, cancelled.
  Result<std::size_t> pack(BlobStore& blobs, std::int64_t latest_ms_max, const std::stop_token& stop);

  // Removes snapshots from the packs, durably. The caller has locked the notes. Errors: unavailable.
  Result<Unit> remove(const std::set<std::string>& hexes);

  // Errors: internal (a pack is damaged, and the ids of some snapshots in it are unknown).
  Result<Unit> check();

  void release_memory();

 private:
  class Packing;
  std::shared_ptr<const PackedUndos::File> read(const std::string& name);
  std::shared_ptr<const PackedUndos> latest();
  Result<std::shared_ptr<const PackedUndos>> current();
  std::shared_ptr<const PackedUndos> read_all(const std::vector<std::string>& names);

  std::string folder_;
  std::string packs_folder_;
  std::mutex mutex_;
  std::shared_ptr<const PackedUndos> latest_;  // Null if nothing was read.
};

}  // namespace snapgen::core

#pragma once
// UndoFolder: a store of undo snapshots for tests of the writer. It has only the files of the snapshots.
#include <string>
#include <utility>

#include "tools/engine/store/snapshots/undo_store.h"

namespace snapgen::core {

// Assumes that all contents exist, loses late writes, and packs nothing.
class UndoFolder : public UndoStore {
 public:
  explicit UndoFolder(std::string folder) : folder_(std::move(folder)) {}

  bool has_contents(const SnapshotFiles&) override { return true; }
  Result<Unit> make_files_durable(const SnapshotFiles& files) override {
    return make_snapshot_durable(folder_, files);
  }
  Result<Unit> save_late_write(const FileRecord&, int) override { return Unit{}; }
  void pack_older(const std::stop_token&) override {}

 private:
  std::string folder_;
};

}  // namespace snapgen::core

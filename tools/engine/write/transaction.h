#pragma once
// Transaction: writes a set of files so that after a crash either all or none of them are written (writer.h).
// One thread uses it while it holds the staging folder's lock.
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/write/change_finisher.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/parent_folders.h"
#include "tools/engine/write/staging_folder.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

class Transaction {
 public:
  // The arguments must outlive this.
  Transaction(const Root& root, StagingFolder& staging, const std::vector<TreeWrite>& writes);

  // Writes the files. Arguments, result and errors are those of Writer::write(). Called once. Calls `made`
  // once all files are in place and before the journal is deleted.
  Result<std::vector<FileRecord>> run(const WriteOptions& options, UndoContents* undo,
                                      const std::function<void()>& made, const std::stop_token& stop);

  // The work left for StagingFolder::finish(), without contents; nullopt if run() completed everything.
  std::optional<UnsyncedChange> take_unfinished() { return std::move(unfinished_); }

 private:
  struct NewContent {
    BlobId blob;  // The id of the write's bytes.
    bool journaled = false;
  };
  Result<Unit> stage_all(const std::stop_token& stop);
  Result<Unit> write_journal(const std::string& note, UndoContents* undo);
  Result<Unit> finish();
  bool is_journaled(const Step& step, const TreeWrite& write);
  std::vector<BlobId> blobs_of(std::span<const std::size_t> steps) const;
  Result<FileRecord> stage_one(Step& step, const TreeWrite& write, const NewContent& content,
                               ParentFolders& parents, const std::stop_token& stop) const;
  void collect_records();
  Result<FileRecord> observe_result(const TreeWrite& write, const std::stop_token& stop) const;

  const Root& root_;
  StagingFolder& staging_;
  const std::vector<TreeWrite>& writes_;
  std::string name_;
  Journal journal_;                            // Owns the steps until run() ends.
  std::vector<const TreeWrite*> step_writes_;  // The write of each step; null for steps on folders.
  std::size_t journaled_bytes_ = 0;            // Size of the contents in the journal.
  std::optional<UnsyncedChange> unfinished_;
  std::vector<FileRecord> records_;  // The resulting file of each step that leaves one.
};

}  // namespace snapgen::core

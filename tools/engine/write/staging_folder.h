#pragma once
// StagingFolder: the folder of a Writer, opened and locked by one process at a time.
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/snapshots/undo_store.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

class StagingFolder {
 public:
  // Opens the folder, and creates it if necessary. `undos` must outlive the result. Errors: unavailable.
  static Result<StagingFolder> open(const std::string& folder, UndoStore& undos);
  // Opens the folder. Returns nullopt if nothing was ever written, or nothing is left to recover.
  static Result<std::optional<StagingFolder>> open_if_used(const std::string& folder, UndoStore& undos);
  // As is_unfinished(), for a folder that need not exist and is only inspected. Errors: unavailable.
  static Result<bool> has_unfinished_change(const std::string& folder);

  // Only is_unfinished(), collect_late_writes(), finish(), discard() and duplicate() may be called without
  // the lock.
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }
  UndoStore& undos() const { return *undos_; }

  // Waits until no other process writes here. Errors: unavailable (after a minute), cancelled.
  Result<Unit> lock(const std::stop_token& stop);

  // Whether a change was begun and not finished, so that it may have changed files outside this folder.
  Result<bool> is_unfinished() const;

  // Finishes or undoes every change that another writer left, and makes the finished ones durable. Calls
  // `made` with the note of each finished change before its journal is deleted. If another process has
  // changed one of the files, the change is undone, which is not an error. Errors: as StepRunner::run() and
  // sync_done(); repo_changed (this folder was copied, and the state of a change is uncertain: its files were
  // set aside, as the message says, and the next call continues without them).
  Result<Unit> recover(const Root& root, const std::function<void(const std::string& note)>& made);
  // Called before recover() if this folder and the tree may be copies: updates every journal for the current
  // files (adopt_copied_journal.h). Errors: unavailable; repo_changed (they are not a journal's files; no
  // file of the tree was touched); internal (a journal is damaged).
  Result<Unit> adopt_copied_journal(const Root& root);
  // Removes files that no change needs. Returns whether there are late writes to collect.
  Result<bool> sweep();
  // Saves the late writes that have ended (late_writes.h), and deletes their files. Returns whether some have
  // not. Needs no lock.
  bool collect_late_writes();

  // Writes the journal of a change and makes it durable, and `undo` too, unless it is null. Both are synced
  // in parallel, and the journal is valid only if both succeed. Errors: unavailable; those of `undo`;
  // internal (the journal could not be deleted, and recover() may make the change).
  Result<Unit> write_journal(const std::string& transaction, const Journal& journal, UndoContents* undo);
  // Records durably where the change will stage files outside this folder. Errors: unavailable.
  Result<Unit> record_outside_staging(const std::string& transaction, const std::vector<Step>& steps);

  // Records that all steps of a change are done; recover() does not undo it after that.
  void mark_done(const std::string& transaction);
  // Makes a done change and its undo snapshot durable and deletes its journal, but not its staged files.
  // Needs no lock. Errors: as sync_done() and UndoStore::make_files_durable(); the change is then left to
  // recover().
  Result<Unit> finish(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
                      const SnapshotFiles& undo);
  // Deletes the journal of a change that was not done, was undone, or is durable, and its staged files except
  // `kept` and those with late writes. Files that cannot be deleted are left to recover().
  void discard(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
               const std::vector<std::string>& retained);

  // Another descriptor of the same folder, without the lock. Errors: unavailable.
  Result<StagingFolder> duplicate() const;

 private:
  StagingFolder(std::string path, UndoStore& undos, Fd fd)
      : path_(std::move(path)), undos_(&undos), fd_(std::move(fd)) {}
  bool was_begun(const std::string& name, const Journal& journal) const;
  Result<Unit> sync_both(const Root& root, const std::vector<Step>& steps, const SnapshotFiles& undo) const;
  Result<std::vector<std::string>> names() const;
  Result<std::optional<Journal>> journal_in(const std::string& name) const;
  Result<Unit> recover_one(const Root& root, const std::string& name, bool is_beside,
                           const std::function<void(const std::string& note)>& made);
  Error set_aside(const std::string& transaction, const std::vector<Step>& steps);
  Result<std::vector<std::string>> record_late_writes(const std::string& transaction,
                                                      const std::vector<Step>& steps);
  std::vector<std::pair<std::string, Journal>> late_writes() const;
  bool delete_journal(const std::string& transaction);
  Result<Unit> write_durably(const std::string& name, std::string_view bytes, UndoContents* undo);

  std::string path_;
  UndoStore* undos_;  // Never null; a pointer, so that this can be moved.
  Fd fd_;
  Fd lock_;
};

}  // namespace snapgen::core

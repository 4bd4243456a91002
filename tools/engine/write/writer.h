#pragma once
// Writer: changes many files of the work tree, either all or none, even if the process or machine crashes.
// docs/architecture.md has the steps of a change, and what the next process recovers after a crash.
//
// The staging folder is below the store, so it is mostly on the tree's file system and never visible to git:
//   lock          held by the process that writes
//   <t>.journal   of the change <t>; <t>.journal.new until it is durable
//   <t>.done      the same, when all its steps are done
//   <t>.beside    the locations of files of <t> staged on other file systems (as .snapgen-<t>-<n>)
//   <t>-<n>       a staged file, or one that was replaced
//   <t>.late      the replaced files of <t> that another process has open for writing (late_writes.h)
//   kept-<t>-<n>  a file that could not be put back after a crash, because another process wrote there
//   kept-<t>/     the journal and the files of a change whose state is uncertain, set aside after a copy
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/store/snapshots/privacy.h"
#include "tools/engine/store/snapshots/undo_store.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {

class StagingFolder;
class ChangeFinisher;

struct WriteOptions {
  bool prune_empty_folders = false;  // Also remove folders that lose their last file, as git does.
  Privacy privacy;                   // The permissions of created files and folders.
  std::string note;  // Passed to the listener when the change is made (Writer::set_listener()).
};

// Thread-safe. Writers in any number of threads and processes wait for each other.
class Writer {
 public:
  // `folder`: the staging folder, created by the first write. `root` and `undos` must outlive this.
  Writer(const Root& root, std::string folder, UndoStore& undos);
  ~Writer();  // Waits until all completed changes are durable.

  // Sets which files may be written. Must be called before the first write.
  void set_rules(WriteRules rules) { rules_ = std::move(rules); }
  const WriteRules& rules() const { return rules_; }

  // Calls `listener` with the note of each change, of any process, once it is durable and before its journal
  // is deleted. Never for an undone change; perhaps twice if the process is killed. Calls are on any thread.
  // Earlier changes are reported immediately.
  void set_listener(std::function<void(const std::string& note)> listener);

  // Recovers what a crashed process left, and waits for a process that is writing. Costs one stat() if
  // nothing happened since the last call. Errors: unavailable (the lock is held for too long; a system
  // error); internal (see StepRunner::run()); cancelled.
  Result<Unit> recover(const std::stop_token& stop);

  // Like recover(), for a tree and a staging folder that may have been copied together or are mounted at
  // another path. Inodes differ there, so nothing is done unless each file has the content and time in the
  // journals. Errors: as recover(); repo_changed (that is not proven, and nothing was done).
  Result<Unit> recover_copy(const std::stop_token& stop);

  // Whether nothing happened since the last recovery, so that recover() would do nothing. Never waits.
  bool is_recovered() const;

  // Makes all `writes`, one per path (a copy with its source, a chmod with its file; a folder may be removed
  // where a file is created), and returns the records of the resulting files, sorted by path. Durable on
  // return, at least through its journal. `undo`: what the writes replace, which is made durable before the
  // first of them; null: the caller needs no undo snapshot.
  // Errors: those of `undo`; repo_changed (a path is not as expected: nothing was written); permission_denied
  // (also by the rules); unavailable (disk full,
  // ...); internal; cancelled, if nothing was changed.
  Result<std::vector<FileRecord>> write(const std::vector<TreeWrite>& writes, const WriteOptions& options,
                                        UndoContents* undo, const std::stop_token& stop);

 private:
  Result<Unit> recover_unfinished(const std::stop_token& stop);
  Result<Unit> recover_locked(StagingFolder& staging);
  void notify_listener(const std::string& note);

  const Root& root_;
  std::string folder_;
  UndoStore& undos_;
  WriteRules rules_;
  // The staging folder's modification time when it was last recovered.
  std::atomic<std::int64_t> recovered_ns_ = 0;
  std::atomic<bool> swept_ = false;  // The leftovers of crashed processes were deleted.
  std::mutex listener_mutex_;
  std::function<void(const std::string& note)> listener_;
  std::vector<std::string> unreported_;  // Notes of changes before there was a listener.
  std::unique_ptr<ChangeFinisher> change_finisher_;
};

}  // namespace snapgen::core

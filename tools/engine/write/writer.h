#pragma once
// Writer: changes many files of the live tree at once, wholly or not at all, whatever happens meanwhile.
//
//   1. everything new is staged in the staging folder; large files are made durable there
//   2. a journal of all steps, with the contents of all other files, is made durable, by one sync: from here
//   on
//      the change will be finished, or else undone
//   3. the steps are done (steps.h), and the journal is marked; the change is answered
//   4. what was done is made durable, and then the journal is removed, and what was replaced
//
// The staging folder is below the store, thus on the tree's own file system mostly and never visible to git:
//   lock          held by the process that writes
//   <t>.journal   of the change <t>; <t>.journal.new until it is durable
//   <t>.done      the same, when all its steps are done
//   <t>.beside    where files of <t> are staged outside, on other file systems (as .snapgen-<t>-<n>)
//   <t>-<n>       a staged file, or one that was replaced
//   kept-<t>-<n>  what an undoing after a crash could not put back because somebody had written there since
// Whoever takes the lock first recovers what a crashed process left: with a journal the change is finished,
// or undone if the tree has changed too much; without one nothing had been changed. If the machine went down
// since, what was done may be lost in part, and the journal makes the change once more (redo.h).
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
#include "tools/engine/store/privacy.h"
#include "tools/engine/store/snapshot_files.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {

class StagingFolder;
class Sweeper;

// What keeps the replaced content of a change (undo.h).
struct UndoFiles {
  SnapshotFiles files;  // They go into the journal.
  // Makes the content durable, and writes the files. Runs beside the journal's sync, and must succeed before
  // anything in the tree changes.
  std::function<Result<Unit>()> place;
};

struct WriteOptions {
  bool prune = false;  // Folders that lose their last file go away too, as with git.
  Privacy privacy;     // Of what is made anew.
  std::string note;    // Who listens hears it when the change is made: see Writer::set_listener().
  const UndoFiles* undo = nullptr;  // Null: the replaced content is not kept. Must outlive the call.
};

// One after the other of any number of threads and processes; a Writer may be used by several threads.
class Writer {
 public:
  // `folder`: the staging folder, made when something is first written. `root` must outlive this.
  Writer(const Root& root, std::string folder, UndoStore undos);
  ~Writer();  // Waits until what was answered is finished.

  // What may be written. Settled before anything is.
  void set_rules(WriteRules rules) { rules_ = std::move(rules); }
  const WriteRules& rules() const { return rules_; }

  // `listener` hears the note of each change, in whichever process it began, once it is durable and before
  // that could be forgotten: never if it is undone, and perhaps again if the process is killed meanwhile. On
  // any thread; what was made before there was a listener, at once.
  void set_listener(std::function<void(const std::string& note)> listener);

  // Recovers what a crashed process left, and waits for one that is writing. One look at the folder if
  // nothing happened there since the last time. Errors: unavailable (the lock is held for long; the system
  // refuses); internal (see StepRunner::run()); cancelled.
  Result<Unit> recover(const std::stop_token& stop);

  // The same where the folder's tree was copied, with the folder, to where it is now, or is seen at another
  // path: files have other inodes there, so nothing is done unless each of them has the very content and time
  // that the journals tell of. Errors: as above; repo_changed (it is not proven, and nothing was done).
  Result<Unit> recover_copy(const std::stop_token& stop);

  // Whether nothing happened there since: then recover() would do nothing. Waits for nobody.
  bool is_recovered() const;

  // Carries out all of `writes`, one for each path, and returns what stands there afterwards: a record for
  // each path that holds a file, in the same order. Durable when it returns, by its journal at least. Errors:
  // those of `options.undo`; repo_changed (something else stands there than expected: nothing was written);
  // permission_denied (also by the rules); unavailable (disk full, ...); internal; cancelled, as long as
  // nothing was changed.
  Result<std::vector<FileRecord>> write(const std::vector<TreeWrite>& writes, const WriteOptions& options,
                                        const std::stop_token& stop);

 private:
  Result<Unit> recover_unfinished(const std::stop_token& stop);
  Result<Unit> recover_locked(StagingFolder& staging);
  void made(const std::string& note);

  const Root& root_;
  std::string folder_;
  UndoStore undos_;
  WriteRules rules_;
  std::atomic<std::int64_t> recovered_ns_ =
      0;                             // The folder's modification time when nothing was left to recover.
  std::atomic<bool> swept_ = false;  // What a crashed process left and nobody needs was removed.
  std::mutex listening_;
  std::function<void(const std::string& note)> listener_;
  std::vector<std::string> unreported_;  // Notes that nobody listened to yet.
  std::unique_ptr<Sweeper> sweeper_;
};

}  // namespace snapgen::core

#pragma once
// StagingFolder: the folder of a Writer, opened and locked by one process at a time.
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {

class StagingFolder {
 public:
  // Makes the folder if it is not there. Errors: unavailable.
  static Result<StagingFolder> open(const std::string& folder, const UndoStore& undos);
  // None: nothing was ever written, or nothing is left to recover.
  static Result<std::optional<StagingFolder>> open_if_used(const std::string& folder, const UndoStore& undos);

  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }

  // Waits until no other writer works here. Errors: unavailable (that takes longer than a minute), cancelled.
  Result<Unit> lock(const std::stop_token& stop);

  // Whether there is a change that was begun and not done, so that something of it may stand outside of this
  // folder.
  Result<bool> is_unfinished() const;

  // Settles every change that another writer left, and makes durable what is done. Errors: as
  // StepRunner::run(), but what must be undone because of other files is undone, and all is well; as
  // sync_done(); repo_changed (this folder was copied since, and nobody can tell what belongs where: all
  // there is of the change was put aside, as the message says, and the next call goes on without). `made`
  // hears the note of each change that is finished, before its journal goes.
  Result<Unit> recover(const Root& root, const std::function<void(const std::string& note)>& made);
  // Before recover(), where this folder and the tree may have been copied: lets every journal speak of the
  // files that stand here (adopt_copied_journal.h). Errors: unavailable; repo_changed (they are not those
  // that a journal was written for; no file of the tree was touched); internal (a journal is damaged).
  Result<Unit> adopt_copied_journal(const Root& root);
  // Removes the files that no change needs.
  Result<Unit> sweep();

  // The journal of a change, whole and durable. `meanwhile`, if any, makes the contents that the change
  // replaces durable; it runs beside the sync of the journal, which counts only if both succeed. Errors:
  // unavailable; those of `meanwhile`; internal (the journal could not be taken back, and the change may be
  // made by recover()).
  Result<Unit> write_journal(const std::string& transaction, const Journal& journal,
                             const std::function<Result<Unit>()>& meanwhile = {});
  // Where the change will stage files outside; durable. Errors: unavailable.
  Result<Unit> write_beside(const std::string& transaction, const std::vector<Step>& steps);

  // Notes that all steps of a change are done, which recover() will not undo any more.
  void mark_done(const std::string& transaction);
  // Makes durable what a change has done, and its undo snapshot, and forgets it; its staged files stay, which
  // nobody needs any more. Needs no lock. Errors: as sync_done() and make_durable(); the change stays to be
  // settled then.
  Result<Unit> finish(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
                      const SnapshotFiles& undo);
  // Forgets a change that was not done, or is undone, or is durable, and removes its staged files but for
  // `kept`. What cannot be removed is left to recover().
  void discard(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
               const std::vector<std::string>& kept);

  // The same folder once more, without the lock. Errors: unavailable.
  Result<StagingFolder> another() const;

 private:
  StagingFolder(std::string path, UndoStore undos, Fd fd)
      : path_(std::move(path)), undos_(std::move(undos)), fd_(std::move(fd)) {}
  bool was_begun(const std::string& name, const Journal& journal) const;
  Result<Unit> sync_both(const Root& root, const std::vector<Step>& steps, const SnapshotFiles& undo) const;
  Result<std::vector<std::string>> names() const;
  Result<std::optional<Journal>> journal_in(const std::string& name) const;
  Result<Unit> recover_one(const Root& root, const std::string& name, bool is_beside,
                           const std::function<void(const std::string& note)>& made);
  Error set_aside(const std::string& transaction, const std::vector<Step>& steps);
  bool forget(const std::string& transaction);
  Result<Unit> write_durably(const std::string& name, std::string_view bytes,
                             const std::function<Result<Unit>()>& meanwhile = {});

  std::string path_;
  UndoStore undos_;
  Fd fd_;
  Fd lock_;
};

}  // namespace snapgen::core

#pragma once
// StepRunner: does and undoes the steps of a change.
//
// Nothing is ever overwritten: a file is exchanged with the staged one. So the old file can be checked when
// no other process can replace it any more, and put back if it is not the expected one. Files that another
// process wrote always remain in place.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/parent_folders.h"

namespace snapgen::core {

// Prefix of the files in the staging folder that sweep() does not delete.
inline constexpr std::string_view set_aside_prefix = "kept-";

// Whether the step moves a file. If such a step was done, this code did it, not another process.
bool moves_file(const Step& step);

// Whether files with these stats may have the same content: equal kind and size.
bool may_be_equal(const FileStat& a, const FileStat& b);
// Whether these stats indicate the same content: kind, size and time are equal.
bool is_same_content(const FileStat& a, const FileStat& b);

// Whether the file at `name` in `folder` is that of the record. Its ctime may have changed with a move. Some
// file systems copy on move, which changes the inode: then the content decides, as for racily clean files.
Result<bool> is_expected(int folder, const std::string& name, const FileRecord& record);

class StepRunner {
 public:
  // `staging`: a descriptor of the staging folder. The arguments must outlive this.
  StepRunner(const Root& root, int staging)
      : parents_(root), outside_staging_parents_(root), staging_(staging) {}

  // Does all steps that are not done yet. If one fails, or another process has changed the result of a done
  // step, undoes all done steps, last first, and returns the error. Errors: repo_changed (a file is not as
  // expected); unavailable, permission_denied; internal (the steps could neither be finished nor undone: run
  // them again later).
  Result<Unit> run(const std::vector<Step>& steps);

  // Does one step. Returns false, and changes nothing, if the file is not as expected. Errors: as run().
  Result<bool> attempt(const Step& step);

  // Names in the staging folder of files that were not put back, because their path was written to meanwhile.
  const std::vector<std::string>& set_aside_names() const { return set_aside_names_; }

 private:
  struct StepTarget {
    int folder = -1;   // The parent folder of the path.
    int staging = -1;  // The folder of the staged file.
    std::string name;
  };
  Result<int> open_staging_of(const Step& step);
  Result<StepTarget> target_of(const Step& step);
  Result<bool> is_done(const Step& step);
  Result<Unit> check_unchanged(const std::vector<Step>& steps, std::size_t count);
  Error undo(const std::vector<Step>& steps, std::size_t count, Error why);
  Result<Unit> apply(const Step& step);
  Result<Unit> revert(const Step& step);

  Result<Unit> move_to_staging(const Step& step);
  Result<Unit> move_from_staging(const Step& step);
  Result<Unit> exchange(const Step& step);
  Result<Unit> change_mode(const Step& step, bool back);
  Result<Unit> make_folder(const Step& step, std::uint32_t mode);
  Result<Unit> remove_folder(const Step& step, bool required);
  Result<Unit> undo_move_to_staging(const Step& step);
  Result<Unit> undo_move_from_staging(const Step& step);
  Result<Unit> undo_exchange(const Step& step);
  Result<Unit> set_aside(const Step& step, int staging);
  Result<bool> is_back_in_place(const Step& step, int staging, const FileStat& staged);

  ParentFolders parents_;
  ParentFolders outside_staging_parents_;  // The folders of files that are staged outside.
  int staging_;
  std::vector<std::string> set_aside_names_;
};

// Finishes a change after a machine crash, which may have lost writes since the journal was written: files
// may be empty or missing, and renames reverted. So it repeats every step from the journal alone. Later
// changes by others are not overwritten. Makes the whole change of the journal. `staging`: a descriptor of
// the staging folder, which `runner` uses too. Errors: as StepRunner::attempt(); unavailable (disk full; the
// call can be repeated).
Result<Unit> redo(const Root& root, int staging, const Journal& journal, StepRunner& runner);

}  // namespace snapgen::core

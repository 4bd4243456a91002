#pragma once
// StepRunner: does the steps of a change, and undoes them.
//
// Nothing is ever overwritten: files change places with the staged ones, so that what stood there can be
// looked at once nobody can replace it any more, and put back if it is not what was expected. What somebody
// else wrote stays in place in any case.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/parents.h"

namespace snapgen::core {

// How names of the staging folder begin that are not swept.
inline constexpr std::string_view kept_prefix = "kept-";

// Whether the step moves a file, which nobody but us can have brought about.
bool moves(const Step& step);

// Whether files of these stats may have the same content: kind and size.
bool is_alike(const FileStat& a, const FileStat& b);
// Whether they have it, as far as stats tell: the time as well.
bool is_same_content(const FileStat& a, const FileStat& b);

// Whether the file at `name` in `folder` is the one that the record tells of. Its ctime may have moved with
// it; a file system that copies what it moves gives it another inode too, and then its content decides, as
// for racily clean files.
Result<bool> is_expected(int folder, const std::string& name, const FileRecord& record);

class StepRunner {
 public:
  // `staging`: a handle of the staging folder. Both must outlive this.
  StepRunner(const Root& root, int staging) : parents_(root), beside_(root), staging_(staging) {}

  // Does all steps that are not done yet. If one cannot be done, or somebody has changed meanwhile what
  // others had done, undoes all that are, the last one first, and returns its error. Errors: repo_changed
  // (something else stands there); unavailable, permission_denied; internal (the steps could neither be
  // finished nor undone: they must be run again later).
  Result<Unit> run(const std::vector<Step>& steps);

  // Does one step, or leaves everything as it is and returns false: something else stands there. Errors: but
  // for that, as run().
  Result<bool> attempt(const Step& step);

  // Contents that an undoing found no place for, because somebody had written there: their names in the
  // staging folder.
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  struct StepTarget {
    int folder = -1;   // Where the path's last component is.
    int staging = -1;  // Where its staged file is.
    std::string name;
  };
  Result<int> staging_of(const Step& step);
  Result<StepTarget> place_of(const Step& step);
  Result<bool> is_done(const Step& step);
  Result<Unit> check_unchanged(const std::vector<Step>& steps, std::size_t count);
  Error undo(const std::vector<Step>& steps, std::size_t count, Error why);
  Result<Unit> forward(const Step& step);
  Result<Unit> backward(const Step& step);

  Result<Unit> take(const Step& step);
  Result<Unit> put(const Step& step);
  Result<Unit> swap(const Step& step);
  Result<Unit> change_mode(const Step& step, bool back);
  Result<Unit> make_folder(const Step& step, std::uint32_t mode);
  Result<Unit> drop_folder(const Step& step, bool required);
  Result<Unit> put_back(const Step& step);
  Result<Unit> take_back(const Step& step);
  Result<Unit> swap_back(const Step& step);
  Result<Unit> keep(const Step& step, int staging);
  Result<bool> is_unchanged(const Step& step, int staging, const FileStat& staged);

  Parents parents_;
  Parents beside_;  // The folders in which files are staged beside.
  int staging_;
  std::vector<std::string> kept_;
};

}  // namespace snapgen::core

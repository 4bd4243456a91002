#include <cerrno>
#include <optional>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/parent_folders.h"
#include "tools/engine/write/steps.h"

namespace snapgen::core {
namespace {

// A folder whose time is later than the journal's by more than this was changed by another process.
constexpr std::int64_t change_lasts_ns_max = 60'000'000'000;

class JournalRedo {
 public:
  JournalRedo(const Root& root, int staging, const Journal& journal, StepRunner& runner)
      : parents_(root), root_(root), staging_(staging), journal_(journal), runner_(runner) {}

  Result<Unit> run() {
    for (const Step& step : journal_.steps) {
      TRY(bring_about(step));
      parents_.close_opened();
    }
    return Unit{};
  }

 private:
  Result<Unit> bring_about(Step step) {
    switch (step.kind) {
      case Step::Kind::remove_folder: step.required = false; break;
      case Step::Kind::chmod: break;
      case Step::Kind::move_to_staging: {
        bool unchanged = TRY(is_as_before(step));
        if (!unchanged) return Unit{};
        break;
      }
      case Step::Kind::make_folder: {
        bool removed = TRY(was_removed_since(step));
        if (removed) return Unit{};
        break;
      }
      case Step::Kind::move_from_staging:
      case Step::Kind::exchange: return bring(std::move(step));
    }
    return attempt(step);
  }

  Result<Unit> attempt(const Step& step) {
    Result<bool> done = runner_.attempt(step);
    if (!done && !is_out_of_reach(done.error())) return std::move(done).error();
    return Unit{};
  }

  // Whether the error means that another process removed or replaced the file or a folder above it, or denied
  // access. The step is then skipped.
  static bool is_out_of_reach(const Error& error) {
    return error.code == ErrorCode::not_found || error.code == ErrorCode::permission_denied;
  }

  // Whether the file that a step replaces or takes is still at its path.
  Result<bool> is_as_before(const Step& step) {
    Result<int> folder = parents_.open_parent_of(step.path);
    if (!folder) return is_out_of_reach(folder.error()) ? false : Result<bool>(folder.error());
    return is_expected(*folder, std::string(base_name(step.path)), *step.before);
  }

  // Repeats a step that puts a file at its path or swaps it with another one, unless its result is still
  // there.
  Result<Unit> bring(Step step) {
    Result<int> above = parents_.open_parent_of(step.path);
    if (!above) return is_out_of_reach(above.error()) ? Unit{} : Result<Unit>(above.error());
    int folder = *above;
    std::string name(base_name(step.path));
    std::optional<FileStat> found = TRY(stat_at(folder, name, step.path));
    bool ours = found && found->inode == step.after.inode;
    // A file that was synced before the crash is complete, wherever it is.
    if (!step.content) return ours ? Unit{} : bring_synced(step);
    if (found) {
      bool whole = TRY(is_whole(folder, name, *found, step));
      if (whole) return Unit{};
      if (ours && found->mtime_ns <= step.after.mtime_ns) return rewrite(std::move(step), *found);
      if (step.kind == Step::Kind::move_from_staging) return Unit{};
      bool before = TRY(is_as_before(step));
      if (!before) return Unit{};
    } else {
      bool removed = TRY(was_removed_since(step));
      if (removed) return Unit{};
      step.kind = Step::Kind::move_from_staging;
    }
    Result<Unit> staged = stage_again(step, found ? folder : -1);
    return staged ? attempt(step) : staged;
  }

  Result<Unit> bring_synced(const Step& step) {
    Result<std::optional<FileStat>> staged = std::optional<FileStat>();
    if (!step.outside_staging_folder) staged = stat_at(staging_, step.staged_name, step.path);
    if (!staged) return std::move(staged).error();
    bool removed =
        !step.outside_staging_folder && !*staged;  // The file was moved to its path, or replaced there since.
    return removed ? Unit{} : attempt(step);
  }

  Result<bool> is_whole(int folder, const std::string& name, const FileStat& stat, const Step& step) {
    if (!may_be_equal(stat, step.after)) return false;
    BlobId blob = TRY(blob_at(folder, name, stat, step.path));
    return blob == step.content->blob;
  }

  // Writes a step's file again, which reached its path but lost its content in the crash.
  Result<Unit> rewrite(Step step, const FileStat& broken) {
    step.kind = Step::Kind::exchange;
    step.before = FileRecord{.path = step.path, .stat = broken, .seen_ns = now_ns(), .blob = {}};
    step.staged_name += "-again";
    Result<Unit> staged = stage_again(step, -1);
    return staged ? attempt(step) : staged;
  }

  // Stages the step's file again. `heir_of`: the folder of the file that this one replaces; -1: none.
  Result<Unit> stage_again(Step& step, int heir_of) {
    const std::string& name = step.staged_name;
    std::optional<FileStat> stat = TRY(stat_at(staging_, name, step.path));
    if (stat) {
      bool whole = TRY(is_whole(staging_, name, *stat, step));
      if (whole && stat->inode == step.after.inode) return Unit{};
      if (::unlinkat(staging_, name.c_str(), 0) != 0) return write_error(errno, step.path);
    }
    FileMode mode = FileMode::plain;
    if (S_ISLNK(step.after.mode)) {
      mode = FileMode::symlink;
    } else if ((step.after.mode & 0100) != 0) {
      mode = FileMode::executable;
    }
    TreeWrite write{.change = {.path = step.path, .mode = mode, .bytes = step.content->bytes},
                    .existing = {},
                    .source = {}};
    Fd model;
    if (heir_of >= 0 && mode != FileMode::symlink)
      model = Fd(::openat(heir_of, std::string(base_name(step.path)).c_str(),
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    InheritedMetadata inherited{.stat = &step.after, .fd = model.get()};
    StagedContent staged =
        TRY(stage_file(root_, write, {.folder = staging_, .name = name}, inherited, nullptr, {}));
    step.after = staged.stat;
    return Unit{};
  }

  // Whether another process removed the step's file, which is not at its path: the folder above was changed
  // long after the journal was written. Otherwise the crash lost the step.
  Result<bool> was_removed_since(const Step& step) {
    Result<int> above = parents_.open_parent_of(step.path);
    if (!above) return is_out_of_reach(above.error()) ? true : Result<bool>(above.error());
    struct stat st;
    if (::fstat(*above, &st) != 0) return system_error(errno, "examine", step.path);
    return file_stat(st).mtime_ns > journal_.written_ns + change_lasts_ns_max;
  }

  ParentFolders parents_;
  const Root& root_;
  int staging_;
  const Journal& journal_;
  StepRunner& runner_;
};

}  // namespace

Result<Unit> redo(const Root& root, int staging, const Journal& journal, StepRunner& runner) {
  return JournalRedo(root, staging, journal, runner).run();
}

}  // namespace snapgen::core

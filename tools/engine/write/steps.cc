#include "tools/engine/write/steps.h"

#include <cerrno>
#include <cstddef>
#include <set>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/files/exchange.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/store/snapshots/privacy.h"
#include "tools/engine/write/content.h"

namespace snapgen::core {
namespace {

// `meanwhile` is the error number that shows a change by another process.
Result<Unit> done_or(int failed, std::string_view doing, std::string_view path, int meanwhile = 0) {
  if (failed == 0) return Unit{};
  if (failed == meanwhile) return changed_meanwhile_error(path);
  return system_error(failed, doing, path);
}

// Whether the file at `name` is the staged one, unmodified.
Result<bool> is_ours(int folder, const std::string& name, const Step& step) {
  std::optional<FileStat> found = TRY(stat_at(folder, name, step.path));
  return found && found->inode == step.after.inode && is_same_content(*found, step.after);
}

Result<Unit> check_expected(int folder, const std::string& name, const Step& step) {
  const bool expected = TRY(is_expected(folder, name, *step.before));
  return expected ? Unit{} : Result<Unit>(changed_meanwhile_error(step.path));
}

}  // namespace

bool moves_file(const Step& step) {
  return step.kind == Step::Kind::move_to_staging || step.kind == Step::Kind::move_from_staging ||
         step.kind == Step::Kind::exchange;
}

bool may_be_equal(const FileStat& a, const FileStat& b) {
  return a.size == b.size && (a.mode & S_IFMT) == (b.mode & S_IFMT);
}

bool is_same_content(const FileStat& a, const FileStat& b) {
  return may_be_equal(a, b) && a.mtime_ns == b.mtime_ns;
}

Result<bool> is_expected(int folder, const std::string& name, const FileRecord& record) {
  std::optional<FileStat> found = TRY(stat_at(folder, name, record.path));
  if (!found || !is_same_content(*found, record.stat)) return false;
  if (found->inode == record.stat.inode && !is_racy(record.stat, record.seen_ns)) return true;
  if (!record.blob) return found->inode == record.stat.inode;
  BlobId blob = TRY(blob_at(folder, name, *found, record.path));
  return blob == *record.blob;
}

Result<Unit> StepRunner::run(const std::vector<Step>& steps) {
  // Steps are done in order, so a done step proves that all earlier ones are done.
  std::size_t begin = steps.size();
  for (; begin > 0; --begin) {
    bool done = TRY(is_done(steps[begin - 1]));
    if (done) break;
  }
  // The steps before the next move may be done too, because only moves can be detected as done.
  std::size_t next = begin;
  while (next < steps.size() && !moves_file(steps[next])) ++next;
  if (next < steps.size()) {
    Result<Unit> unchanged = check_unchanged(steps, next);
    if (!unchanged && unchanged.error().code != ErrorCode::repo_changed) return unchanged;
    if (!unchanged) return undo(steps, next, std::move(unchanged).error());
  }
  for (std::size_t i = begin; i < steps.size(); ++i) {
    Result<Unit> done = apply(steps[i]);
    if (!done) return undo(steps, i + 1, std::move(done).error());
  }
  return Unit{};
}

// Checks that the results of the moves among the first `count` steps still exist. Otherwise another process
// has reverted them, or continued from a tree without the remaining steps.
Result<Unit> StepRunner::check_unchanged(const std::vector<Step>& steps, std::size_t count) {
  std::set<std::string_view> later;  // Paths of the steps after the current one.
  for (std::size_t i = count; i > 0; --i) {
    const Step& step = steps[i - 1];
    const bool is_last = later.insert(step.path).second;
    if (!is_last || !moves_file(step)) continue;
    Result<StepTarget> target = target_of(step);
    if (!target && target.error().code != ErrorCode::not_found) return std::move(target).error();
    std::optional<FileStat> found;
    if (target) {
      std::optional<FileStat> stat = TRY(stat_at(target->folder, target->name, step.path));
      found = stat;
    }
    const bool same =
        step.kind == Step::Kind::move_to_staging ? !found : found && is_same_content(*found, step.after);
    if (!same) return changed_meanwhile_error(step.path);
  }
  return Unit{};
}

// Undoes the first `count` steps, last first, for the reason `why`.
Error StepRunner::undo(const std::vector<Step>& steps, std::size_t count, Error why) {
  for (std::size_t i = count; i > 0; --i) {
    Result<Unit> undone = revert(steps[i - 1]);
    if (undone) continue;
    return Error(
        ErrorCode::internal,
        "A change of several files could be neither finished nor undone. The next write tries again first.",
        {}, why.message + "; then: " + undone.error().message + "; " + undone.error().cause);
  }
  return why;
}

Result<bool> StepRunner::attempt(const Step& step) {
  Result<Unit> done = apply(step);
  if (done) return true;
  if (done.error().code != ErrorCode::repo_changed) return std::move(done).error();
  TRY(revert(step));
  return false;
}

Result<int> StepRunner::open_staging_of(const Step& step) {
  if (!step.outside_staging_folder) return staging_;
  return outside_staging_parents_.open_parent_of(joined_path(*step.outside_staging_folder, step.staged_name));
}

Result<StepRunner::StepTarget> StepRunner::target_of(const Step& step) {
  int staging = TRY(open_staging_of(step));
  int folder = TRY(parents_.open_parent_of(step.path));
  return StepTarget{.folder = folder, .staging = staging, .name = std::string(base_name(step.path))};
}

// Whether the step was done. False for steps that are not moves: another process may have changed folders and
// modes.
Result<bool> StepRunner::is_done(const Step& step) {
  if (!moves_file(step)) return false;
  Result<int> found = open_staging_of(step);
  if (!found)
    return found.error().code == ErrorCode::not_found ? false : Result<bool>(std::move(found).error());
  int staging = *found;
  Result<StepTarget> target = target_of(step);
  std::optional<FileStat> staged = TRY(stat_at(staging, step.staged_name, step.path));
  // A move by link() and unlink() that was interrupted leaves the file under both names.
  bool linked = staged && target && are_hard_links(staging, step.staged_name, target->folder, target->name);
  if (step.kind == Step::Kind::move_from_staging) return !staged || linked;
  if (step.kind == Step::Kind::move_to_staging) return staged && !linked;
  if (staged.has_value()) return staged->inode != step.after.inode;
  // An exchange in three steps that was interrupted leaves the aside file.
  std::optional<FileStat> aside = TRY(stat_at(staging, exchange_temporary_name(step.staged_name), step.path));
  return !aside.has_value();
}

Result<Unit> StepRunner::apply(const Step& step) {
  switch (step.kind) {
    case Step::Kind::move_to_staging: return move_to_staging(step);
    case Step::Kind::remove_folder: return remove_folder(step, step.required);
    case Step::Kind::make_folder: return make_folder(step, step.mode != 0 ? step.mode : 0777);
    case Step::Kind::move_from_staging: return move_from_staging(step);
    case Step::Kind::exchange: return exchange(step);
    case Step::Kind::chmod: return change_mode(step, false);
  }
  return Unit{};
}

Result<Unit> StepRunner::revert(const Step& step) {
  switch (step.kind) {
    case Step::Kind::move_to_staging: return undo_move_to_staging(step);
    case Step::Kind::remove_folder: {
      Result<Unit> made = make_folder(step, step.mode);
      return made || made.error().code == ErrorCode::repo_changed ? Unit{} : made;
    }
    case Step::Kind::make_folder: return remove_folder(step, false);
    case Step::Kind::move_from_staging: return undo_move_from_staging(step);
    case Step::Kind::exchange: return undo_exchange(step);
    case Step::Kind::chmod: return change_mode(step, true);
  }
  return Unit{};
}

Result<Unit> StepRunner::move_to_staging(const Step& step) {
  Result<StepTarget> target = target_of(step);
  if (!target) return changed_meanwhile_error(step.path);
  TRY(check_expected(target->folder, target->name, step));
  TRY(done_or(move_no_replace(target->folder, target->name, target->staging, step.staged_name), "delete",
              step.path, ENOENT));
  return check_expected(target->staging, step.staged_name, step);
}

Result<Unit> StepRunner::undo_move_to_staging(const Step& step) {
  Result<int> staging = open_staging_of(step);
  if (!staging) return Unit{};
  std::optional<FileStat> staged = TRY(stat_at(*staging, step.staged_name, step.path));
  if (!staged) return Unit{};
  Result<StepTarget> target = target_of(step);
  if (!target) return set_aside(step, *staging);  // Another process removed or replaced the folder.
  int failed = move_no_replace(*staging, step.staged_name, target->folder, target->name);
  if (failed == EEXIST) return set_aside(step, *staging);
  return done_or(failed, "put back", step.path);
}

Result<Unit> StepRunner::move_from_staging(const Step& step) {
  Result<StepTarget> target = target_of(step);
  if (!target)
    return target.error().code == ErrorCode::not_found ? changed_meanwhile_error(step.path)
                                                       : std::move(target).error();
  return done_or(move_no_replace(target->staging, step.staged_name, target->folder, target->name), "write",
                 step.path, EEXIST);
}

Result<Unit> StepRunner::undo_move_from_staging(const Step& step) {
  Result<StepTarget> target = target_of(step);
  if (!target) return Unit{};  // The file was removed with its folder.
  std::optional<FileStat> staged = TRY(stat_at(target->staging, step.staged_name, step.path));
  bool ours = TRY(is_ours(target->folder, target->name, step));
  if (!ours) return Unit{};
  if (staged)
    return done_or(::unlinkat(target->folder, target->name.c_str(), 0) == 0 ? 0 : errno, "take back",
                   step.path);
  int failed = move_no_replace(target->folder, target->name, target->staging, step.staged_name);
  if (failed == ENOENT) return Unit{};
  if (failed != 0) return system_error(failed, "take back", step.path);
  ours = TRY(is_ours(target->staging, step.staged_name, step));
  if (ours) return Unit{};
  return done_or(move_no_replace(target->staging, step.staged_name, target->folder, target->name), "put back",
                 step.path);
}

Result<Unit> StepRunner::exchange(const Step& step) {
  Result<StepTarget> target = target_of(step);
  if (!target) return changed_meanwhile_error(step.path);
  TRY(done_or(recover_exchange(target->staging, step.staged_name, target->folder, target->name), "write",
              step.path, EEXIST));
  const bool done = TRY(is_done(step));
  if (done) return Unit{};
  TRY(check_expected(target->folder, target->name, step));
  TRY(done_or(exchange_files(target->staging, step.staged_name, target->folder, target->name), "write",
              step.path, ENOENT));
  return check_expected(target->staging, step.staged_name, step);
}

Result<Unit> StepRunner::undo_exchange(const Step& step) {
  Result<StepTarget> target = target_of(step);
  if (!target) {
    bool done = TRY(is_done(step));
    Result<int> staging = open_staging_of(step);
    return done && staging ? set_aside(step, *staging) : Unit{};
  }
  int failed = recover_exchange(target->staging, step.staged_name, target->folder, target->name);
  if (failed == EEXIST) {  // Another process wrote there while the path was free.
    failed = ::renameat(target->staging, exchange_temporary_name(step.staged_name).c_str(), target->staging,
                        step.staged_name.c_str()) == 0
                 ? 0
                 : errno;
    if (failed == 0) return set_aside(step, target->staging);
  }
  if (failed != 0) return system_error(failed, "put back", step.path);
  bool done = TRY(is_done(step));
  if (!done) return Unit{};
  failed = exchange_files(target->staging, step.staged_name, target->folder, target->name);
  if (failed == ENOENT) return set_aside(step, target->staging);
  if (failed != 0) return system_error(failed, "put back", step.path);
  bool ours = TRY(is_ours(target->staging, step.staged_name, step));
  if (ours) return Unit{};
  // Another process wrote there in between: its file remains.
  failed = exchange_files(target->staging, step.staged_name, target->folder, target->name);
  if (failed != 0) return system_error(failed, "put back", step.path);
  return set_aside(step, target->staging);
}

Result<Unit> StepRunner::set_aside(const Step& step, int staging) {
  std::optional<FileStat> staged = TRY(stat_at(staging, step.staged_name, step.path));
  if (!staged) return Unit{};
  bool there = TRY(is_back_in_place(step, staging, *staged));
  if (there) return Unit{};
  std::string name = std::string(set_aside_prefix) + step.staged_name;
  if (staging == staging_ && ::renameat(staging, step.staged_name.c_str(), staging, name.c_str()) != 0)
    return system_error(errno, "keep", step.path);
  set_aside_names_.push_back(staging == staging_ ? name : step.staged_name);
  return Unit{};
}

// Whether the file at the path has the staged content, so that the staged copy can be deleted.
Result<bool> StepRunner::is_back_in_place(const Step& step, int staging, const FileStat& staged) {
  Result<StepTarget> target = target_of(step);
  if (!target) return false;
  std::optional<FileStat> found = TRY(stat_at(target->folder, target->name, step.path));
  if (!found || !may_be_equal(*found, staged)) return false;
  BlobId here = TRY(blob_at(target->folder, target->name, *found, step.path));
  BlobId blob = TRY(blob_at(staging, step.staged_name, staged, step.path));
  return here == blob;
}

Result<Unit> StepRunner::change_mode(const Step& step, bool back) {
  Result<StepTarget> target = target_of(step);
  if (!target) return back ? Unit{} : Result<Unit>(changed_meanwhile_error(step.path));
  Fd fd(::openat(target->folder, target->name.c_str(),
                 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat st;
  if (!fd && back && (errno == ENOENT || errno == ELOOP)) return Unit{};
  if (!fd || ::fstat(fd.get(), &st) != 0) return system_error(errno, "change the mode of", step.path);
  FileStat found = file_stat(st);
  bool same = found.inode == step.before->stat.inode && is_same_content(found, step.before->stat);
  std::uint32_t before = step.before->stat.mode & 07777;
  if (back && (!same || (found.mode & 07777) != step.mode)) return Unit{};
  if (!same) return changed_meanwhile_error(step.path);
  if (!back && (found.mode & 07777) == step.mode) return Unit{};
  if (!back && (found.mode & 07777) != before) return changed_meanwhile_error(step.path);
  return done_or(::fchmod(fd.get(), back ? before : step.mode) == 0 ? 0 : errno, "change the mode of",
                 step.path);
}

Result<Unit> StepRunner::make_folder(const Step& step, std::uint32_t mode) {
  Result<StepTarget> target = target_of(step);
  if (!target)
    return target.error().code == ErrorCode::not_found ? changed_meanwhile_error(step.path)
                                                       : std::move(target).error();
  if (::mkdirat(target->folder, target->name.c_str(), mode & 07777U) == 0) {
    if ((mode & exact_permissions_flag) == 0) return Unit{};
    return done_or(::fchmodat(target->folder, target->name.c_str(), mode & 0777U, 0) == 0 ? 0 : errno,
                   "set the mode of", step.path);
  }
  if (errno != EEXIST) return system_error(errno, "make the folder", step.path);
  std::optional<FileStat> found = TRY(stat_at(target->folder, target->name, step.path));
  return found && S_ISDIR(found->mode) ? Unit{} : Result<Unit>(changed_meanwhile_error(step.path));
}

Result<Unit> StepRunner::remove_folder(const Step& step, bool required) {
  Result<StepTarget> target = target_of(step);
  if (!target) return Unit{};
  int failed = ::unlinkat(target->folder, target->name.c_str(), AT_REMOVEDIR) == 0 ? 0 : errno;
  parents_.close_opened();
  // A name that is too long is no error: such a folder was never created.
  if (failed == 0 || failed == ENOENT || failed == ENAMETOOLONG) return Unit{};
  bool in_use = failed == ENOTEMPTY || failed == EEXIST || failed == ENOTDIR || failed == EBUSY;
  if (in_use) return required ? Result<Unit>(changed_meanwhile_error(step.path)) : Unit{};
  return system_error(failed, "remove the folder", step.path);
}

}  // namespace snapgen::core

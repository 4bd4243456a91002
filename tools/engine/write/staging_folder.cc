#include "tools/engine/write/staging_folder.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <set>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/thread.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/file_lock.h"
#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/path.h"
#include "tools/engine/write/adopt_copied_journal.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/late_writes.h"
#include "tools/engine/write/parent_folders.h"
#include "tools/engine/write/steps.h"
#include "tools/engine/write/sync.h"

namespace snapgen::core {
namespace {

constexpr const char* lock_name = "lock";
constexpr std::string_view journal_suffix = ".journal";
constexpr std::string_view done_suffix = ".done";
constexpr std::string_view beside_suffix = ".beside";
constexpr std::string_view late_suffix = ".late";
constexpr std::string_view new_suffix = ".new";

// Whether a file with this name describes a change; `.new` files may be incomplete.
bool is_of_a_change(std::string_view name) {
  if (name.ends_with(new_suffix)) name.remove_suffix(new_suffix.size());
  return name.ends_with(journal_suffix) || name.ends_with(done_suffix) || name.ends_with(beside_suffix);
}

bool is_unfinished_change(std::string_view name) {
  return is_of_a_change(name) && !name.ends_with(done_suffix);
}

// The names of all files in the staging folder `fd` except the lock and set-aside ones, sorted.
Result<std::vector<std::string>> names_of_changes(int fd, const std::string& path) {
  FolderNames found = names_in_folder(fd);
  if (found.error != 0) return system_error(found.error, "read the folder", path);
  std::erase_if(found.names, [](const std::string& name) {
    return name == lock_name || name.starts_with(set_aside_prefix);
  });
  return std::move(found.names);
}

bool is_gone(int unlinked) { return unlinked == 0 || errno == ENOENT; }

// Deletes files that are staged outside. Returns false if one could not be deleted.
bool remove_outside(const Root& root, const std::vector<Step>& steps,
                    const std::vector<std::string>& retained) {
  ParentFolders folders(root);
  bool removed = true;
  for (const Step& step : steps) {
    if (!step.outside_staging_folder ||
        std::find(retained.begin(), retained.end(), step.staged_name) != retained.end())
      continue;
    Result<int> folder = folders.open_parent_of(joined_path(*step.outside_staging_folder, step.staged_name));
    if (folder) removed = is_gone(::unlinkat(*folder, step.staged_name.c_str(), 0)) && removed;
  }
  return removed;
}

}  // namespace

Result<StagingFolder> StagingFolder::open(const std::string& folder, UndoStore& undos) {
  TRY(make_folders(folder));
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error(errno, "open the folder", folder);
  return StagingFolder(folder, undos, std::move(fd));
}

Result<std::optional<StagingFolder>> StagingFolder::open_if_used(const std::string& folder,
                                                                 UndoStore& undos) {
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd && errno == ENOENT) return std::optional<StagingFolder>();
  if (!fd) return system_error(errno, "open the folder", folder);
  StagingFolder staging(folder, undos, std::move(fd));
  std::vector<std::string> names = TRY(staging.names());
  if (names.empty()) return std::optional<StagingFolder>();
  return std::optional(std::move(staging));
}

Result<Unit> StagingFolder::lock(const std::stop_token& stop) {
  lock_ = Fd(::openat(fd_.get(), lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) return write_error(errno, path_);
  switch (lock_file(lock_.get(), stop)) {
    case LockResult::acquired: return Unit{};
    case LockResult::cancelled: return cancelled_write_error();
    case LockResult::failed: return system_error(errno, "lock", path_);
    case LockResult::busy: break;
  }
  return Error(ErrorCode::unavailable,
               "Another process has been writing to this workspace for a minute; try again.");
}

Result<std::vector<std::string>> StagingFolder::names() const { return names_of_changes(fd_.get(), path_); }

Result<bool> StagingFolder::is_unfinished() const {
  const std::vector<std::string> names = TRY(this->names());
  return std::ranges::any_of(names, is_unfinished_change);
}

Result<bool> StagingFolder::has_unfinished_change(const std::string& folder) {
  const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd && errno == ENOENT) return false;
  if (!fd) return system_error(errno, "open the folder", folder);
  const std::vector<std::string> names = TRY(names_of_changes(fd.get(), folder));
  return std::ranges::any_of(names, is_unfinished_change);
}

Result<Unit> StagingFolder::recover(const Root& root,
                                    const std::function<void(const std::string& note)>& made) {
  assert(lock_);
  std::vector<std::string> names = TRY(this->names());
  // Journals are recovered first, because their steps name the files that are staged outside.
  for (bool beside : {false, true}) {
    for (const std::string& name : names) {
      bool is_beside = name.find(beside_suffix) != std::string::npos;
      if (!is_of_a_change(name) || is_beside != beside) continue;
      TRY(recover_one(root, name, is_beside, made));
    }
  }
  return Unit{};
}

// Reads the journal `name`. Returns nullopt if the writer has finished the change, or if the journal was
// never durable, so that nothing was changed.
Result<std::optional<Journal>> StagingFolder::journal_in(const std::string& name) const {
  Result<std::string> bytes = read_whole_file(path_ + "/" + name, journal_bytes_max);
  if (!bytes && bytes.error().code == ErrorCode::not_found) return std::optional<Journal>();
  if (!bytes) return std::move(bytes).error();
  std::optional<Journal> journal = parse_journal(*bytes);
  if (journal || name.ends_with(new_suffix)) return journal;
  return Error(ErrorCode::internal, "The journal " + path_ + "/" + name +
                                        " is damaged. Files that the write replaced may be in the same "
                                        "folder. Remove the journal to continue.");
}

Result<Unit> StagingFolder::adopt_copied_journal(const Root& root) {
  assert(lock_);
  std::vector<std::string> names = TRY(this->names());
  std::vector<std::pair<std::string, Journal>> taken;
  for (const std::string& name : names) {
    if (!is_of_a_change(name) || name.find(beside_suffix) != std::string::npos) continue;
    std::optional<Journal> journal = TRY(journal_in(name));
    if (!journal) continue;
    TRY(core::adopt_copied_journal(root, fd_.get(), journal->steps, CopyProof::content_and_time));
    taken.emplace_back(name, *std::move(journal));
  }
  for (const auto& [name, journal] : taken) {
    TRY(replace_file(path_, name, encoded_journal(journal), Durability::machine_crash));
  }
  return Unit{};
}

// Whether a step of the change may have been run. The replaced contents become durable while the journal is
// synced, and steps run only after both. So a change with an incomplete undo snapshot was never begun. It
// must not be made now, because the contents that it would replace are stored nowhere else.
bool StagingFolder::was_begun(const std::string& name, const Journal& journal) const {
  if (journal.undo.hex.empty()) return true;
  // The journal gets its final name after both are durable. Only a machine crash can lose that name.
  if (journal.is_of_this_boot()) return !name.ends_with(new_suffix);
  return undos_->has_contents(journal.undo);
}

Result<Unit> StagingFolder::recover_one(const Root& root, const std::string& name, bool is_beside,
                                        const std::function<void(const std::string& note)>& made) {
  std::optional<Journal> found = TRY(journal_in(name));
  if (!found) {
    ::unlinkat(fd_.get(), name.c_str(), 0);
    return Unit{};
  }
  Journal& journal = *found;
  std::string transaction = name.substr(0, name.find('.'));
  StepRunner runner(root, fd_.get());
  // A `.beside` list, or a journal that was never begun, means that the tree was not changed.
  if (!is_beside && was_begun(name, journal)) {
    const bool is_done = name.ends_with(done_suffix);
    bool copied = TRY(is_done ? false : is_copied_staging(root, fd_.get(), journal.steps));
    Result<Unit> ran = copied ? core::adopt_copied_journal(root, fd_.get(), journal.steps, CopyProof::content)
                              : Result<Unit>(Unit{});
    if (!ran && ran.error().code == ErrorCode::repo_changed) return set_aside(transaction, journal.steps);
    if (!ran) return ran;
    if (!journal.is_of_this_boot()) {
      ran = redo(root, fd_.get(), journal, runner);
    } else if (!is_done) {
      ran = runner.run(journal.steps);
    }
    // With these errors (files of other processes are in the way, or the file system rejects a name) the
    // change was undone. After any other, the next call tries again.
    const bool undone = !ran && (ran.error().code == ErrorCode::repo_changed ||
                                 ran.error().code == ErrorCode::invalid_argument);
    if (!ran && !undone) return ran;
    // The undo snapshot of an undone change is harmless but unnecessary.
    TRY(sync_both(root, journal.steps, ran ? journal.undo : SnapshotFiles()));
    // The writer of a change that is marked as done has already reported it.
    if (ran && !journal.note.empty() && !is_done) made(journal.note);
  }
  discard(root, transaction, journal.steps, runner.set_aside_names());
  return Unit{};
}

// Sets aside all files of a change whose state is uncertain, so that other changes can proceed.
Error StagingFolder::set_aside(const std::string& transaction, const std::vector<Step>& steps) {
  const std::string aside = std::string(set_aside_prefix) + transaction;
  if (::mkdirat(fd_.get(), aside.c_str(), 0700) != 0 && errno != EEXIST) return write_error(errno, path_);
  std::vector<std::string> names;
  for (const Step& step : steps)
    if (!step.outside_staging_folder && !step.staged_name.empty()) names.push_back(step.staged_name);
  // The journal is moved last: until then, the next call sets the change aside again.
  for (const std::string_view suffix : {beside_suffix, journal_suffix}) {
    names.push_back(transaction + std::string(suffix));
    names.push_back(transaction + std::string(suffix) + std::string(new_suffix));
  }
  for (const std::string& name : names)
    if (::renameat(fd_.get(), name.c_str(), fd_.get(), (aside + "/" + name).c_str()) != 0 && errno != ENOENT)
      return write_error(errno, path_);
  return {ErrorCode::repo_changed,
          "A write was interrupted by a crash, and its files were copied or replaced since, so it can be "
          "neither finished nor undone: some files may have the new content and others not. Compare them "
          "with the files in " +
              path_ + "/" + aside + "; the next call works with the files as they are."};
}

Result<bool> StagingFolder::sweep() {
  assert(lock_);
  std::vector<std::string> names = TRY(this->names());
  std::set<std::string> needed;
  for (const auto& [name, journal] : late_writes()) {
    needed.insert(name);
    for (const Step& step : journal.steps) needed.insert(step.staged_name);
  }
  for (const std::string& name : names) {
    if (!is_of_a_change(name) && !needed.contains(name)) ::unlinkat(fd_.get(), name.c_str(), 0);
  }
  return !needed.empty();
}

// Lists the replaced files of a change that may not be deleted yet in `<t>.late`, and returns their names.
// After a crash of the machine no process has them open.
Result<std::vector<std::string>> StagingFolder::record_late_writes(const std::string& transaction,
                                                                   const std::vector<Step>& steps) {
  Journal late{.boot = boot_id(), .written_ns = now_ns(), .note = {}, .steps = {}};
  late.steps = steps_with_late_writes(fd_.get(), steps);
  std::vector<std::string> names;
  for (const Step& step : late.steps) names.push_back(step.staged_name);
  if (names.empty()) return names;
  TRY(replace_file(path_, transaction + std::string(late_suffix), encoded_journal(late),
                   Durability::process_crash));
  return names;
}

// Returns the readable files `<t>.late`, by name.
std::vector<std::pair<std::string, Journal>> StagingFolder::late_writes() const {
  std::vector<std::pair<std::string, Journal>> found;
  for (const std::string& name : names_in_folder(fd_.get()).names) {
    if (!name.ends_with(late_suffix)) continue;
    const Result<std::string> bytes = read_whole_file(path_ + "/" + name, journal_bytes_max);
    std::optional<Journal> journal = bytes ? parse_journal(*bytes) : std::nullopt;
    if (journal) found.emplace_back(name, *std::move(journal));
  }
  return found;
}

bool StagingFolder::collect_late_writes() {
  bool remain = false;
  for (const auto& [name, journal] : late_writes()) {
    bool collected = true;
    for (const Step& step : journal.steps)
      collected = collect_late_write(fd_.get(), step, *undos_) && collected;
    if (collected) ::unlinkat(fd_.get(), name.c_str(), 0);
    remain = remain || !collected;
  }
  return remain;
}

// Writes the file `name`, as `.new` first. The batch's checksum proves that the bytes are complete. The final
// name only distinguishes a damaged file from one that never became durable.
Result<Unit> StagingFolder::write_durably(const std::string& name, std::string_view bytes,
                                          UndoContents* undo) {
  std::string unsure = name + std::string(new_suffix);
  Fd fd(::openat(fd_.get(), unsure.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd) return write_error(errno, path_);
  for (std::string_view rest = bytes; !rest.empty();) {
    ssize_t n = ::write(fd.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(errno, path_);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  // Syncs the folder, which has the file's name, and the file in parallel, because a disk flushes both in
  // hardly more time than one; and the contents for the undo snapshot, too.
  int failed = 0;
  Result<Unit> stored = Unit{};
  {
    const std::jthread of_name = run_on_thread_or_here([&] { failed = ::fsync(fd_.get()) == 0 ? 0 : errno; });
    std::jthread of_undo;
    if (undo != nullptr) of_undo = run_on_thread_or_here([&] { stored = undo->make_durable(); });
    if (::fdatasync(fd.get()) != 0) return write_error(errno, path_);
  }
  if (!stored) return stored;
  if (failed == 0 && ::renameat(fd_.get(), unsure.c_str(), fd_.get(), name.c_str()) != 0) failed = errno;
  if (failed != 0) return write_error(failed, path_);
  return Unit{};
}

Result<Unit> StagingFolder::write_journal(const std::string& transaction, const Journal& journal,
                                          UndoContents* undo) {
  assert(lock_);
  std::string name = transaction + std::string(journal_suffix);
  Result<Unit> written = write_durably(name, encoded_journal(journal), undo);
  const std::string draft = name + std::string(new_suffix);
  if (written || is_gone(::unlinkat(fd_.get(), draft.c_str(), 0))) return written;
  return Error(ErrorCode::internal,
               "The write failed before it changed a file, but its journal could not be deleted, so the next "
               "call on this workspace may carry it out. Delete " +
                   path_ + "/" + draft + " to prevent that.",
               {}, written.error().message + " " + written.error().cause);
}

Result<Unit> StagingFolder::record_outside_staging(const std::string& transaction,
                                                   const std::vector<Step>& steps) {
  assert(lock_);
  Journal outside{.boot = boot_id(), .written_ns = now_ns(), .note = {}, .steps = {}};
  for (const Step& step : steps) {
    if (step.outside_staging_folder) outside.steps.push_back(step);
  }
  if (outside.steps.empty()) return Unit{};
  return write_durably(transaction + std::string(beside_suffix), encoded_journal(outside), nullptr);
}

void StagingFolder::mark_done(const std::string& transaction) {
  assert(lock_);
  std::string journal = transaction + std::string(journal_suffix);
  std::string done = transaction + std::string(done_suffix);
  // If this fails, recover() checks the steps itself.
  static_cast<void>(::renameat(fd_.get(), journal.c_str(), fd_.get(), done.c_str()));
}

Result<Unit> StagingFolder::sync_both(const Root& root, const std::vector<Step>& steps,
                                      const SnapshotFiles& undo) const {
  Result<Unit> stored = Unit{};
  Result<Unit> durable = Unit{};
  {
    std::jthread of_undo;
    if (!undo.hex.empty())
      of_undo = run_on_thread_or_here([&] { stored = undos_->make_files_durable(undo); });
    durable = sync_done(root, steps);
  }
  return durable ? stored : durable;
}

Result<Unit> StagingFolder::finish(const Root& root, const std::string& transaction,
                                   const std::vector<Step>& steps, const SnapshotFiles& undo) {
  TRY(sync_both(root, steps, undo));
  TRY(record_late_writes(transaction, steps));
  delete_journal(transaction);
  return Unit{};
}

// Deletes the journal of a change. Returns false if it still exists; its files are then still needed.
bool StagingFolder::delete_journal(const std::string& transaction) {
  const std::string journal = transaction + std::string(journal_suffix);
  for (const std::string& name :
       {journal, transaction + std::string(done_suffix), journal + std::string(new_suffix)})
    if (!is_gone(::unlinkat(fd_.get(), name.c_str(), 0))) return false;
  return true;
}

void StagingFolder::discard(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
                            const std::vector<std::string>& retained) {
  const Result<std::vector<std::string>> late = record_late_writes(transaction, steps);
  if (!late || !delete_journal(transaction)) return;
  const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Step& step : steps) {
    bool goes = !step.outside_staging_folder && !step.staged_name.empty() &&
                !is_among(retained, step.staged_name) && !is_among(*late, step.staged_name);
    if (goes) ::unlinkat(fd_.get(), step.staged_name.c_str(), 0);
  }
  if (!late->empty()) collect_late_writes();
  if (!remove_outside(root, steps, retained)) return;
  for (std::string_view suffix : {std::string_view(), new_suffix}) {
    std::string beside = transaction + std::string(beside_suffix) + std::string(suffix);
    ::unlinkat(fd_.get(), beside.c_str(), 0);
  }
}

Result<StagingFolder> StagingFolder::duplicate() const {
  Fd fd(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
  if (!fd) return system_error(errno, "open the folder", path_);
  return StagingFolder(path_, *undos_, std::move(fd));
}

}  // namespace snapgen::core

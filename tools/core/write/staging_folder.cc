#include "tools/core/write/staging_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/core/path/path.h"
#include "tools/core/store/durable.h"
#include "tools/core/write/content.h"
#include "tools/core/write/parents.h"
#include "tools/core/write/steps.h"

namespace snapgen::core {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr const char* lock_name = "lock";
constexpr std::string_view journal_suffix = ".journal";
constexpr std::string_view beside_suffix = ".beside";
constexpr milliseconds lock_wait_max{60'000};
constexpr milliseconds lock_poll{2};

bool is_gone(int unlinked) { return unlinked == 0 || errno == ENOENT; }

// False: something that is staged outside could not be removed.
bool remove_outside(const Root& root, const std::vector<Step>& steps, const std::vector<std::string>& kept) {
  Parents folders(root);
  bool gone = true;
  for (const Step& step : steps) {
    if (!step.beside || std::find(kept.begin(), kept.end(), step.staged) != kept.end()) continue;
    Result<int> folder = folders.above(joined(*step.beside, step.staged));
    if (folder) gone = is_gone(::unlinkat(*folder, step.staged.c_str(), 0)) && gone;
  }
  return gone;
}

}  // namespace

Result<StagingFolder> StagingFolder::open(const std::string& folder) {
  Result<Unit> made = make_folders(folder);
  if (!made) return std::move(made).error();
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return system_error(errno, "open the folder", folder);
  return StagingFolder(folder, std::move(fd));
}

Result<std::optional<StagingFolder>> StagingFolder::open_if_used(const std::string& folder) {
  Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd && errno == ENOENT) return std::optional<StagingFolder>();
  if (!fd) return system_error(errno, "open the folder", folder);
  StagingFolder staging(folder, std::move(fd));
  Result<std::vector<std::string>> names = staging.names();
  if (!names) return std::move(names).error();
  if (names->empty()) return std::optional<StagingFolder>();
  return std::optional(std::move(staging));
}

Result<Unit> StagingFolder::lock(const std::stop_token& stop) {
  lock_ = Fd(::openat(fd_.get(), lock_name, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock_) return write_error(errno, path_);
  steady_clock::time_point last = steady_clock::now() + lock_wait_max;
  while (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return system_error(errno, "lock", path_);
    if (stop.stop_requested()) return Error(ErrorCode::cancelled, "Cancelled; nothing was written.");
    if (steady_clock::now() > last)
      return Error(ErrorCode::unavailable,
                   "Another process has been writing to this workspace for a minute; try again.");
    std::this_thread::sleep_for(lock_poll);
  }
  return Unit{};
}

// Everything but the lock and what is kept, sorted.
Result<std::vector<std::string>> StagingFolder::names() const {
  int copy = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy), &::closedir);
  if (!entries) return system_error(errno, "read the folder", path_);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != lock_name && !name.starts_with(kept_prefix))
      names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<bool> StagingFolder::is_unfinished() const {
  Result<std::vector<std::string>> names = this->names();
  if (!names) return std::move(names).error();
  return std::any_of(names->begin(), names->end(), [](const std::string& name) {
    return name.ends_with(journal_suffix) || name.ends_with(beside_suffix);
  });
}

Result<Unit> StagingFolder::settle(const Root& root,
                                   const std::function<void(const std::string& note)>& made) {
  Result<std::vector<std::string>> names = this->names();
  if (!names) return std::move(names).error();
  for (std::string_view name : *names) {
    bool is_journal = name.ends_with(journal_suffix);
    if (!is_journal && !name.ends_with(beside_suffix)) continue;
    Result<std::string> bytes = read_whole(path_ + "/" + std::string(name));
    if (!bytes) return std::move(bytes).error();
    std::optional<std::vector<Step>> steps = decoded_journal(*bytes);
    if (!steps)
      return Error(ErrorCode::internal,
                   "The journal " + path_ + "/" + std::string(name) +
                       " is damaged; files that it replaced may be beside it; remove it to go on.");
    std::string transaction(name.substr(0, name.rfind('.')));
    StepRunner runner(root, fd_.get());
    // Without a journal nothing had been changed; with one, its steps tell where else files are staged.
    bool has_journal =
        std::binary_search(names->begin(), names->end(), transaction + std::string(journal_suffix));
    if (!is_journal && has_journal) continue;
    Result<Unit> ran = is_journal ? runner.run(*steps) : Unit{};
    if (!ran && ran.error().code != ErrorCode::repo_changed) return ran;
    const std::string note = is_journal && ran ? note_of_journal(*bytes) : std::string();
    if (!note.empty()) made(note);
    discard(root, transaction, *steps, runner.kept());
  }
  return Unit{};
}

Result<Unit> StagingFolder::sweep() {
  Result<std::vector<std::string>> names = this->names();
  if (!names) return std::move(names).error();
  for (const std::string& name : *names) {
    if (!name.ends_with(journal_suffix) && !name.ends_with(beside_suffix))
      ::unlinkat(fd_.get(), name.c_str(), 0);
  }
  return Unit{};
}

Result<Unit> StagingFolder::write_durably(const std::string& name, std::string_view bytes) {
  std::string unnamed = name + ".new";
  Fd fd(::openat(fd_.get(), unnamed.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!fd) return write_error(errno, path_);
  for (std::string_view rest = bytes; !rest.empty();) {
    ssize_t n = ::write(fd.get(), rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(errno, path_);
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fdatasync(fd.get()) != 0 || ::renameat(fd_.get(), unnamed.c_str(), fd_.get(), name.c_str()) != 0 ||
      ::fsync(fd_.get()) != 0) {
    return write_error(errno, path_);
  }
  return Unit{};
}

Result<Unit> StagingFolder::write_journal(const std::string& transaction, const std::vector<Step>& steps,
                                          std::string_view note) {
  return write_durably(transaction + std::string(journal_suffix), encoded_journal(steps, note));
}

Result<Unit> StagingFolder::write_beside(const std::string& transaction, const std::vector<Step>& steps) {
  std::vector<Step> outside;
  for (const Step& step : steps) {
    if (step.beside) outside.push_back(step);
  }
  if (outside.empty()) return Unit{};
  return write_durably(transaction + std::string(beside_suffix), encoded_journal(outside));
}

std::vector<std::string> StagingFolder::forget(const Root& root, const std::string& transaction,
                                               const std::vector<Step>& steps) {
  return forget_all_but(root, transaction, steps, {});
}

void StagingFolder::discard(const Root& root, const std::string& transaction, const std::vector<Step>& steps,
                            const std::vector<std::string>& kept) {
  for (const std::string& name : forget_all_but(root, transaction, steps, kept))
    ::unlinkat(fd_.get(), name.c_str(), 0);
}

std::vector<std::string> StagingFolder::forget_all_but(const Root& root, const std::string& transaction,
                                                       const std::vector<Step>& steps,
                                                       const std::vector<std::string>& kept) {
  std::vector<std::string> names;
  // As long as the journal stands, its files are needed.
  std::string journal = transaction + std::string(journal_suffix);
  if (!is_gone(::unlinkat(fd_.get(), journal.c_str(), 0))) return names;
  for (const Step& step : steps) {
    bool goes = !step.beside && !step.staged.empty() &&
                std::find(kept.begin(), kept.end(), step.staged) == kept.end();
    if (goes) names.push_back(step.staged);
  }
  if (!remove_outside(root, steps, kept)) return names;
  std::string beside = transaction + std::string(beside_suffix);
  ::unlinkat(fd_.get(), beside.c_str(), 0);
  return names;
}

}  // namespace snapgen::core

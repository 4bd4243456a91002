#include "tools/engine/write/writer.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "tools/engine/write/change_finisher.h"
#include "tools/engine/write/transaction.h"

namespace snapgen::core {
namespace {

// These are asserted only.
[[maybe_unused]] bool have_different_paths(const std::vector<TreeWrite>& writes) {
  std::vector<std::string_view> paths;
  // A folder may be removed where a file is created.
  for (const TreeWrite& each : writes)
    if (each.change.kind != TreeChange::Kind::remove_folder) paths.emplace_back(each.change.path);
  std::ranges::sort(paths);
  return std::ranges::adjacent_find(paths) == paths.end();
}

// Whether a copy has its source, and a change of a mode its file.
[[maybe_unused]] bool names_its_files(const TreeWrite& write) {
  if (write.change.kind == TreeChange::Kind::copy) return write.source.has_value();
  return write.change.kind != TreeChange::Kind::chmod || write.existing.has_value();
}

}  // namespace

Writer::Writer(const Root& root, std::string folder, UndoStore& undos)
    : root_(root),
      folder_(std::move(folder)),
      undos_(undos),
      change_finisher_(std::make_unique<ChangeFinisher>(root)) {}

Writer::~Writer() = default;

void Writer::set_listener(std::function<void(const std::string& note)> listener) {
  std::lock_guard lock(listener_mutex_);
  listener_ = std::move(listener);
  for (const std::string& each : std::exchange(unreported_, {})) listener_(each);
}

void Writer::notify_listener(const std::string& note) {
  std::lock_guard lock(listener_mutex_);
  if (listener_)
    listener_(note);
  else
    unreported_.push_back(note);
}

Result<Unit> Writer::recover(const std::stop_token& stop) {
  std::int64_t seen = now_ns();
  struct stat st;
  if (::stat(folder_.c_str(), &st) != 0) return errno == ENOENT ? Unit{} : recover_unfinished(stop);
  FileStat stat = file_stat(st);
  if (stat.mtime_ns == recovered_ns_) return Unit{};
  Result<Unit> recovered = recover_unfinished(stop);
  // A later change in the same clock tick would leave the same modification time.
  if (recovered && !is_racy(stat, seen)) recovered_ns_ = stat.mtime_ns;
  return recovered;
}

Result<Unit> Writer::recover_copy(const std::stop_token& stop) {
  std::optional<StagingFolder> staging = TRY(StagingFolder::open_if_used(folder_, undos_));
  if (!staging) return Unit{};
  Result<Unit> ready = staging->lock(stop);
  if (ready) ready = staging->adopt_copied_journal(root_);
  return ready ? recover_locked(*staging) : ready;
}

bool Writer::is_recovered() const {
  struct stat st;
  if (::stat(folder_.c_str(), &st) != 0) return errno == ENOENT;
  return file_stat(st).mtime_ns == recovered_ns_;
}

Result<Unit> Writer::recover_unfinished(const std::stop_token& stop) {
  std::optional<StagingFolder> staging = TRY(StagingFolder::open_if_used(folder_, undos_));
  if (!staging) return Unit{};
  bool unfinished = TRY(staging->is_unfinished());
  if (!unfinished && swept_) return Unit{};
  Result<Unit> locked = staging->lock(stop);
  // If the folder is not writable, leftovers that never reached the tree can remain.
  if (!locked) return unfinished ? locked : Unit{};
  return recover_locked(*staging);
}

// Deletes leftovers only the first time: later ones are of this process, and its sweeper deletes them.
Result<Unit> Writer::recover_locked(StagingFolder& staging) {
  TRY(staging.recover(root_, [this](const std::string& note) { notify_listener(note); }));
  if (swept_) return Unit{};
  const bool has_late_writes = TRY(staging.sweep());
  swept_ = true;
  Result<StagingFolder> folder = staging.duplicate();
  if (has_late_writes && folder) change_finisher_->collect_late_writes(*std::move(folder));
  return Unit{};
}

Result<std::vector<FileRecord>> Writer::write(const std::vector<TreeWrite>& writes,
                                              const WriteOptions& options, UndoContents* undo,
                                              const std::stop_token& stop) {
  assert(have_different_paths(writes) && std::ranges::all_of(writes, &names_its_files));
  if (writes.empty()) return std::vector<FileRecord>();
  WriteChecks checks(rules_);
  for (const TreeWrite& each : writes) {
    TRY(checks.check(each.change));
  }
  TRY(root_.check_not_moved());
  change_finisher_->wait_until_durable();  // Otherwise recover_locked() would repeat the sweeper's work.
  StagingFolder staging = TRY(StagingFolder::open(folder_, undos_));
  TRY(staging.lock(stop));
  TRY(recover_locked(staging));
  Transaction transaction(root_, staging, writes);
  Result<std::vector<FileRecord>> done = transaction.run(
      options, undo,
      [&] {
        if (!options.note.empty()) notify_listener(options.note);
      },
      stop);
  std::optional<UnsyncedChange> unfinished = done ? transaction.take_unfinished() : std::nullopt;
  Result<StagingFolder> once_more = staging.duplicate();
  // If there is no other descriptor, the next change finishes this one.
  if (unfinished && once_more) change_finisher_->finish(*std::move(once_more), *std::move(unfinished));
  return done;
}

}  // namespace snapgen::core

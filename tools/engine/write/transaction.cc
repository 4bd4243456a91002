#include "tools/engine/write/transaction.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/base/random.h"
#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/step_plan.h"
#include "tools/engine/write/steps.h"
#include "tools/engine/write/sync.h"

namespace snapgen::core {
namespace {

constexpr std::size_t name_length = 12;
// Files up to these sizes are also written into the journal, which is faster than a sync of each. Larger
// files are synced.
constexpr std::size_t journaled_bytes_max = 4 << 20;
constexpr std::size_t journaled_file_bytes_max = 256 << 10;
constexpr std::size_t staged_per_block = 16;  // Files that one thread stages at a time.

bool is_move(const Step& step) {
  return step.kind == Step::Kind::move_from_staging || step.kind == Step::Kind::exchange;
}

}  // namespace

Transaction::Transaction(const Root& root, StagingFolder& staging, const std::vector<TreeWrite>& writes)
    : root_(root), staging_(staging), writes_(writes), name_(random_name(name_length)) {}

Result<std::vector<FileRecord>> Transaction::run(const WriteOptions& options, UndoContents* undo,
                                                 const std::function<void()>& made,
                                                 const std::stop_token& stop) {
  assert(journal_.steps.empty());  // Called once.
  StepPlan plan = TRY(plan_steps(root_, writes_, options, name_, mount_id_of(staging_.fd())));
  journal_.steps = std::move(plan.steps);
  step_writes_ = std::move(plan.writes);

  Result<Unit> ready = staging_.record_outside_staging(name_, journal_.steps);
  if (ready) ready = stage_all(stop);
  if (ready) ready = sync_staged(root_, staging_.fd(), journal_.steps);
  if (ready && stop.stop_requested()) ready = cancelled_write_error();
  if (ready) ready = write_journal(options.note, undo);
  if (!ready && ready.error().code == ErrorCode::internal) return std::move(ready).error();
  if (!ready) {
    staging_.discard(root_, name_, journal_.steps, {});
    return std::move(ready).error();
  }

  StepRunner runner(root_, staging_.fd());
  Result<Unit> done = runner.run(journal_.steps);
  if (!done) {
    if (done.error().code != ErrorCode::internal)
      staging_.discard(root_, name_, journal_.steps, runner.set_aside_names());
    return std::move(done).error();
  }
  collect_records();
  made();
  staging_.mark_done(name_);
  done = finish();
  if (!done) return std::move(done).error();
  return std::move(records_);
}

Result<Unit> Transaction::write_journal(const std::string& note, UndoContents* undo) {
  journal_.boot = boot_id();
  journal_.written_ns = now_ns();
  journal_.note = note;
  if (undo != nullptr) journal_.undo = undo->files();
  return staging_.write_journal(name_, journal_, undo);
}

// Leaves the remaining work until after the response, because the journal can repeat the change. Files that
// are staged where users see them are removed at once.
Result<Unit> Transaction::finish() {
  for (Step& step : journal_.steps) step.content.reset();
  bool visible = std::any_of(journal_.steps.begin(), journal_.steps.end(),
                             [](const Step& step) { return step.outside_staging_folder.has_value(); });
  if (!visible) {
    unfinished_ = UnsyncedChange{
        .transaction = name_, .steps = std::move(journal_.steps), .undo = std::move(journal_.undo)};
    return Unit{};
  }
  Result<Unit> durable = staging_.finish(root_, name_, journal_.steps, journal_.undo);
  if (durable) staging_.discard(root_, name_, journal_.steps, {});
  if (durable) return durable;
  return Error(
      ErrorCode::unavailable,
      "Everything was written, but the system could not confirm that it is durable on the disk. Do not "
      "repeat the call; check the disk.",
      {}, durable.error().cause);
}

Result<Unit> Transaction::stage_all(const std::stop_token& stop) {
  std::vector<std::size_t> leaving;  // The steps that leave a file.
  std::vector<bool> journaled;
  for (std::size_t i = 0; i < journal_.steps.size(); ++i) {
    const Step& step = journal_.steps[i];
    if (step_writes_[i] == nullptr || (!is_move(step) && step.kind != Step::Kind::chmod)) continue;
    leaving.push_back(i);
    journaled.push_back(is_journaled(step, *step_writes_[i]));
  }
  records_.resize(leaving.size());
  std::mutex mutex;
  std::optional<Error> failed;
  std::atomic<bool> goes_on = true;
  in_parallel(leaving.size(), staged_per_block, [&](std::size_t begin, std::size_t end) {
    ParentFolders parents(root_);
    const std::vector<BlobId> blobs = blobs_of(std::span(leaving).subspan(begin, end - begin));
    for (std::size_t i = begin; i < end && goes_on; ++i) {
      Result<FileRecord> staged = cancelled_write_error();
      if (!stop.stop_requested())
        staged = stage_one(journal_.steps[leaving[i]], *step_writes_[leaving[i]],
                           {.blob = blobs[i - begin], .journaled = journaled[i]}, parents, stop);
      if (staged) {
        records_[i] = *std::move(staged);
        continue;
      }
      goes_on = false;
      std::lock_guard lock(mutex);
      if (!failed) failed = std::move(staged).error();
    }
  });
  if (failed) return *std::move(failed);
  return Unit{};
}

// Whether the journal includes the content, so that the file needs no sync.
bool Transaction::is_journaled(const Step& step, const TreeWrite& write) {
  const std::size_t bytes = write.change.bytes.size();
  if (!is_move(step) || step.outside_staging_folder || write.change.kind == TreeChange::Kind::copy ||
      bytes > journaled_file_bytes_max || journaled_bytes_ + bytes > journaled_bytes_max)
    return false;
  journaled_bytes_ += bytes;
  return true;
}

// The ids of the contents that these steps write, hashed in parallel lanes.
std::vector<BlobId> Transaction::blobs_of(std::span<const std::size_t> steps) const {
  std::vector<std::string_view> contents;
  for (const std::size_t step : steps) contents.emplace_back(step_writes_[step]->change.bytes);
  std::vector<BlobId> blobs;
  for (const Sha256::Digest& digest : sha256_of_each(contents)) blobs.push_back(BlobId{.digest = digest});
  return blobs;
}

// Stages the file of a step and returns its record. Called by several threads, each with its own `parents`.
Result<FileRecord> Transaction::stage_one(Step& step, const TreeWrite& write, const NewContent& content,
                                          ParentFolders& parents, const std::stop_token& stop) const {
  if (step.kind == Step::Kind::chmod) return observe_result(write, stop);
  // A file inherits metadata from the file that it replaces. A copied or moved one inherits the permissions
  // of its source, so that a private file stays private.
  const TreeChange& change = write.change;
  const bool has_source = write.source.has_value();
  const std::optional<FileRecord>& model = has_source ? write.source : write.existing;
  InheritedMetadata inherited;
  OpenedPath opened;
  if (model && change.mode != FileMode::symlink && S_ISREG(model->stat.mode)) {
    inherited.stat = &model->stat;
    Result<OpenedPath> found = root_.open_file(model->path);
    if (found && found->stat.inode == model->stat.inode) opened = std::move(*found);
    if (opened.fd && !has_source) inherited.fd = opened.fd.get();
  }
  StagingLocation location{.folder = staging_.fd(), .name = step.staged_name, .mode = step.mode};
  Result<int> folder = parents.open_parent_of(
      step.outside_staging_folder ? joined_path(*step.outside_staging_folder, step.staged_name) : step.path);
  if (step.outside_staging_folder) {
    if (!folder) return std::move(folder).error();
    location.folder = *folder;
  } else if (folder) {
    location.destination_folder = *folder;
  }
  StagedContent staged = TRY(stage_file(root_, write, location, inherited, &content.blob, stop));
  step.after = staged.stat;
  if (content.journaled) step.content = StagedBytes{.bytes = change.bytes, .blob = staged.blob};
  return FileRecord{.path = step.path, .stat = staged.stat, .blob = staged.blob};
}

// The record of the file of a chmod. A chmod changes no content, but the record needs it.
Result<FileRecord> Transaction::observe_result(const TreeWrite& write, const std::stop_token& stop) const {
  if (write.existing->blob) return *write.existing;
  Result<FileRecord> record = observe_file(root_, write.change.path, stop);
  if (record && record->stat == write.existing->stat) return record;
  if (!record && record.error().code == ErrorCode::cancelled) return record;
  return changed_meanwhile_error(write.change.path);
}

// Updates the records, because renaming has changed every ctime. The record of a file that another process
// has replaced retains the stat of the written file, which then proves the change.
void Transaction::collect_records() {
  std::size_t next = 0;
  ParentFolders parents(root_);
  for (const Step& step : journal_.steps) {
    if (!is_move(step) && step.kind != Step::Kind::chmod) continue;
    FileRecord& record = records_[next++];
    record.seen_ns = now_ns();
    Result<int> folder = parents.open_parent_of(step.path);
    if (!folder) continue;
    Result<std::optional<FileStat>> stat = stat_at(*folder, std::string(base_name(step.path)), step.path);
    bool ours = stat && *stat && (*stat)->inode == record.stat.inode && (*stat)->size == record.stat.size &&
                (*stat)->mtime_ns == record.stat.mtime_ns;
    if (ours) record.stat = **stat;
  }
  auto by_path = [](const FileRecord& a, const FileRecord& b) { return a.path < b.path; };
  std::sort(records_.begin(), records_.end(), by_path);
}

}  // namespace snapgen::core

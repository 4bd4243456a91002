#include "tools/engine/write/adopt_copied_journal.h"

#include <cstdint>
#include <optional>
#include <string>

#include "tools/engine/files/exchange.h"
#include "tools/engine/files/path.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/parent_folders.h"
#include "tools/engine/write/steps.h"

namespace snapgen::core {
namespace {

// Whether a step was done.
enum class Progress : std::uint8_t { undone, done, either, unknown };

// A name in an open folder, and its stat.
struct NamedEntry {
  int folder = -1;
  std::string name;
  std::optional<FileStat> stat;
};

class JournalAdopter {
 public:
  JournalAdopter(const Root& root, int staging, CopyProof proof)
      : parents_(root), beside_(root), staging_(staging), proof_(proof) {}

  Result<bool> is_copied_staging(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (!moves_file(step)) continue;
      NamedEntry staged = TRY(staged_of(step));
      if (!staged.stat) continue;
      const bool known = staged.stat->inode == step.after.inode ||
                         (step.before && staged.stat->inode == step.before->stat.inode);
      if (!known) return true;
    }
    return false;
  }

  Result<Unit> run(std::vector<Step>& steps) {
    bool ends = false;  // A step that was not done was found, so no later one may be done.
    for (Step& step : steps) {
      Progress progress = TRY(inspect(step));
      if (progress == Progress::unknown || (progress == Progress::done && ends))
        return Error(ErrorCode::repo_changed,
                     "A write that was interrupted by a crash does not belong to the files that are here.",
                     {}, path_in_sentence(step.path));
      ends = ends || progress == Progress::undone;
    }
    return Unit{};
  }

 private:
  Result<Progress> inspect(Step& step) {
    if (step.kind == Step::Kind::remove_folder || step.kind == Step::Kind::make_folder)
      return Progress::either;
    NamedEntry target = TRY(place_in(parents_, step.path, step.path));
    if (step.kind == Step::Kind::chmod) return found(is_before(step, target), Progress::either);
    NamedEntry staged = TRY(staged_of(step));
    bool stuck = TRY(is_stuck(step, staged, target));
    if (stuck) return Progress::unknown;
    switch (step.kind) {
      case Step::Kind::move_to_staging:
        return staged.stat ? found(is_before(step, staged), Progress::done)
                           : found(is_before(step, target), Progress::undone);
      case Step::Kind::move_from_staging:
        if (staged.stat && target.stat) return Progress::unknown;
        return staged.stat ? found(is_after(step, staged), Progress::undone)
                           : found(is_after(step, target), Progress::done);
      default: return look_at_swap(step, staged, target);
    }
  }

  Result<Progress> look_at_swap(Step& step, const NamedEntry& staged, const NamedEntry& target) {
    for (const Progress progress : {Progress::undone, Progress::done}) {
      const bool is_done = progress == Progress::done;
      Result<bool> same = is_after(step, is_done ? target : staged);
      if (same && *same) same = is_before(step, is_done ? staged : target);
      if (!same) return std::move(same).error();
      if (*same) return progress;
    }
    return Progress::unknown;
  }

  static Result<Progress> found(Result<bool> same, Progress progress) {
    if (!same) return std::move(same).error();
    return *same ? progress : Progress::unknown;
  }

  // Whether a move that takes several system calls was interrupted.
  static Result<bool> is_stuck(const Step& step, const NamedEntry& staged, const NamedEntry& target) {
    if (staged.folder < 0) return false;
    std::optional<FileStat> aside =
        TRY(stat_at(staged.folder, exchange_temporary_name(step.staged_name), step.path));
    return aside.has_value() || (staged.stat && target.stat &&
                                 are_hard_links(staged.folder, staged.name, target.folder, target.name));
  }

  Result<NamedEntry> staged_of(const Step& step) {
    if (step.outside_staging_folder)
      return place_in(beside_, joined_path(*step.outside_staging_folder, step.staged_name), step.path);
    std::optional<FileStat> stat = TRY(stat_at(staging_, step.staged_name, step.path));
    return NamedEntry{.folder = staging_, .name = step.staged_name, .stat = stat};
  }

  // Finds the name and stat at `place`. The result is valid until the next call with the same `parents`.
  static Result<NamedEntry> place_in(ParentFolders& parents, const std::string& location,
                                     const std::string& path) {
    Result<int> folder = parents.open_parent_of(location);
    if (!folder && folder.error().code == ErrorCode::not_found) return NamedEntry{};
    if (!folder) return std::move(folder).error();
    std::string name(base_name(location));
    std::optional<FileStat> stat = TRY(stat_at(*folder, name, path));
    return NamedEntry{.folder = *folder, .name = std::move(name), .stat = stat};
  }

  // Whether the file that the step replaces is at `place`. If so, updates its record in the step.
  Result<bool> is_before(Step& step, const NamedEntry& entry) const {
    if (!entry.stat || !step.before) return false;
    FileRecord& record = *step.before;
    Result<bool> same = proof_ == CopyProof::content
                            ? is_same(entry, record.stat, record.blob ? &*record.blob : nullptr)
                            : is_expected(entry.folder, entry.name, record);
    if (same && *same) become(record.stat, *entry.stat);
    return same;
  }

  // Whether the file that the step writes is at `place`. If so, updates its stat in the step.
  Result<bool> is_after(Step& step, const NamedEntry& entry) const {
    if (!entry.stat) return false;
    Result<bool> same = is_same(entry, step.after, step.content ? &step.content->blob : nullptr);
    if (same && *same) become(step.after, *entry.stat);
    return same;
  }

  Result<bool> is_same(const NamedEntry& entry, const FileStat& stat, const BlobId* blob) const {
    const bool by_content = blob != nullptr && proof_ == CopyProof::content;
    if (!may_be_equal(*entry.stat, stat) || (!by_content && entry.stat->mtime_ns != stat.mtime_ns))
      return false;
    if (blob == nullptr || (!by_content && entry.stat->inode == stat.inode)) return true;
    BlobId found = TRY(blob_at(entry.folder, entry.name, *entry.stat, entry.name));
    return found == *blob;
  }

  static void become(FileStat& known, const FileStat& found) {
    known.inode = found.inode;
    known.mtime_ns = found.mtime_ns;
  }

  ParentFolders parents_;
  ParentFolders beside_;  // The folders of files that are staged outside.
  int staging_;
  CopyProof proof_;
};

}  // namespace

Result<bool> is_copied_staging(const Root& root, int staging, const std::vector<Step>& steps) {
  return JournalAdopter(root, staging, CopyProof::content).is_copied_staging(steps);
}

Result<Unit> adopt_copied_journal(const Root& root, int staging, std::vector<Step>& steps, CopyProof proof) {
  std::vector<Step> taken = steps;
  Result<Unit> proven = JournalAdopter(root, staging, proof).run(taken);
  if (proven) steps = std::move(taken);
  return proven;
}

}  // namespace snapgen::core

#include "tools/engine/git/walk/files.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/walk/file_walk.h"
#include "tools/engine/git/walk/folder.h"
#include "tools/engine/git/walk/untracked.h"
#include "tools/engine/git/walk/worktree.h"

namespace snapgen::core {
namespace {

using namespace git;

WorktreeFile file_of(std::string path, bool tracked, const struct stat& status) {
  return {.path = std::move(path),
          .is_symlink = S_ISLNK(status.st_mode),
          .is_tracked = tracked,
          .is_hard_linked = status.st_nlink > 1,
          .stat = file_stat(status)};
}

// TrackedWalk examines ranges of index entries for a listing only.
class TrackedWalk {
 public:
  TrackedWalk(const Index& index, int root_fd, const std::stop_token& stop)
      : found(index), index_(index), probe_(root_fd), stop_(stop) {}

  void operator()(std::size_t begin, std::size_t end) {
    if (stop_.stop_requested()) return;
    for (std::size_t i = begin; i < end; ++i) {
      struct stat status{};
      const Presence presence = probe_.stat(index_.entries()[i].path, status);
      found.add_entry(i, presence, status);
    }
  }

  TrackedFileCollector found;

 private:
  const Index& index_;
  PathProbe probe_;
  const std::stop_token& stop_;
};

using Files = std::vector<WorktreeFile>;

// Merges two sorted lists.
Files merged_files(Files a, Files b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Files out;
  out.reserve(a.size() + b.size());
  std::merge(std::make_move_iterator(a.begin()), std::make_move_iterator(a.end()),
             std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()), std::back_inserter(out),
             [](const WorktreeFile& x, const WorktreeFile& y) { return x.path < y.path; });
  return out;
}

}  // namespace

Result<FileListing> list_files(const Repository& repository, std::stop_token stop) {
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, stop));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, stop));
  return walk_files(state, *config, *loaded->index, ThreadCount::two, nullptr, stop);
}

namespace git {

void TrackedFileCollector::add_entry(std::size_t at, Presence presence, const struct stat& status) {
  const IndexEntry& entry = index_.entries()[at];
  // The entry is another stage of the same path.
  if (at > 0 && index_.entries()[at - 1].path == entry.path) return;
  if (presence == Presence::missing) return;
  if (presence == Presence::unknown) return skip(entry.path, SkipReason::unreadable);
  if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)) {
    files.push_back(file_of(std::string(entry.path), true, status));
  } else if (!S_ISDIR(status.st_mode)) {
    skip(entry.path, SkipReason::not_a_file);
  }
  // The walk for untracked files reports a folder in place of a file, and submodules.
}

// Merges the results of two workers. Each took ranges in ascending order, so its results are sorted.
Result<FileListing> merged_listing(int root_fd, TrackedFileCollector first, TrackedFileCollector second,
                                   UntrackedFiles untracked) {
  if (!untracked.fallback_reason.empty())
    return Error(ErrorCode::unavailable, "git cannot list files: " + untracked.fallback_reason +
                                             ". Run `git status`, and correct what it reports.");
  FileListing out;
  out.skipped = std::move(untracked.skipped);
  std::set<std::string, std::less<>> unreadable_folders;
  for (const SkippedPath& each : out.skipped)
    if (each.reason == SkipReason::unreadable) unreadable_folders.insert(each.path);
  // The tracked files in an unreadable folder are skipped with it, and count once.
  const auto is_counted = [&](std::string_view path) {
    while (!(path = parent_path(path)).empty())
      if (unreadable_folders.contains(path)) return true;
    return false;
  };
  for (std::vector<SkippedPath>* more : {&first.skipped, &second.skipped}) {
    if (!unreadable_folders.empty())
      std::erase_if(*more, [&](const SkippedPath& each) { return is_counted(each.path); });
    std::move(more->begin(), more->end(), std::back_inserter(out.skipped));
  }
  std::vector<WorktreeFile> others;
  PathProbe probe(root_fd);
  for (std::string& path : untracked.status_paths) {
    if (path.ends_with('/')) continue;  // A nested repository, already in `skipped`.
    struct stat status{};
    const Presence presence = probe.stat(path, status);
    if (presence == Presence::unknown) {
      out.skipped.push_back({.path = path, .reason = SkipReason::unreadable});
    }
    if (presence != Presence::present) continue;  // The file was deleted since.
    others.push_back(file_of(std::move(path), false, status));
  }
  out.files = merged_files(merged_files(std::move(first.files), std::move(second.files)), std::move(others));
  return out;
}

Result<FileListing> walk_files(Repository::State& state, const LoadedConfig& config, const Index& index,
                               ThreadCount threads, WalkListener* listener, std::stop_token stop) {
  const Fd root = TRY(open_work_tree_root(state));
  TrackedWalk first(index, root.get(), stop);
  TrackedWalk second(index, root.get(), stop);
  Result<UntrackedFiles> untracked = UntrackedFiles{};
  distribute_entries(index.entries().size(), threads, first, second, [&] {
    untracked = find_untracked(state, config.settings, index, root.get(), ShowUntracked::all, listener, stop);
  });
  if (stop.stop_requested()) return cancelled_call_error();
  if (!untracked) return untracked.error();
  return merged_listing(root.get(), std::move(first.found), std::move(second.found), *std::move(untracked));
}

Result<FileRegion> walk_files_at(Repository::State& state, const LoadedConfig& config, const Index& index,
                                 std::string_view path, WalkListener& listener, std::stop_token stop) {
  const Fd root = TRY(open_work_tree_root(state));
  UntrackedRegion region = TRY(find_untracked_at(state, config.settings, index, root.get(),
                                                 ShowUntracked::all, path, &listener, stop));
  TrackedWalk at(index, root.get(), stop);
  TrackedWalk below(index, root.get(), stop);
  const EntryRanges runs = entries_at(index, region.path);
  notify_of_tracked_folders(index, runs.below.begin, runs.below.end, listener);
  at(runs.at.begin, runs.at.end);
  below(runs.below.begin, runs.below.end);
  if (stop.stop_requested()) return cancelled_call_error();
  FileListing found =
      TRY(merged_listing(root.get(), std::move(at.found), std::move(below.found), std::move(region.found)));
  return FileRegion{.path = std::move(region.path), .found = std::move(found)};
}

}  // namespace git

Result<std::vector<bool>> status_shows_changes(const Repository& repository,
                                               std::span<const std::string> paths,
                                               const std::stop_token& stop) {
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, stop));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, stop));
  std::vector<bool> shown;
  shown.reserve(paths.size());
  for (const std::string& path : paths) {
    const IndexEntry* entry = loaded->index->find(path);
    shown.push_back(entry != nullptr && entry->stage == 0 && !entry->assume_unchanged &&
                    !entry->skip_worktree && !entry->intent_to_add);
  }
  return shown;
}

Result<bool> is_not_checked_out(const Repository& repository, std::string_view path) {
  if (!repository.is_git()) return false;
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, {}));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, {}));
  const std::vector<IndexEntry>& entries = loaded->index->entries();
  for (std::size_t i = loaded->index->lower_bound(path); i < entries.size(); ++i) {
    if (!entries[i].path.starts_with(path)) break;
    if (is_at_or_below_folder(entries[i].path, path)) return entries[i].skip_worktree;
  }
  return false;
}

Result<bool> is_tracked(const Repository& repository, std::string_view path) {
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, {}));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, {}));
  const Index& index = *loaded->index;
  for (std::size_t end = path.size(); end != std::string_view::npos; end = path.rfind('/', end - 1)) {
    const std::string above(path.substr(0, end));
    if (index.contains(above) || index.contains(above + "/")) return true;
  }
  const std::string folder = std::string(path) + "/";
  const std::size_t at = index.lower_bound(folder);
  return at < index.entries().size() && index.entries()[at].path.starts_with(folder);
}

Result<bool> is_ignored(const Repository& repository, std::string_view path, bool is_directory) {
  Repository::State& state = repository.state();
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(state, {}));
  std::shared_ptr<const LoadedIndex> loaded = TRY(load_index(state, config->format, {}));
  const Fd root = TRY(open_work_tree_root(state));
  std::string fallback_reason;
  IgnoreStack stack = TRY(outside_ignore_rules(state, config->settings, fallback_reason));
  if (!fallback_reason.empty())
    return Error(ErrorCode::unavailable, "It cannot be determined which files git ignores: " +
                                             fallback_reason + ". Correct the file, or core.excludesFile.");
  for (std::size_t at = 0;;) {
    const std::string folder(path.substr(0, at));
    std::shared_ptr<const IgnoreRules> rules =
        TRY(folder_ignore_rules(state, config->settings, *loaded->index, root.get(), folder, true));
    stack.push(at, std::move(rules));
    const std::size_t slash = path.find('/', at);
    if (slash == std::string_view::npos)
      return stack.verdict_of(path, is_directory) == IgnoreVerdict::ignored;
    if (stack.verdict_of(path.substr(0, slash), true) == IgnoreVerdict::ignored) return true;
    at = slash + 1;
  }
}

}  // namespace snapgen::core

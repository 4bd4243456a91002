#include "tools/engine/git/status/status_cache.h"

#include <algorithm>

#include "runtime/base/fd.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/refs.h"
#include "tools/engine/git/status/status_parts.h"
#include "tools/engine/git/walk/attributes.h"
#include "tools/engine/git/walk/untracked.h"
#include "tools/engine/git/walk/worktree.h"

namespace snapgen::core::git {

Result<Unit> StatusCache::read(ThreadCount threads, WalkListener& listener, std::stop_token stop) {
  status_ = nullptr;
  loaded_ = TRY(load_repository(repository_state_, stop));
  references_.clear();
  parts_ = {};
  fallback_reason_ = reason_git_is_needed(repository_state_, *loaded_.config, *loaded_.index, loaded_.head);
  if (!fallback_reason_.empty()) return Unit{};
  notify_of_outside_rules(listener);
  Result<Unit> done = read_status_parts(repository_state_, loaded_, false, threads, &listener, stop, parts_,
                                        fallback_reason_);
  if (!done || !fallback_reason_.empty()) return done;
  return compute_status(stop);
}

// Registers the files of ignore rules and attributes outside the work tree.
void StatusCache::notify_of_outside_rules(WalkListener& listener) const {
  const Settings& settings = loaded_.config->settings;
  std::vector<std::string> paths = attribute_files_outside(repository_state_, settings);
  paths.push_back(settings.excludes_file);
  if (repository_state_.layout.is_git) paths.push_back(repository_state_.layout.common_dir + "/info/exclude");
  for (const std::string& path : paths) {
    if (!path.empty()) listener.add_file_dependency(path, stat_of(path));
  }
}

Result<Unit> StatusCache::compute_status(std::stop_token stop) {
  auto status = std::make_shared<GitStatus>();
  Result<Unit> made = assemble_status(repository_state_, loaded_, parts_, stop, *status, fallback_reason_);
  if (!made || !fallback_reason_.empty()) {
    status_ = nullptr;
    return made;
  }
  if (status_ != nullptr) {
    // HEAD and the index are unchanged, and so are their parts of the fingerprint.
    status->fingerprint = status_->fingerprint;
    status->fingerprint.status_hash = sha256_hex(status->porcelain_output);
  } else {
    TRY(add_fingerprint(repository_state_, loaded_, *status));
  }
  status_ = std::move(status);
  return Unit{};
}

Result<bool> StatusCache::is_unchanged(std::stop_token stop) {
  std::shared_ptr<const LoadedConfig> config = TRY(load_config(repository_state_, stop));
  if (config != loaded_.config && config->config.entries() != loaded_.config->config.entries()) return false;
  loaded_.config = std::move(config);
  if (!repository_state_.layout.is_git) return true;
  std::shared_ptr<const LoadedIndex> index = TRY(load_index(repository_state_, loaded_.config->format, stop));
  const auto is_missing = [](const LoadedIndex& one) { return one.index->stat() == FileStat{}; };
  if (is_index_released()) {
    if (index->index->stat() != released_index_stat_ || !index->git_listing_reason.empty()) return false;
    loaded_.index = std::move(index);
  } else if (index != loaded_.index && !(is_missing(*index) && is_missing(*loaded_.index))) {
    return false;
  }
  if (references_are_unchanged()) return true;
  record_references(loaded_.head);  // Record the stats before the files are read.
  Result<Head> read = read_head(repository_state_.layout.git_dir, repository_state_.layout.common_dir,
                                packed_refs(repository_state_));
  if (!read) references_.clear();
  const Head head = TRY(std::move(read));
  const bool replaced = loaded_.config->settings.replace_refs &&
                        has_replace_refs(repository_state_.layout.common_dir, packed_refs(repository_state_));
  const bool same = head.fallback_reason.empty() && head.commit == loaded_.head.commit && !replaced;
  if (!same || head.read_paths != loaded_.head.read_paths) references_.clear();
  loaded_.head.read_paths = head.read_paths;
  return same;
}

bool StatusCache::release_index() {
  if (status_ == nullptr || !repository_state_.layout.is_git) return false;
  if (loaded_.index == nullptr) return true;
  // An index that was read too soon after it was written is read again.
  const Result<std::shared_ptr<const LoadedIndex>> same =
      load_index(repository_state_, loaded_.config->format, {});
  if (!same || *same != loaded_.index) return false;
  const std::lock_guard lock(repository_state_.mutex);
  const FileStat stat = loaded_.index->index->stat();
  if (repository_state_.index != loaded_.index ||
      !stat_proves_content(stat, repository_state_.index_read_at_ns))
    return false;
  released_index_stat_ = stat;
  loaded_.index = nullptr;
  repository_state_.index = nullptr;
  return true;
}

std::optional<std::vector<std::string>> StatusCache::repository_files() const {
  {
    const std::lock_guard lock(repository_state_.mutex);
    if (repository_state_.config != loaded_.config) return std::nullopt;
  }
  std::vector<std::string> paths = loaded_.config->config.files();
  if (!repository_state_.layout.is_git) return paths;
  if ((loaded_.index && !loaded_.index->git_listing_reason.empty()) || references_.empty())
    return std::nullopt;
  paths.push_back(repository_state_.layout.git_dir + "/index");
  for (const Reference& one : references_) paths.push_back(one.path);
  return paths;
}

bool StatusCache::references_are_unchanged() const {
  return !references_.empty() &&
         std::all_of(references_.begin(), references_.end(), [](const Reference& one) {
           return one.stat_proves_content && stat_of(one.path) == one.stat;
         });
}

void StatusCache::record_references(const Head& head) {
  references_.clear();
  std::vector<std::string> paths = head.read_paths;
  for (const char* name : {"/packed-refs", "/refs/replace"})
    paths.push_back(repository_state_.layout.common_dir + name);
  const std::int64_t now = file_clock_ns();
  for (std::string& path : paths) {
    std::optional<FileStat> stat = stat_of(path);
    const bool stable = !stat || stat_proves_content(*stat, now);
    references_.push_back({.path = std::move(path), .stat = stat, .stat_proves_content = stable});
  }
}

Result<Unit> StatusCache::reread(const std::vector<std::string>& paths, WalkListener& listener,
                                 std::stop_token stop) {
  const Result<Fd> root = open_work_tree_root(repository_state_);
  Result<Unit> done = root ? update_entries(paths, root->get(), listener, stop) : Result<Unit>(root.error());
  std::vector<std::string> regions;
  for (const std::string& path : paths) {
    if (!done || !fallback_reason_.empty()) break;
    done = update_untracked(path, root->get(), regions, listener, stop);
  }
  if (done && fallback_reason_.empty()) done = compute_status(stop);
  if (!done || !fallback_reason_.empty()) status_ = nullptr;
  return done;
}

Result<Unit> StatusCache::update_entries(const std::vector<std::string>& paths, int root_fd,
                                         WalkListener& listener, std::stop_token stop) {
  const Index& index = *loaded_.index->index;
  std::vector<IndexRange> runs;
  for (const std::string& path : paths) {
    const EntryRanges at_path = entries_at(index, path);
    notify_of_tracked_folders(index, at_path.below.begin, at_path.below.end, listener);
    for (const IndexRange& run : {at_path.at, at_path.below})
      if (!run.empty()) runs.push_back(run);
  }
  if (runs.empty()) return Unit{};
  std::sort(runs.begin(), runs.end(),
            [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  std::erase_if(parts_.unstaged, [&](const WorktreeChange& change) {
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), change.entry_index,
                         [](std::size_t entry, const IndexRange& run) { return entry < run.begin; });
    return after != runs.begin() && change.entry_index < std::prev(after)->end;
  });
  Attributes attributes(repository_state_, *loaded_.config, index, root_fd);
  WorktreeDiff diff(repository_state_, *loaded_.config, index, attributes, root_fd, &listener, stop);
  for (const IndexRange& run : runs) {
    for (std::size_t i = run.begin; i < run.end; i += entries_per_step) {
      diff(i, std::min(i + entries_per_step, run.end));
    }
  }
  if (stop.stop_requested()) return cancelled_call_error();
  if (diff.error) return *diff.error;
  fallback_reason_ = std::move(diff.fallback_reason);
  const std::size_t before = parts_.unstaged.size();
  parts_.unstaged.insert(parts_.unstaged.end(), diff.changes.begin(), diff.changes.end());
  const auto middle = parts_.unstaged.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(middle, parts_.unstaged.end());
  std::inplace_merge(parts_.unstaged.begin(), middle, parts_.unstaged.end());
  return Unit{};
}

Result<Unit> StatusCache::update_untracked(const std::string& path, int root_fd,
                                           std::vector<std::string>& regions, WalkListener& listener,
                                           std::stop_token stop) {
  const Settings& settings = loaded_.config->settings;
  if (settings.show_untracked == ShowUntracked::no) return Unit{};
  for (const std::string& done : regions) {
    if (is_at_or_below(path, done)) return Unit{};
  }
  std::vector<std::string>& known = parts_.untracked;
  const auto forget = [&](std::string_view region) {
    std::erase_if(known, [&](const std::string& one) { return is_at_or_below(one, region); });
  };
  // At or below the path of a tracked file nothing is untracked, unless a folder has replaced the file.
  if (loaded_.index->index->contains(path) && kind_at(root_fd, path) != ItemKind::folder) {
    forget(path);
    return Unit{};
  }
  UntrackedRegion region = TRY(find_untracked_at(repository_state_, settings, *loaded_.index->index, root_fd,
                                                 settings.show_untracked, path, &listener, stop));
  fallback_reason_ = region.found.fallback_reason;
  forget(region.path);
  const auto middle = known.insert(known.end(), std::make_move_iterator(region.found.status_paths.begin()),
                                   std::make_move_iterator(region.found.status_paths.end()));
  std::inplace_merge(known.begin(), middle, known.end());
  regions.push_back(std::move(region.path));
  return Unit{};
}

}  // namespace snapgen::core::git

#include "tools/engine/git/status/listing_cache.h"

#include <algorithm>
#include <atomic>

#include "runtime/base/fd.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core::git {
namespace {

// Returns the list `before` without the removed files, and with the added ones.
FileList spliced(const FileList& before, std::vector<FileRange> removed, const FileList& added,
                 std::vector<SkippedPath> skipped) {
  std::sort(removed.begin(), removed.end(),
            [](const FileRange& a, const FileRange& b) { return a.first < b.first; });
  FileList out;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < added.size(); ++i) bytes += added.path(i).size();
  const FileRange all{0, before.size()};
  out.reserve(all.last + added.size(), before.path_bytes() + bytes);
  std::size_t next = 0;  // Index in `added`.
  auto run = removed.begin();
  for (std::size_t i = 0; i < all.last;) {
    while (run != removed.end() && run->last <= i) ++run;
    if (run != removed.end() && run->first <= i) {
      i = run->last;
      continue;
    }
    // Copies the unchanged files up to the next removed or added one.
    std::size_t end = run == removed.end() ? all.last : run->first;
    if (next < added.size()) {
      const std::size_t position = before.lower_bound(added.path(next));
      if (position <= i) {
        out.add(added.path(next), added.stat(next), added.is_hard_linked(next));
        ++next;
        continue;
      }
      end = std::min(end, position);
    }
    out.append(before, {i, end});
    i = end;
  }
  out.append(added, {next, added.size()});
  out.set_skipped(std::move(skipped));
  return out;
}

}  // namespace

void ListingCache::clear() {
  files_.reset();
  config_.reset();
  index_.reset();
}

Result<Unit> ListingCache::read(const LoadedRepository& loaded, ThreadCount threads, WalkListener& listener,
                                std::stop_token stop) {
  clear();
  FileListing found =
      TRY(walk_files(repository_state_, *loaded.config, *loaded.index->index, threads, &listener, stop));
  files_ = std::make_shared<FileList>(file_list_of(std::move(found), scope_));
  config_ = loaded.config;
  index_ = loaded.index;
  return Unit{};
}

Result<Unit> ListingCache::reread(const std::vector<std::string>& paths, WalkListener& listener,
                                  std::stop_token stop) {
  const Fd root = TRY(open_work_tree_root(repository_state_));
  PathProbe probe(root.get());
  std::vector<FreshStat> seen;
  std::vector<FileRegion> regions;
  for (const std::string& path : paths) {
    if (!path.starts_with(scope_.prefix)) {
      // Outside the scope, only its parents and the paths that affect it matter.
      if (!is_at_or_below(scope_.prefix, path)) continue;
    } else if (const std::size_t at = files_->find(std::string_view(path).substr(scope_.prefix.size()));
               at < files_->size() && stat_file(at, probe, seen)) {
      continue;
    }
    if (std::any_of(regions.begin(), regions.end(),
                    [&](const FileRegion& region) { return is_at_or_below(path, region.path); })) {
      continue;
    }
    Result<FileRegion> region =
        walk_files_at(repository_state_, *config_, *index_->index, path, listener, stop);
    if (!region) {
      clear();
      return region.error();
    }
    std::erase_if(regions, [&](const FileRegion& one) { return is_at_or_below(one.path, region->path); });
    regions.push_back(*std::move(region));
  }
  // Files with several hard links may change without an event, so their stats are read again. If one was
  // deleted, the watch of its folder reports it.
  for (const std::uint32_t index : files_->hard_linked_indexes()) stat_file(index, probe, seen);
  apply_stats(seen);
  if (!regions.empty()) apply_regions(std::move(regions));
  return Unit{};
}

// Returns true if the file still exists, so that only its stat can have changed. Whether it is listed depends
// on the index, the rules and the parent folders, whose changes are reported separately.
bool ListingCache::stat_file(std::size_t index, PathProbe& probe, std::vector<FreshStat>& seen) const {
  struct stat status{};
  const std::string path = scope_.prefix + std::string(files_->path(index));
  if (probe.stat(path, status) != Presence::present) return false;
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return false;
  const FileStat stat = file_stat(status);
  if (stat != files_->stat(index) || (status.st_nlink > 1) != files_->is_hard_linked(index))
    seen.push_back({.index = index, .stat = stat, .hard_linked = status.st_nlink > 1});
  return true;
}

void ListingCache::apply_stats(const std::vector<FreshStat>& seen) {
  if (seen.empty()) return;
  if (files_.use_count() > 1) files_ = std::make_shared<FileList>(*files_);
  // Orders this write after the reads of callers that have released the list.
  std::atomic_thread_fence(std::memory_order_acquire);
  for (const FreshStat& one : seen) files_->set_stat(one.index, one.stat, one.hard_linked);
}

void ListingCache::apply_regions(std::vector<FileRegion> regions) {
  FileListing found;
  std::vector<FileRange> removed;
  std::vector<SkippedPath> skipped = files_->skipped();
  for (FileRegion& region : regions) {
    std::move(region.found.files.begin(), region.found.files.end(), std::back_inserter(found.files));
    std::move(region.found.skipped.begin(), region.found.skipped.end(), std::back_inserter(found.skipped));
    // The region may contain the whole scope.
    const bool whole = is_at_or_below(scope_.prefix, region.path);
    if (!whole && !region.path.starts_with(scope_.prefix)) continue;
    const std::string path = whole ? std::string() : region.path.substr(scope_.prefix.size());
    const std::size_t at = files_->find(path);
    if (at < files_->size()) removed.push_back({at, at + 1});
    removed.push_back(files_->below(path));
    std::erase_if(skipped,
                  [&](const SkippedPath& one) { return path.empty() || is_at_or_below(one.path, path); });
  }
  std::sort(found.files.begin(), found.files.end(),
            [](const WorktreeFile& a, const WorktreeFile& b) { return a.path < b.path; });
  FileList added = file_list_of(std::move(found), scope_);
  const auto by_path = [](const SkippedPath& a, const SkippedPath& b) { return a.path < b.path; };
  std::vector<SkippedPath> all;
  std::merge(skipped.begin(), skipped.end(), added.skipped().begin(), added.skipped().end(),
             std::back_inserter(all), by_path);
  files_ = std::make_shared<FileList>(spliced(*files_, std::move(removed), added, std::move(all)));
}

}  // namespace snapgen::core::git

#include "tools/engine/watch/watched_tree.h"

#include <sys/stat.h>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/git/repository/disk.h"

namespace snapgen::core {
namespace {

constexpr int attempts_max = 3;
constexpr std::size_t pending_max = 1000;     // Above this number, everything is read again.
constexpr std::size_t dependencies_max = 48;  // Each costs a system call in every check.

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    if (name == one) return true;
  }
  return false;
}

}  // namespace

bool WatchedTree::add_folder_dependency(std::string_view path) {
  const std::lock_guard lock(mutex_);
  const WatchAddition added = source_->add(path);
  if (!added.refusal.empty()) record_refusal(added.refusal);
  if (added.result == AddResult::limit_reached) is_limit_reached_ = true;
  return added.result == AddResult::watched;
}

void WatchedTree::add_file_dependency(std::string path, std::optional<FileStat> stat) {
  const std::lock_guard lock(mutex_);
  const bool stable = !stat || git::stat_proves_content(*stat, git::file_clock_ns());
  has_new_dependencies_ = true;
  dependencies_[std::move(path)] = {.stat = stat, .stat_proves_content = stable};
  if (dependencies_.size() > dependencies_max)
    record_refusal("too many of its files have other names elsewhere");
}

void WatchedTree::report_undetectable_changes(std::string_view reason) {
  const std::lock_guard lock(mutex_);
  record_refusal(reason);
}

// Notes why the tree cannot be watched. While the listing is updated, the reason ends only the watch of the
// listing, not that of the status.
void WatchedTree::record_refusal(std::string_view reason) {
  std::string& refusal = is_listing_walk_ ? listing_refusal_ : refusal_;
  if (refusal.empty()) refusal = reason;
}

bool WatchedTree::mark_undetectable(std::string_view reason) {
  report_undetectable_changes(reason);
  return false;
}

void WatchedTree::add_pending(std::string path) {
  ++change_count_;
  if (listing_cache_.files() && listing_pending_.size() <= pending_max) listing_pending_.insert(path);
  if (pending_.size() <= pending_max) pending_.insert(std::move(path));
}

void WatchedTree::add_event(const FolderEvent& event) {
  ++change_count_;
  if (event.is_folder || event.name.empty()) folder_changed_at_ = change_count_;
  constexpr std::string_view dot_git = ".git";
  std::string path(event.folder);
  if (path.ends_with("/.git")) {
    // For a nested repository only its existence matters.
    if (!event.name.empty() && !is_any_of(event.name, {"HEAD", "commondir", "objects", "refs"})) return;
    path.resize(path.size() - dot_git.size() - 1);
    add_pending(std::move(path));
    return;
  }
  if (is_any_of(event.name, {".gitignore", ".gitattributes", ".gitmodules"})) is_all_pending_ = true;
  if (event.name == dot_git) {
    if (path.empty()) {
      is_all_pending_ = true;
      return;
    }
  } else if (!event.name.empty()) {
    if (!path.empty()) path += '/';
    path += event.name;
  }
  if (path.empty()) {
    is_all_pending_ = true;  // The root's mode or owner changed.
  } else {
    add_pending(std::move(path));
  }
}

bool WatchedTree::read_events() {
  if (!refusal_.empty()) return false;
  if (source_->drain([this](const FolderEvent& event) { add_event(event); })) return true;
  return mark_undetectable(source_->loss_reason());
}

bool WatchedTree::dependencies_are_unchanged(bool just_read) const {
  for (const auto& [path, dependency] : dependencies_) {
    if ((!just_read && !dependency.stat_proves_content) || git::stat_of(path) != dependency.stat)
      return false;
  }
  return true;
}

bool WatchedTree::release_memory() {
  if (is_all_pending_ || !status_cache_.release_index()) return false;
  listing_cache_.release_index();
  return true;
}

Result<bool> WatchedTree::outside_is_unchanged(Purpose what, bool just_read, const std::stop_token& stop) {
  const bool looks = !pending_.empty() || (what == Purpose::files &&
                                           (listing_cache_.files() == nullptr || !listing_pending_.empty()));
  const bool wakes = status_cache_.is_index_released() && looks;
  if (outside_files_.are_unchanged() && !has_new_dependencies_ && !wakes) return true;
  Result<bool> unchanged = status_cache_.is_unchanged(stop);
  if (!unchanged || !*unchanged) return unchanged;
  if (listing_cache_.files() != nullptr) listing_cache_.restore_index(status_cache_.loaded());
  if (!dependencies_are_unchanged(just_read)) return false;
  std::optional<std::vector<std::string>> paths = status_cache_.repository_files();
  if (!paths) return true;
  for (const auto& [path, dependency] : dependencies_) paths->push_back(path);
  has_new_dependencies_ = false;
  outside_files_.mark_read(*std::move(paths));
  return true;
}

std::shared_ptr<const GitStatus> WatchedTree::cached_status() {
  if (!read_events() || is_all_pending_ || !pending_.empty() || has_new_dependencies_ ||
      !outside_files_.are_unchanged())
    return nullptr;
  return status_cache_.status();
}

std::shared_ptr<const FileList> WatchedTree::cached_files() const {
  return listing_pending_.empty() && listing_refusal_.empty() ? listing_cache_.files() : nullptr;
}

std::optional<std::vector<std::string>> WatchedTree::paths_to_reread() const {
  if (pending_.size() > pending_max) return std::nullopt;
  std::vector<std::string> paths;
  for (const std::string& path : pending_) {
    struct stat status;
    // A write through one hard link changes the others too, without an event.
    if (::lstat((root_ + "/" + path).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_nlink > 1) {
      return std::nullopt;
    }
    bool covered = false;
    for (std::size_t at = path.find('/'); at != std::string::npos && !covered; at = path.find('/', at + 1)) {
      covered = pending_.contains(std::string_view(path).substr(0, at));
    }
    if (!covered) paths.push_back(path);
  }
  return paths;
}

Result<Unit> WatchedTree::update_status(bool all, git::ThreadCount threads, std::stop_token stop) {
  std::optional<std::vector<std::string>> paths = paths_to_reread();
  pending_.clear();
  is_all_pending_ = true;  // Everything counts as changed until the update succeeds.
  Result<Unit> done = Unit{};
  if (all || !paths) {
    dependencies_.clear();
    listing_cache_.clear();
    done = status_cache_.read(threads, *this, stop);
  } else {
    done = status_cache_.reread(*paths, *this, stop);
  }
  if (!done) return done;
  if (status_cache_.status() == nullptr)
    report_undetectable_changes("only git can determine its state: " + status_cache_.fallback_reason());
  is_all_pending_ = false;
  return done;
}

Result<std::shared_ptr<const GitStatus>> WatchedTree::status(git::ThreadCount threads, std::stop_token stop) {
  return status_for(Purpose::status, threads, std::move(stop));
}

Result<std::shared_ptr<const GitStatus>> WatchedTree::status_for(Purpose what, git::ThreadCount threads,
                                                                 std::stop_token stop) {
  const std::shared_ptr<const GitStatus> lost;
  for (int attempt = 0;; ++attempt) {
    if (!read_events()) return lost;
    bool all = is_all_pending_ || status_cache_.status() == nullptr;
    if (!all) {
      const bool unchanged = TRY(outside_is_unchanged(what, attempt > 0, stop));
      all = !unchanged;
    }
    if (!all && (pending_.empty() || attempt == attempts_max)) return status_cache_.status();
    if (attempt == attempts_max) return repository_changed_error();
    TRY(update_status(all, threads, stop));
    if (!refusal_.empty()) return lost;
  }
}

Result<Unit> WatchedTree::update_listing(git::ThreadCount threads, std::stop_token stop) {
  // This walk also watches folders inside untracked ones, which the status never enters.
  is_listing_walk_ = true;
  Result<Unit> done = Unit{};
  if (listing_cache_.files() == nullptr || listing_pending_.size() > pending_max) {
    done = listing_cache_.read(status_cache_.loaded(), threads, *this, stop);
  } else {
    done = listing_cache_.reread({listing_pending_.begin(), listing_pending_.end()}, *this, stop);
  }
  listing_pending_.clear();
  is_listing_walk_ = false;
  return done;
}

Result<std::shared_ptr<const FileList>> WatchedTree::files(git::ThreadCount threads, std::stop_token stop) {
  const std::shared_ptr<const FileList> none;
  const std::shared_ptr<const GitStatus> status = TRY(status_for(Purpose::files, threads, stop));
  if (status == nullptr || !listing_refusal_.empty()) return none;
  TRY(update_listing(threads, stop));
  if (!listing_refusal_.empty()) listing_cache_.clear();
  return listing_cache_.files();
}

}  // namespace snapgen::core

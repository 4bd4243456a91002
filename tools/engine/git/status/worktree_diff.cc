#include "tools/engine/git/status/worktree_diff.h"

#include <cerrno>

#include <fcntl.h>

#include "tools/engine/git/repository/submodule.h"

namespace snapgen::core::git {
namespace {

// The comparison of an entry's recorded stat with the file's stat. Git can be built with or without
// nanosecond comparison, so the results may differ.
struct StatMatch {
  bool size = true;                   // The sizes are equal.
  bool proves_by_seconds = true;      // Unchanged for a git that compares seconds.
  bool proves_by_nanoseconds = true;  // Unchanged for a git that compares nanoseconds.
};

StatMatch match(const IndexEntry& entry, const struct stat& status, const Index& index,
                const Settings& settings) {
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  const auto low = [](auto value) { return static_cast<std::uint32_t>(value); };
  StatMatch out;
  out.size = entry.size == low(status.st_size);
  bool seconds = entry.mtime_s == low(status.st_mtim.tv_sec);
  bool nanoseconds = true;
  if (settings.check_stat) {
    nanoseconds = entry.mtime_ns == low(status.st_mtim.tv_nsec);
    if (settings.trust_ctime) {
      seconds = seconds && entry.ctime_s == low(status.st_ctim.tv_sec);
      nanoseconds = nanoseconds && entry.ctime_ns == low(status.st_ctim.tv_nsec);
    }
    seconds = seconds && entry.uid == status.st_uid && entry.gid == status.st_gid &&
              entry.inode == low(status.st_ino);
  }
  // An entry as new as the index proves nothing: the file may have changed again under the same timestamp.
  const std::int64_t index_s = index.stat().mtime_ns / ns_per_s;
  const std::int64_t entry_ns = entry.mtime_s * ns_per_s + entry.mtime_ns;
  const bool racy_by_seconds = index_s != 0 && index_s <= entry.mtime_s;
  const bool racy_by_nanoseconds = index_s != 0 && index.stat().mtime_ns <= entry_ns;
  out.proves_by_seconds = out.size && seconds && !racy_by_seconds;
  out.proves_by_nanoseconds = out.size && seconds && nanoseconds && !racy_by_nanoseconds;
  return out;
}

}  // namespace

std::uint32_t worktree_mode(const IndexEntry& entry, const struct stat& status, const Settings& settings) {
  if (S_ISLNK(status.st_mode)) return mode_symlink;
  if (S_ISREG(status.st_mode) && !settings.file_mode) {
    return (entry.mode & mode_type_mask) == mode_regular ? entry.mode : mode_regular | 0644;
  }
  return mode_regular | ((status.st_mode & 0100) != 0 ? 0755 : 0644);
}
WorktreeDiff::WorktreeDiff(Repository::State& state, const LoadedConfig& config, const Index& index,
                           Attributes& attributes, int root_fd, WalkListener* listener, std::stop_token stop)
    : repository_state_(state),
      config_(config),
      settings_(config.settings),
      index_(index),
      root_fd_(root_fd),
      listener_(listener),
      stop_(std::move(stop)),
      empty_blob_(empty_blob_oid(index.kind()).bytes()),
      clears_skip_worktree_(settings_.sparse_checkout && !settings_.sparse_expects_files),
      probe_(root_fd),
      content_check_(state, attributes, root_fd, stop_) {}

void WorktreeDiff::operator()(std::size_t begin, std::size_t end) {
  if (stop_.stop_requested() || error || !fallback_reason.empty()) return;
  for (std::size_t i = begin; i < end; ++i) compare_entry(i);
}

void WorktreeDiff::compare_entry(std::size_t at) {
  const IndexEntry& entry = index_.entries()[at];
  // In a sparse checkout git ignores skip-worktree for files that exist anyway.
  const bool is_passed_over =
      entry.stage != 0 || entry.assume_unchanged || (entry.skip_worktree && !clears_skip_worktree_);
  if (is_passed_over && listing == nullptr) return;
  struct stat status{};
  const Presence presence = probe_.stat(entry.path, status);
  if (listing != nullptr) listing->add_entry(at, presence, status);
  if (is_passed_over) return;
  if (entry.skip_worktree && presence != Presence::present) {
    // Git follows symlinks here, and reports an existing file as deleted.
    const std::string path(entry.path);
    if (fstatat(root_fd_, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) changes.push_back({at, 'D'});
    return;
  }
  if ((entry.mode & mode_type_mask) == mode_gitlink) {
    compare_gitlink(at, presence, status);
    return;
  }
  if (presence == Presence::unknown) return;  // Git prints a warning and lists nothing.
  if (presence == Presence::missing) {
    changes.push_back({at, 'D'});
    return;
  }
  if (S_ISDIR(status.st_mode)) {
    notify_of_repository(listener_, repository_state_.layout.root, root_fd_, std::string(entry.path));
    if (has_repository(root_fd_, std::string(entry.path) + "/")) {
      fallback_reason = "a repository has the path of a tracked file";
    } else {
      changes.push_back({at, 'D'});
    }
    return;
  }
  if (listener_ != nullptr && status.st_nlink > 1) {
    listener_->add_file_dependency(joined_unless_absolute(repository_state_.layout.root, entry.path),
                                   file_stat(status));
  }
  if (entry.intent_to_add) {
    changes.push_back({at, 'A'});
    return;
  }
  compare_file(at, status);
}

// Compares an existing file, by its stat and, if that does not decide, by its content.
void WorktreeDiff::compare_file(std::size_t at, const struct stat& status) {
  const IndexEntry& entry = index_.entries()[at];
  const bool is_link = (entry.mode & mode_type_mask) == mode_symlink;
  const bool type_changed = is_link ? !S_ISLNK(status.st_mode) : !S_ISREG(status.st_mode);
  const std::uint32_t mode = worktree_mode(entry, status, settings_);
  const bool mode_changed = !is_link && settings_.file_mode && ((entry.mode ^ status.st_mode) & 0100) != 0;
  if (type_changed || mode_changed) {
    changes.push_back({at, ((entry.mode ^ mode) & mode_type_mask) != 0 ? 'T' : 'M'});
    return;
  }
  const StatMatch matched = match(entry, status, index_, settings_);
  const bool smudged = entry.size == 0 && entry.oid != empty_blob_;
  if (matched.proves_by_seconds && matched.proves_by_nanoseconds && !smudged) return;
  // A recorded size other than the file's is a change: git does not compare the content then, even if a
  // conversion would make it equal. A recorded size of zero means that nothing was recorded.
  if (!matched.size && entry.size != 0) {
    changes.push_back({at, 'M'});
    return;
  }
  const Result<ContentComparison> content = content_check_.compare(entry, status);
  if (!content) {
    error = content.error();
  } else if (!content->fallback_reason.empty()) {
    fallback_reason = content->fallback_reason;
  } else if (!content->same && matched.proves_by_seconds != matched.proves_by_nanoseconds && !smudged) {
    fallback_reason = "a change that only nanoseconds show";
  } else if (!content->same) {
    changes.push_back({at, 'M'});
  }
}

void WorktreeDiff::compare_gitlink(std::size_t at, Presence presence, const struct stat& status) {
  const std::string path(index_.entries()[at].path);
  if (presence == Presence::unknown) return;
  if (presence == Presence::present && S_ISDIR(status.st_mode)) {
    notify_of_repository(listener_, repository_state_.layout.root, root_fd_, path);
  }
  if (presence == Presence::present && S_ISDIR(status.st_mode)) {
    struct stat dot_git{};
    const std::string inside = path + "/.git";
    if (fstatat(root_fd_, inside.c_str(), &dot_git, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) return;
    if (may_ignore_submodules()) {
      fallback_reason = "a submodule may be ignored";
      return;
    }
    if (listener_ != nullptr) listener_->report_undetectable_changes("it has submodules");
    const bool tracked_only = settings_.show_untracked == ShowUntracked::no;
    Result<SubmoduleState> submodule = submodule_state(repository_state_, path, tracked_only, stop_);
    if (!submodule) {
      error = submodule.error();
    } else if (!submodule->fallback_reason.empty()) {
      fallback_reason = submodule->fallback_reason;
    } else if (submodule->dirty ||
               (submodule->head && submodule->head->bytes() != index_.entries()[at].oid)) {
      changes.push_back({at, 'M'});
    }
    return;
  }
  if (presence == Presence::present && S_ISLNK(status.st_mode)) {
    fallback_reason = "a symlink has the path of a tracked submodule";
    return;
  }
  if (may_ignore_submodules()) {
    fallback_reason = "a submodule may be ignored";
    return;
  }
  changes.push_back({at, presence == Presence::missing ? 'D' : 'T'});
}

bool WorktreeDiff::may_ignore_submodules() const {
  for (const ConfigEntry& entry : config_.config.entries()) {
    if (entry.key == "diff.ignoresubmodules") return true;
    if (entry.key.starts_with("submodule.") && entry.key.ends_with(".ignore")) return true;
  }
  const IndexEntry* const stored = index_.find(".gitmodules");
  if (stored != nullptr && stored->stage != 0) return true;
  const FileBytes modules = read_file_at(root_fd_, ".gitmodules", limits::config);
  if (modules.error == ENOENT) return stored != nullptr;
  return modules.error != 0 || modules.bytes.find("ignore") != std::string::npos;
}

}  // namespace snapgen::core::git

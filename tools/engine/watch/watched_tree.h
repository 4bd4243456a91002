#pragma once
// WatchedTree is a watched work tree with cached results that are valid until the kernel reports a change.
// Each check reads the kernel's queue, so it detects every change made before it. It also checks the few
// files outside the work tree that affect the results (HEAD, index, configuration, ignore files).
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/listing_cache.h"
#include "tools/engine/git/status/status_cache.h"
#include "tools/engine/git/walk/walk_listener.h"
#include "tools/engine/watch/folder_watches.h"
#include "tools/engine/watch/outside_files.h"
#include "tools/engine/watch/watch_source.h"

namespace snapgen::core {

// Not thread-safe: calls must not overlap.
class WatchedTree final : public git::WalkListener {
 public:
  // `source` reports the changes below the repository's root.
  WatchedTree(const Repository& repository, const ListScope& scope, std::unique_ptr<WatchSource> source)
      : root_(repository.root()),
        source_(std::move(source)),
        status_cache_(repository),
        listing_cache_(repository, scope) {}

  // Returns the current status. The first call reads everything and watches all folders. Returns null if
  // changes can no longer be detected; refusal() says why, and the object is useless. Errors: as
  // read_status().
  Result<std::shared_ptr<const GitStatus>> status(git::ThreadCount threads, std::stop_token stop);

  // Returns the status if nothing has to be read again, otherwise null.
  std::shared_ptr<const GitStatus> cached_status();
  // Called after cached_status(). Returns the files; null if they are not cached or something has to be
  // read again.
  std::shared_ptr<const FileList> cached_files() const;

  // Returns the current files. The first call walks the tree; later ones read only what was reported since.
  // Returns null like status(), or if only the listing cannot be cached. Errors: as list_files().
  Result<std::shared_ptr<const FileList>> files(git::ThreadCount threads, std::stop_token stop);

  // Releases data that is needed only after a change. Returns false if it could not.
  bool release_memory();

  // A counter that grows with every reported or suspected change.
  std::uint64_t change_count() const { return change_count_; }
  // The counter after the last event about a folder: it was created, moved or deleted, or its permissions
  // changed.
  std::uint64_t folder_changed_at() const { return folder_changed_at_; }

  // Processes the kernel's queue. Returns false if changes can no longer be detected.
  bool read_events();

  // Marks a path, or everything, as possibly changed without an event.
  void suspect(std::string_view path) { add_pending(std::string(path)); }
  void suspect_all() {
    is_all_pending_ = true;
    ++change_count_;
  }

  const std::string& refusal() const { return refusal_; }
  // Returns whether a folder is not watched because the limit of watches is reached.
  bool is_limit_reached() const { return is_limit_reached_; }
  WatchSource& source() { return *source_; }

  bool add_folder_dependency(std::string_view path) override;
  void add_file_dependency(std::string path, std::optional<FileStat> stat) override;
  void report_undetectable_changes(std::string_view reason) override;

 private:
  void add_pending(std::string path);
  void add_event(const FolderEvent& event);
  bool dependencies_are_unchanged(bool just_read) const;
  enum class Purpose : bool { status, files };
  Result<std::shared_ptr<const GitStatus>> status_for(Purpose what, git::ThreadCount threads,
                                                      std::stop_token stop);
  Result<bool> outside_is_unchanged(Purpose what, bool just_read, const std::stop_token& stop);
  bool mark_undetectable(std::string_view reason);
  void record_refusal(std::string_view reason);  // Call it under mutex_, or while no walk runs.
  // Returns the outermost pending paths; nullopt if there are too many, or one has several hard links.
  std::optional<std::vector<std::string>> paths_to_reread() const;
  Result<Unit> update_status(bool all, git::ThreadCount threads, std::stop_token stop);
  Result<Unit> update_listing(git::ThreadCount threads, std::stop_token stop);

  struct Dependency {
    std::optional<FileStat> stat;
    bool stat_proves_content = false;  // Whether equal stats prove equal contents.
  };

  std::string root_;
  std::unique_ptr<WatchSource> source_;
  git::StatusCache status_cache_;
  OutsideFiles outside_files_;                  // The files outside the tree for known_ and dependencies_.
  std::set<std::string, std::less<>> pending_;  // Changed paths, relative to the root.
  bool is_all_pending_ = true;                  // Everything may have changed.
  std::uint64_t change_count_ = 0;
  std::uint64_t folder_changed_at_ = 0;

  git::ListingCache listing_cache_;
  // Paths that changed since the last update of listing_.
  std::set<std::string, std::less<>> listing_pending_;
  bool is_listing_walk_ = false;  // The current walk is for the listing only.
  std::string listing_refusal_;   // Why the listing is not cached.

  // Guards the members below, and source_ during a walk, because a walk reports from two threads.
  std::mutex mutex_;
  std::map<std::string, Dependency, std::less<>> dependencies_;
  bool has_new_dependencies_ = true;  // Some dependencies are not in outside_ yet.
  std::string refusal_;
  bool is_limit_reached_ = false;
};

}  // namespace snapgen::core

#pragma once
// LiveTree reports the current state of a work tree. After the first query it starts to watch the tree's
// folders in the background, and then answers from memory until the kernel reports a change. While it cannot
// watch, every query walks the tree; it tries again later.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/engine/watch/folder_watches.h"
#include "tools/engine/watch/watch_source.h"

namespace snapgen::core {

class WatchClient;
class WatchedTree;

struct WatchOptions {
  // Receives one line each time watching begins or ends; may be empty.
  std::function<void(std::string_view)> log_line;
  std::size_t folders_max = watched_folders_max();
  // The minimum time between two attempts to watch, in nanoseconds; it doubles with each failure.
  std::int64_t pause_ns = 2'000'000'000;
  bool ends_with_process = false;  // The tree is destroyed at process exit, which must be fast.
  // The folder in which the processes that watch this tree offer their watches to those that cannot, because
  // the limit of watches is reached. It may not exist yet. If it is empty, watches are not shared.
  std::string offers_folder;
};

// The files of a tree, and the moment they are valid for; nullopt without a watch.
struct LiveFiles {
  std::shared_ptr<const FileList> files;
  std::optional<std::uint64_t> moment;
};

// A status and the files. Without a watch both are from one walk, and the files are as of that walk.
struct StatusAndLiveFiles {
  std::shared_ptr<const GitStatus> status;
  LiveFiles files;
};

// Thread-safe.
class LiveTree {
 public:
  // `scope` selects the files to list.
  explicit LiveTree(const Repository& repository, ListScope scope = {});
  LiveTree(LiveTree&&) = delete;
  ~LiveTree();

  // Allows watching. Called once, before any query.
  void allow_watching(WatchOptions options);

  // Clears WatchOptions::ends_with_process: the process continues after the tree is destroyed.
  void set_process_continues();

  // Call it when WatchOptions::offers_folder was created, so that an existing watch is offered there.
  void offer_watch();

  // Sets the callback for changes that the watch detects; an empty function removes it. Any thread may call
  // it, and it must not call back. It is not called before the first query of the status.
  void set_listener(std::function<void()> changed);
  // The same for the history, which is also notified when a watch begins: changes before that were not seen.
  void set_history_listener(std::function<void()> changed);

  // The current status. Errors: as read_status().
  Result<std::shared_ptr<const GitStatus>> status(std::stop_token stop);

  // Returns the known status and its moment without blocking: only if the tree is watched, no other query
  // runs, and nothing was reported since the last one. If another process watches the tree and does not
  // respond, the call takes a second, after which the tree is not watched.
  struct QuietStatus {
    std::shared_ptr<const GitStatus> status;
    std::shared_ptr<const FileList> files;  // As files() would return them; null if they are not cached.
    std::uint64_t moment = 0;
  };
  std::optional<QuietStatus> try_status();

  // Returns the files, cached while the tree is watched, with their last stats. Errors: as list_files().
  Result<LiveFiles> files(std::stop_token stop);

  // The current status and files. Errors: as status() and files().
  Result<StatusAndLiveFiles> status_and_files(std::stop_token stop);

  // Returns true if the watch has detected no change since `moment`; it processes the kernel's queue first.
  bool is_quiet_since(std::uint64_t moment);
  // The same for folders alone: none was created, moved or deleted, and none has other permissions.
  bool folders_are_quiet_since(std::uint64_t moment);

  // Marks these paths (relative to the repository's root), or all, as possibly changed without an event, so
  // that they are read again. Without a watch it does nothing.
  void suspect(const std::vector<std::string>& paths);
  void suspect_all();

  // Releases data that is needed only after a change: most of the memory. Returns false if it could not.
  bool release_memory();

  // Returns when the cached state was last verified, in nanoseconds since 1970; nullopt without a watch.
  std::optional<std::int64_t> verified_ns() const;

  // While a WatchDelay exists, no watch begins: its first walk would compete with the caller for processors.
  class WatchDelay {
   public:
    explicit WatchDelay(LiveTree& tree);
    ~WatchDelay();
    WatchDelay(WatchDelay&&) = delete;

   private:
    LiveTree& tree_;
  };

  // Waits for the attempt to watch that the last query started. Returns true if the tree is watched.
  bool wait_for_watch();

 private:
  void request_watch();
  void notify_listener();
  bool read_all_events();
  void call_listeners() const;
  void mark_lost();
  void run(const std::stop_token& stop);
  void begin(const std::stop_token& stop);
  // A watch that was tried: the tree and its status, or the reason why it cannot be watched. Without a reason
  // no process watches it, and this one did not try again.
  struct Attempt {
    std::unique_ptr<WatchedTree> tree;
    std::shared_ptr<const GitStatus> status;
    std::string reason;
    bool is_limit_reached = false;
    bool was_begun = false;      // The watch of another process was tried.
    std::int64_t shared_ns = 0;  // The time spent on the watch of another process.
  };
  // Watches the tree, or if the limit of watches is or would be reached, uses the watch of another process.
  // `turn` receives a lock: processes begin one after the other, because those that begin together may each
  // use a part of the limit, so that none can watch all folders.
  Attempt try_any_watch(bool lists, const std::stop_token& stop, Fd& turn);
  Attempt try_own_watch(bool lists, const std::stop_token& stop) const;
  Attempt try_shared_watch(bool lists, const std::stop_token& stop, Fd& turn) const;
  bool exceeds_limit(const WatchClient& other) const;
  Attempt try_watch(std::unique_ptr<WatchSource> source, bool lists, const std::stop_token& stop) const;
  std::int64_t rest_after(std::int64_t spent_ns) const;
  void try_to_offer();

  bool is_watched() const;

  // Returns null if the watch has no list of files.
  Result<std::shared_ptr<const FileList>> watched_files(std::stop_token stop,
                                                        std::optional<std::uint64_t>& moment);

  const Repository& repository_;
  ListScope scope_;
  std::optional<WatchOptions> options_;

  mutable std::mutex mutex_;  // Guards the members below; also locked while an armed tree is updated.
  std::condition_variable attempt_ended_;
  std::function<void()> listener_;
  std::function<void()> history_listener_;
  std::uint64_t reported_changes_ = 0;         // The watched_tree_->change_count() of the last calls of both.
  std::unique_ptr<WatchedTree> watched_tree_;  // Created and destroyed by thread_ only.
  bool is_watch_lost_ = false;                 // watched_tree_ is no longer usable.
  bool is_watch_requested_ = false;            // thread_ must begin a watch once delay_count_ is 0.
  int delay_count_ = 0;                        // Number of WatchDelay objects.
  bool has_files_query_ = false;               // The files were queried.
  bool is_offer_due_ = false;                  // The watch was not offered yet.
  std::uint64_t watches_begun_ = 0;            // Number of watches so far: the upper half of a moment.
  std::shared_ptr<const GitStatus> known_status_;  // The last result of watched_tree_.
  std::int64_t known_since_ns_ = 0;
  std::int64_t not_before_ns_ = 0;
  std::string last_report_line_;
  Fd wake_;

  // Used by thread_ only.
  int failures_ = 0;  // Attempts to watch in this process that failed since the last success.
  bool is_own_watch_refused_ = false;  // The limit of watches was, or would have been, reached.
  std::int64_t own_not_before_ns_ = 0;
  std::jthread thread_;
};

}  // namespace snapgen::core

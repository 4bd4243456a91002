#pragma once
// LiveTree: the state of a work tree as it is now. When it is asked often, it has the kernel watch the tree's
// folders, and answers from memory as long as nothing was reported. Watching begins in the background after
// the first answer, and ends where it cannot help; then every answer is a walk through the tree.
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
#include "tools/engine/git/file_list.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/watch/folder_watches.h"

namespace snapgen::core {

class ArmedTree;

struct WatchOptions {
  std::function<void(std::string_view)> report;  // One line each time watching begins or ends. May be empty.
  std::size_t folders_max = watched_folders_max();
  // Not tried again before: this long, and longer each time it fails.
  std::int64_t pause_ns = 2'000'000'000;
  bool ends_with_process = false;  // The tree is destroyed when the process ends, which must not take long.
};

// The files of a tree, and the moment as of which they are told; none without a watch.
struct LiveFiles {
  std::shared_ptr<const FileList> files;
  std::optional<std::uint64_t> moment;
};

// A status and the files, of one walk without a watch; then the files are what stood there while it was told.
struct StatusAndLiveFiles {
  std::shared_ptr<const Status> status;
  LiveFiles files;
};

// Thread-safe.
class LiveTree {
 public:
  // `scope`: which files are told of.
  explicit LiveTree(const Repository& repository, ListScope scope = {});
  LiveTree(LiveTree&&) = delete;
  ~LiveTree();

  // From now on it may watch. Called once, before any question.
  void watch(WatchOptions options);

  // Takes WatchOptions::ends_with_process back: the process continues when the tree is destroyed.
  void end_before_process();

  // `changed` is called each time the watch has seen something, by any thread; it must not call back. Empty:
  // nobody wants to hear of it any more. Nothing is heard of as long as nobody has asked for the status.
  void set_listener(std::function<void()> changed);

  // Errors: as read_status().
  Result<std::shared_ptr<const Status>> status(std::stop_token stop);

  // The status as it is known, and the moment as of which it is, if that can be told at once: the tree is
  // watched, nobody else asks, and nothing was reported since it was told last.
  struct QuietStatus {
    std::shared_ptr<const Status> status;
    std::uint64_t moment = 0;
  };
  std::optional<QuietStatus> try_status();

  // Kept while the tree is watched, with the stat that each file had when it was looked at last. Errors: as
  // list_files().
  Result<LiveFiles> files(std::stop_token stop);

  // Both. Errors: of both.
  Result<StatusAndLiveFiles> status_and_files(std::stop_token stop);

  // Whether nothing that the watch sees has changed since: what the kernel has queued is taken in first.
  bool is_quiet_since(std::uint64_t moment);

  // These paths (from the repository's root), or all, may have changed without notice: they are looked at
  // again. Without a watch there is nothing to do.
  void suspect(const std::vector<std::string>& paths);
  void suspect_all();

  // Lets go of what is only needed where something has changed, most of what a watched tree keeps. False: it
  // stays.
  bool rest();

  // When everything known was looked at last, in nanoseconds since 1970; none without a watch.
  std::optional<std::int64_t> known_since_ns() const;

  // While one lives no watch begins: somebody has work for every processor, and would share it with the first
  // look of the watch.
  class Hold {
   public:
    explicit Hold(LiveTree& tree);
    ~Hold();
    Hold(Hold&&) = delete;

   private:
    LiveTree& tree_;
  };

  // Waits until the attempt to watch that the last question began is over. Whether it watches.
  bool wait_until_stable();

 private:
  void wish();
  void tell_changes();
  void lose();
  void run(const std::stop_token& stop);
  void begin(const std::stop_token& stop);

  bool is_watched() const;

  // Null: no watch can tell.
  Result<std::shared_ptr<const FileList>> watched_files(std::stop_token stop,
                                                        std::optional<std::uint64_t>& moment);

  const Repository& repository_;
  ListScope scope_;
  std::optional<WatchOptions> options_;

  mutable std::mutex mutex_;  // Guards what follows; held while an armed tree is brought up to date.
  std::condition_variable caught_up_;
  std::function<void()> changed_;
  std::uint64_t told_ = 0;               // The changes() of armed_ that changed_ heard of.
  std::unique_ptr<ArmedTree> armed_;     // Made and ended by the thread alone.
  bool lost_ = false;                    // armed_ is of no further use.
  bool wished_ = false;                  // The thread is to begin,
  int holds_ = 0;                        // when nobody holds it off.
  bool lists_ = false;                   // Somebody asks for the files.
  std::uint64_t watches_begun_ = 0;      // The upper half of a moment.
  std::shared_ptr<const Status> known_;  // The last answer of armed_.
  std::int64_t known_since_ns_ = 0;
  std::int64_t not_before_ns_ = 0;
  int failures_ = 0;
  std::string reported_;
  Fd wake_;
  std::jthread thread_;
};

}  // namespace snapgen::core

#pragma once
// ArmedTree: a work tree that is watched, and the answers about it that are known to hold as long as nothing
// is reported. A check reads what the kernel has queued, so it knows of every change made before it, of the
// few files outside the work tree that decide too (HEAD, index, configuration, ignore files) as well.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/git/known_listing.h"
#include "tools/engine/git/known_status.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/git/walk_listener.h"
#include "tools/engine/watch/folder_watches.h"
#include "tools/engine/watch/outside_files.h"

namespace snapgen::core {

// One question at a time.
class ArmedTree final : public git::WalkListener {
 public:
  // Errors: unavailable.
  static Result<std::unique_ptr<ArmedTree>> open(const Repository& repository, const ListScope& scope,
                                                 std::size_t folders_max);

  // The first call looks at everything, and watches all folders on the way. Null: it can no longer be told
  // what changed, and this object is of no further use; refusal() says why. Errors: as read_status().
  Result<std::shared_ptr<const Status>> status(git::Threads threads, std::stop_token stop);

  // The same if nothing has to be looked at; null otherwise, whatever the reason.
  std::shared_ptr<const Status> status_if_quiet();

  // The files as they are now. The first call walks; later ones look at what was reported since. Null: as
  // above, or they can only be had by walks, and the object is of use for the rest.
  // Errors: as list_files().
  Result<std::shared_ptr<const FileList>> files(git::Threads threads, std::stop_token stop);

  // Lets go of what is only needed where something has changed. False: it stays.
  bool rest();

  // Grows with each change that is taken notice of, or suspected.
  std::uint64_t changes() const { return changes_; }

  // Takes in what the kernel has queued. False: as above.
  bool take_notice();

  // The paths may have changed without notice.
  void suspect(std::string_view path) { note(std::string(path)); }
  void suspect_all() {
    all_ = true;
    ++changes_;
  }

  const std::string& refusal() const { return refusal_; }
  std::size_t folders() const { return watches_.size(); }
  Fd release() { return watches_.release(); }  // what watches; nothing may be asked afterwards
  int fd() const { return watches_.fd(); }     // readable when there is something to take notice of

  bool entering(std::string_view path) override;
  void relies_on(std::string path, std::optional<FileStat> stat) override;
  void cannot_tell(std::string_view reason) override;

 private:
  ArmedTree(const Repository& repository, const ListScope& scope, FolderWatches watches, Fd mounts)
      : root_(repository.root()),
        watches_(std::move(watches)),
        mounts_(std::move(mounts)),
        known_(repository),
        listing_(repository, scope) {}
  void note(std::string path);
  void take(const FolderEvent& event);
  bool dependencies_are_unchanged(bool just_read) const;
  enum class For : bool { status, files };
  Result<std::shared_ptr<const Status>> status_for(For what, git::Threads threads, std::stop_token stop);
  Result<bool> outside_is_unchanged(For what, bool just_read, const std::stop_token& stop);
  bool lose(std::string_view reason);
  void refuse(std::string_view reason);  // Under mutex_, or where no walk goes on.
  // Those that no other covers; none if there are too many, or one has several names.
  std::optional<std::vector<std::string>> paths_to_look_at() const;
  Result<Unit> bring_up_to_date(bool all, git::Threads threads, std::stop_token stop);
  Result<Unit> bring_listing_up_to_date(git::Threads threads, std::stop_token stop);

  struct Dependency {
    std::optional<FileStat> stat;
    bool is_stable = false;  // Equal stats prove equal contents.
  };

  std::string root_;
  FolderWatches watches_;
  Fd mounts_;  // /proc/self/mountinfo
  git::KnownStatus known_;
  OutsideFiles outside_;                        // What known_ and dependencies_ rely on.
  std::set<std::string, std::less<>> pending_;  // Changed, from the root.
  std::set<std::string, std::less<>> moved_;    // Folders that came or went.
  bool all_ = true;                             // Everything may have changed.
  std::uint64_t changes_ = 0;

  git::KnownListing listing_;
  std::set<std::string, std::less<>> listing_pending_;  // Changed since the listing was brought up to date.
  bool is_listing_ = false;                             // What a walk tells is for the listing alone.
  std::string listing_refusal_;                         // Why it is not kept.

  std::mutex mutex_;  // A walk tells from two threads. Guards what follows, and watches_ during a walk.
  std::map<std::string, Dependency, std::less<>> dependencies_;
  bool relies_anew_ = true;  // outside_ does not know of all of them yet.
  std::string refusal_;
};

}  // namespace snapgen::core

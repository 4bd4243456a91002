#pragma once
// KnownStatus: a status together with what it was made from, so that it can be brought up to date where a few
// paths changed. It finds out nothing by itself about the work tree: somebody (see tools/engine/watch/) must
// say which paths changed.
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/git/folder.h"
#include "tools/engine/git/repository.h"
#include "tools/engine/git/status_parts.h"
#include "tools/engine/git/walk_listener.h"

namespace snapgen::core::git {

// One question at a time.
class KnownStatus {
 public:
  explicit KnownStatus(const Repository& repository) : state_(repository.state()) {}

  // The last answer; null: there is none that could be kept.
  const std::shared_ptr<const Status>& status() const { return status_; }
  // What it was made from.
  const Loaded& loaded() const { return loaded_; }
  // Why the last question left nothing to keep: only git could tell.
  const std::string& doubt() const { return doubt_; }

  // Looks at everything. Errors: as read_status().
  Result<Unit> read(Threads threads, WalkListener& listener, std::stop_token stop);

  // Whether the repository's own files (HEAD and what it leads to, index, configuration) still say the same.
  // Costs some twenty system calls, and reading the index after a rest. Errors: as read_status().
  Result<bool> is_unchanged(std::stop_token stop);
  // Those files, absolute; none if they are not known, as where git tells what they say.
  std::optional<std::vector<std::string>> own_files() const;

  // Lets go of the index, which is most of what is kept. True: it is gone, and has to be there again, by
  // is_unchanged(), before anything is looked at again. False: it stays, for its file alone could not prove
  // later that it is the same.
  bool rest();
  bool is_resting() const { return status_ != nullptr && loaded_.index == nullptr; }

  // Looks again at these paths, and at all below them. Errors: as read_status().
  Result<Unit> look_again(const std::vector<std::string>& paths, WalkListener& listener,
                          std::stop_token stop);

 private:
  Result<Unit> conclude(std::stop_token stop);
  Result<Unit> look_at_entries(const std::vector<std::string>& paths, int root_fd, WalkListener& listener,
                               std::stop_token stop);
  Result<Unit> look_for_untracked(const std::string& path, int root_fd, std::vector<std::string>& regions,
                                  WalkListener& listener, std::stop_token stop);
  void rely_on_outside(WalkListener& listener) const;
  bool references_are_unchanged() const;
  void remember_references(const Head& head);

  struct Reference {
    std::string path;
    std::optional<FileStat> stat;
    bool is_stable = false;  // An equal stat proves an equal content.
  };

  Repository::State& state_;
  Loaded loaded_;
  FileStat rested_index_;  // Of the index's file, which proves what it says.
  StatusParts parts_;
  std::vector<Reference> references_;  // What HEAD was told from, as it was before.
  std::shared_ptr<const Status> status_;
  std::string doubt_;
};

// The entries at `path` itself and below it, as two runs.
struct EntryRuns {
  IndexRange at;
  IndexRange below;
};
EntryRuns entries_at(const Index& index, std::string_view path);

}  // namespace snapgen::core::git

#pragma once
// StatusCache caches a status with its inputs and updates it where paths changed. It does not detect changes
// in the work tree: its owner (tools/engine/watch/) must pass the changed paths. Not thread-safe.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/git/status/status_parts.h"
#include "tools/engine/git/walk/folder.h"
#include "tools/engine/git/walk/walk_listener.h"

namespace snapgen::core::git {

class StatusCache {
 public:
  explicit StatusCache(const Repository& repository) : repository_state_(repository.state()) {}

  // The last result, or null if there is none that can be cached.
  const std::shared_ptr<const GitStatus>& status() const { return status_; }
  // The inputs of the status.
  const LoadedRepository& loaded() const { return loaded_; }
  // Why the last result cannot be cached: only the git program could compute it.
  const std::string& fallback_reason() const { return fallback_reason_; }

  // Reads everything. Errors: as read_status().
  Result<Unit> read(ThreadCount threads, WalkListener& listener, std::stop_token stop);

  // Checks that the repository's own files (HEAD and its refs, index, configuration) are unchanged. Costs
  // about twenty system calls, and reads the index again after release_index(). Errors: as read_status().
  Result<bool> is_unchanged(std::stop_token stop);
  // Returns the repository's own files as absolute paths, or nullopt if they are unknown because git read
  // them.
  std::optional<std::vector<std::string>> repository_files() const;

  // Releases the index, the largest part of the cache. If it returns true, is_unchanged() must reload it
  // before any other call. Returns false, and does nothing, if the file's stat could not prove later that it
  // is the same.
  bool release_index();
  bool is_index_released() const { return status_ != nullptr && loaded_.index == nullptr; }

  // Reads these paths and all paths below them again. Errors: as read_status().
  Result<Unit> reread(const std::vector<std::string>& paths, WalkListener& listener, std::stop_token stop);

 private:
  Result<Unit> compute_status(std::stop_token stop);
  Result<Unit> update_entries(const std::vector<std::string>& paths, int root_fd, WalkListener& listener,
                              std::stop_token stop);
  Result<Unit> update_untracked(const std::string& path, int root_fd, std::vector<std::string>& regions,
                                WalkListener& listener, std::stop_token stop);
  void notify_of_outside_rules(WalkListener& listener) const;
  bool references_are_unchanged() const;
  void record_references(const Head& head);

  struct Reference {
    std::string path;
    std::optional<FileStat> stat;
    bool stat_proves_content = false;  // An equal stat proves equal content.
  };

  Repository::State& repository_state_;
  LoadedRepository loaded_;
  FileStat released_index_stat_;  // The index file's stat, which identifies its content.
  StatusParts parts_;
  // The files that HEAD was read from, with their stats from before they were read.
  std::vector<Reference> references_;
  std::shared_ptr<const GitStatus> status_;
  std::string fallback_reason_;
};

}  // namespace snapgen::core::git

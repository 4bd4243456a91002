#pragma once
// IndexLock: the file `index.lock`, with which git processes exclude each other from the index.
#include <string>
#include <utility>

#include "runtime/base/fd.h"
#include "runtime/base/result.h"
#include "tools/engine/git/repository/index.h"

namespace snapgen::core::git {

// The error `unavailable` for a lock file that exists.
Error used_repository_error(const std::string& lock_path);

class IndexLock {
 public:
  // Errors: unavailable, also if another process has the lock.
  static Result<IndexLock> acquire(const std::string& git_dir);
  IndexLock(IndexLock&& other) noexcept
      : fd_(std::move(other.fd_)), index_path_(std::move(other.index_path_)) {}
  ~IndexLock();  // Removes the lock.

  // Replaces the index by one of these entries, and gives up the lock. Entries that `present`, the current
  // index, has too retain their stats, so that git need not read these files. Errors: unavailable.
  Result<Unit> replace_index(const Index& entries, const Index& present);

 private:
  IndexLock(Fd fd, std::string index_path) : fd_(std::move(fd)), index_path_(std::move(index_path)) {}

  Fd fd_;
  std::string index_path_;
};

}  // namespace snapgen::core::git

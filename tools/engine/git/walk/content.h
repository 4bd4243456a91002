#pragma once
// Checks by reading whether a file in the work tree has the content that is in the index.
#include <stop_token>
#include <string>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/git/repository/index.h"
#include "tools/engine/git/repository/state.h"
#include "tools/engine/git/walk/attributes.h"

namespace snapgen::core::git {

struct ContentComparison {
  bool same = false;
  std::string fallback_reason;  // Why the git program must decide; empty if it need not.
};

// Not thread-safe; use one per thread.
class IndexContentCheck {
 public:
  IndexContentCheck(Repository::State& state, Attributes& attributes, int root_fd, std::stop_token stop)
      : repository_state_(state), attributes_(attributes), root_fd_(root_fd), stop_(std::move(stop)) {}

  // Compares a file with its index entry. `entry` must be a regular file or symlink, and `status` of the same
  // kind. Errors: those of Attributes::conversion(); cancelled.
  Result<ContentComparison> compare(const IndexEntry& entry, const struct stat& status);

 private:
  Result<ContentComparison> compare_file(const IndexEntry& entry, const struct stat& status,
                                         const ContentConversion& conversion);
  template <class H>
  bool hash_matches(int fd, std::int64_t size, std::string_view oid);

  Repository::State& repository_state_;
  Attributes& attributes_;
  const int root_fd_;
  const std::stop_token stop_;
  std::string buffer_;
};

}  // namespace snapgen::core::git

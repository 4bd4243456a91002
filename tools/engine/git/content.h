#pragma once
// Whether a file in the work tree still has the content that the index holds, told by reading it.
#include <string>

#include <sys/stat.h>

#include "tools/engine/git/attributes.h"
#include "tools/engine/git/index.h"
#include "tools/engine/git/state.h"

namespace snapgen::core::git {

struct ContentAnswer {
  bool same = false;
  std::string doubt;  // why only git can tell; empty: it is settled
};

// One per thread.
class ContentCheck {
 public:
  ContentCheck(Repository::State& state, Attributes& attributes, int root_fd)
      : state_(state), attributes_(attributes), root_fd_(root_fd) {}

  // `entry`: a regular file or symlink, and what stands there, `status`, is of the same kind.
  Result<ContentAnswer> compare(const IndexEntry& entry, const struct stat& status);

 private:
  Result<ContentAnswer> compare_file(const IndexEntry& entry, const struct stat& status,
                                     const Cleaning& cleaning);
  template <class H>
  bool streams_to(int fd, std::int64_t size, std::string_view oid);

  Repository::State& state_;
  Attributes& attributes_;
  const int root_fd_;
  std::string buffer_;
};

}  // namespace snapgen::core::git

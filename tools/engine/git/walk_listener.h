#pragma once
// WalkListener: whoever keeps an answer about the work tree and wants to know when it no longer holds. A walk
// tells it what the answer is made from, each thing before it is looked at, so that no change falls between.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/git/files.h"

namespace snapgen::core::git {

class WalkListener {
 public:
  virtual ~WalkListener() = default;
  WalkListener() = default;
  WalkListener(WalkListener&&) = delete;

  // The names in this folder, and what stands directly behind them, decide. `path`: from the root, without a
  // final slash. False: there is no such folder now, and only the appearing of its name will tell.
  // May be called by several threads.
  virtual bool entering(std::string_view path) = 0;

  // A file decides that changes without its folder's knowledge: outside the work tree, or with another name
  // elsewhere. `path` is absolute, symlinks are followed; `stat` is what it had when it was looked at.
  virtual void relies_on(std::string path, std::optional<FileStat> stat) = 0;

  // Nothing can tell when the answer changes.
  virtual void cannot_tell(std::string_view reason) = 0;
};

// Tells the listener (which may be null) of a folder that is, or might become, a repository of its own.
// `folder`: from the root, without a final slash.
void tell_of_repository(WalkListener* listener, const std::string& root, int root_fd,
                        const std::string& folder);

}  // namespace snapgen::core::git

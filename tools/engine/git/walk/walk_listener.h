#pragma once
// WalkListener is notified of everything that the result of a walk depends on, so that its owner can
// invalidate a cached result. A walk reports each dependency before it reads it, so no change is missed.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/git/walk/files.h"

namespace snapgen::core::git {

class Index;

class WalkListener {
 public:
  virtual ~WalkListener() = default;
  WalkListener() = default;
  WalkListener(WalkListener&&) = delete;

  // The result depends on the names in this folder and their stats. `path` is relative to the root, without a
  // trailing slash. Returns false if it does not exist; then only its creation is reported. Several threads
  // may call it.
  virtual bool add_folder_dependency(std::string_view path) = 0;

  // The result depends on a file that can change without an event in its folder: it is outside the work tree,
  // or has another hard link. `path` is absolute, with symlinks followed; `stat` is from when it was read.
  virtual void add_file_dependency(std::string path, std::optional<FileStat> stat) = 0;

  // The walk reports that later changes of its result cannot be detected, so it must not be cached.
  virtual void report_undetectable_changes(std::string_view reason) = 0;
};

// Notifies the listener (which may be null) of a folder that is or may become a nested repository. `folder`
// is relative to the root, without a trailing slash.
void notify_of_repository(WalkListener* listener, const std::string& root, int root_fd,
                          const std::string& folder);

// Notifies the listener of the folders of the index entries in [begin, end), parents first.
void notify_of_tracked_folders(const Index& index, std::size_t begin, std::size_t end,
                               WalkListener& listener);

}  // namespace snapgen::core::git

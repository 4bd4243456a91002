#pragma once
// ServedTrees: the open work trees of a server, by folder.
//
// The first call on a tree opens it. An unused tree is closed after a while if others are open. Its leases
// and snapshots are then on disk, so the next call opens it again. Each call holds a reference to its tree,
// which prevents closing.
//
// Used on the loop's thread only.
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/async/event.h"
#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tools/app/app.h"
#include "tools/server/trees/reach.h"
#include "tools/server/trees/served_tree.h"

namespace snapgen::tools {

class ServedTrees {
 public:
  // `start` is the folder from the process's environment, or the reason why there is none. Its tree decides
  // which tools are listed, and is never closed. `shared` must outlive the trees. Errors: as
  // ServedTree::open().
  static Result<std::unique_ptr<ServedTrees>> open(Result<std::string> start, TreeOptions options,
                                                   SharedServerState& shared);
  ServedTrees(ServedTrees&&) = delete;

  // Limits the folders that may be served; by default there is no limit. Call it at most once, before the
  // first call. `reach` must outlive the trees.
  void limit_reach(Reach& reach) { reach_ = &reach; }
  // Calls `listener` whenever a tree was opened, or removed from used_trees() to be closed. An empty function
  // removes the listener.
  void set_change_listener(std::function<void()> listener) { listener_ = std::move(listener); }

  const std::shared_ptr<ServedTree>& start_tree() const { return start_tree_; }
  const TreeOptions& options() const { return options_; }

  // Returns the tree at `folder`, which is one of the folders `named` for the client, and opens it if
  // necessary. Errors: as ServedTree::open(); not_found (it no longer exists); unavailable (out of
  // reach).
  Result<std::shared_ptr<ServedTree>> get_or_open(const std::string& folder,
                                                  const std::vector<std::string>& named);

  // Returns a tree without a workspace, for calls that need none.
  const std::shared_ptr<ServedTree>& tree_without_workspace() const { return tree_without_workspace_; }

  // Returns the open trees that calls have used, sorted by folder.
  std::vector<std::shared_ptr<ServedTree>> used_trees() const;

  // Opens the workspace of the start tree a second later, so that its history begins before the first call.
  // For a server that may serve no other folder.
  Task<Unit> begin_history(Loop& loop, std::stop_token stop);

  // Saves the in-memory state of the trees (App::save_leases()). Call it when the server ends. Blocks.
  void save_leases();

  // Runs until the stop. Frees the memory of trees that are unused for some seconds (App::release_memory()),
  // and closes those that are unused for a long time.
  Task<Unit> release_unused_until_stop(Loop& loop, std::stop_token stop);

 private:
  ServedTrees(TreeOptions options, SharedServerState& shared)
      : options_(std::move(options)), shared_(shared) {}
  Task<Unit> release_memory_of(Loop& loop, std::shared_ptr<ServedTree> tree, std::stop_token stop);
  // Removes the trees that are to be closed from used_trees(), and returns them.
  std::vector<std::shared_ptr<ServedTree>> take_unused();
  void notify_listener() const;
  // Whether nothing is to be released or closed until the next call.
  bool is_at_rest() const;

  TreeOptions options_;
  SharedServerState& shared_;
  Reach* reach_ = nullptr;
  std::function<void()> listener_;
  std::unique_ptr<Event> used_;  // Set by each call; null until release_unused_until_stop() runs.
  std::shared_ptr<ServedTree> start_tree_;
  std::shared_ptr<ServedTree> tree_without_workspace_;
  std::map<std::string, std::shared_ptr<ServedTree>> by_folder_;
  // Trees whose folders were deleted or replaced. They are closed when no call uses them any more.
  std::vector<std::shared_ptr<ServedTree>> replaced_trees_;
};

}  // namespace snapgen::tools

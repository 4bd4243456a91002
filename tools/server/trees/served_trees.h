#pragma once
// ServedTrees: the work trees that a server has open, by their folders.
//
// The first call that works on a tree opens it. A tree that has been unused for a while is closed if others
// are open. Leases and snapshots are on disk by then, so the next call on the tree opens it again. A call
// holds the tree that it works on, and a tree that is held is not closed.
//
// On the loop's thread.
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/base/result.h"
#include "tools/app/app.h"
#include "tools/server/trees/reach.h"
#include "tools/server/trees/served_tree.h"

namespace snapgen::tools {

class ServedTrees {
 public:
  // `start`: the folder that the process's surroundings name, or why they name none. The tree of that folder
  // decides which tools are listed, and is never closed. `shared` outlives the trees. Errors: as
  // ServedTree::open().
  static Result<std::unique_ptr<ServedTrees>> open(Result<std::string> start, TreeOptions options,
                                                   ServerShare& shared);
  ServedTrees(ServedTrees&&) = delete;

  // Limits the folders that may be served; without it every folder may be. Called once, before the first
  // call. `reach` outlives the trees.
  void limit_to(Reach& reach) { reach_ = &reach; }
  // Calls `listener` each time that a tree was opened, or was taken out of used() to be closed. An empty
  // function ends that.
  void on_change(std::function<void()> listener) { listener_ = std::move(listener); }

  const std::shared_ptr<ServedTree>& start() const { return start_; }
  const TreeOptions& options() const { return options_; }

  // The tree at `folder`, one of those `named` for the client, opened if it is not. Errors: as
  // ServedTree::open(); not_found (it does not exist any more); permission_denied (out of reach).
  Result<std::shared_ptr<ServedTree>> at(const std::string& folder, const std::vector<std::string>& named);

  // A tree without a workspace, for calls that need none.
  const std::shared_ptr<ServedTree>& none() const { return none_; }

  // The trees that are open and were used, in the order of their folders.
  std::vector<std::shared_ptr<ServedTree>> used() const;

  // Writes to disk what the trees have only in memory (App::save()). Called when the server ends. Blocks.
  void save();

  // Until the stop: gives back the memory of each tree that is unused for some seconds (App::rest()), and
  // closes those that are unused for a long time.
  Task<Unit> tend(Loop& loop, std::stop_token stop);

 private:
  ServedTrees(TreeOptions options, ServerShare& shared) : options_(std::move(options)), shared_(shared) {}
  Task<Unit> rest(Loop& loop, std::shared_ptr<ServedTree> tree, std::stop_token stop);
  // Removes the trees that are to be closed now from used() and returns them.
  std::vector<std::shared_ptr<ServedTree>> take_unused();
  void announce() const;

  TreeOptions options_;
  ServerShare& shared_;
  Reach* reach_ = nullptr;
  std::function<void()> listener_;
  std::shared_ptr<ServedTree> start_;
  std::shared_ptr<ServedTree> none_;
  std::map<std::string, std::shared_ptr<ServedTree>> by_folder_;
  // Trees whose folders were removed or replaced; closed as soon as no call holds them.
  std::vector<std::shared_ptr<ServedTree>> replaced_;
};

}  // namespace snapgen::tools

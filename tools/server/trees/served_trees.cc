#include "tools/server/trees/served_trees.h"

#include <algorithm>
#include <filesystem>

#include "runtime/async/offload.h"
#include "runtime/async/sleep.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"

namespace snapgen::tools {
namespace {

// Pauses between two searches for unused trees. The longer one applies when no tree is used. When nothing is
// left to release, there is no search until the next call, so that an idle server never wakes.
constexpr Millis search_every(3000);
constexpr Millis search_at_rest_every(30'000);
constexpr Millis history_begins_after(1000);
constexpr double closed_after_ms = 15 * 60 * 1000.0;

}  // namespace

Result<std::unique_ptr<ServedTrees>> ServedTrees::open(Result<std::string> start, TreeOptions options,
                                                       SharedServerState& shared) {
  std::unique_ptr<ServedTrees> made(new ServedTrees(std::move(options), shared));
  made->start_tree_ = TRY(ServedTree::open(std::move(start), made->options_, shared));
  if (!made->start_tree_->app().workspace_folder()) {
    made->tree_without_workspace_ = made->start_tree_;
    return made;
  }
  TreeOptions without_tools = made->options_;
  without_tools.tools_folder.reset();
  made->tree_without_workspace_ = TRY(ServedTree::open(
      Error(ErrorCode::not_found, "No workspace was chosen for this client."), without_tools, shared));
  return made;
}

void ServedTrees::notify_listener() const {
  if (listener_) listener_();
}

Result<std::shared_ptr<ServedTree>> ServedTrees::get_or_open(const std::string& folder,
                                                             const std::vector<std::string>& named) {
  if (used_) used_->set();
  const auto known = by_folder_.find(folder);
  if (known != by_folder_.end()) {
    if (known->second->is_in_place()) return known->second;
    replaced_trees_.push_back(std::move(known->second));
    by_folder_.erase(known);
  }
  if (!std::filesystem::is_directory(folder))
    return Error(
        ErrorCode::not_found,
        "The workspace " + core::path_in_sentence(folder) +
            " no longer exists. Restore the folder, with `snap recover` if its history was recorded, or "
            "start the server in another one.");
  if (reach_ != nullptr) {
    TRY(reach_->admit(folder, named));
  }
  std::shared_ptr<ServedTree> tree = start_tree_;
  const Result<std::string>& start = start_tree_->app().workspace_folder();
  if (!start || *start != folder || !start_tree_->is_in_place()) {
    tree = TRY(ServedTree::open(folder, options_, shared_));
  }
  tree->use.since_ms = core::steady_ms();
  by_folder_.emplace(folder, tree);
  options_.log.write(Severity::info, "Serving " + core::path_in_sentence(folder) + ".");
  notify_listener();
  return tree;
}

std::vector<std::shared_ptr<ServedTree>> ServedTrees::used_trees() const {
  std::vector<std::shared_ptr<ServedTree>> trees;
  for (const auto& [folder, tree] : by_folder_) trees.push_back(tree);
  return trees;
}

void ServedTrees::save_leases() {
  for (const auto& [folder, tree] : by_folder_)
    if (tree->is_in_place()) tree->app().save_leases();
}

Task<Unit> ServedTrees::release_memory_of(Loop& loop, std::shared_ptr<ServedTree> tree,
                                          std::stop_token stop) {
  const auto job = [&tree] {
    tree->app().release_memory();
    return Result<Unit>(Unit{});
  };
  Result<Unit> done = co_await Offload(loop, stop, job);
  co_return done;
}

std::vector<std::shared_ptr<ServedTree>> ServedTrees::take_unused() {
  std::vector<std::shared_ptr<ServedTree>> taken;
  std::erase_if(replaced_trees_, [&](std::shared_ptr<ServedTree>& tree) {
    const bool is_held = tree.use_count() > 1;
    if (!is_held) taken.push_back(std::move(tree));
    return !is_held;
  });
  if (by_folder_.size() < 2) return taken;
  const double now_ms = core::steady_ms();
  for (auto each = by_folder_.begin(); each != by_folder_.end();) {
    // A call, a subscription or start_tree_ refers to the tree.
    const bool is_held = each->second.use_count() > 1;
    if (is_held || now_ms - each->second->use.since_ms < closed_after_ms) {
      ++each;
      continue;
    }
    options_.log.write(Severity::info, "Closing " + core::path_in_sentence(each->first) + ", unused.");
    taken.push_back(std::move(each->second));
    each = by_folder_.erase(each);
  }
  return taken;
}

Task<Unit> ServedTrees::begin_history(Loop& loop, std::stop_token stop) {
  Result<Unit> slept = co_await Sleep(loop, stop, history_begins_after);
  App& app = start_tree_->app();
  if (!slept || !app.workspace_folder() || !app.history_options) co_return Unit{};
  const auto job = [&app] {
    Result<core::Workspace*> opened = app.workspace();
    return opened ? Result<Unit>(Unit{}) : std::move(opened).error();
  };
  Result<Unit> opened = co_await Offload(loop, stop, job);
  static_cast<void>(opened);  // The first call reports the error.
  co_return Unit{};
}

bool ServedTrees::is_at_rest() const {
  if (by_folder_.size() > 1 || !replaced_trees_.empty()) return false;
  return std::ranges::all_of(by_folder_, [&](const auto& each) {
    const std::shared_ptr<ServedTree>& tree = each.second;
    const long own_references = tree == start_tree_ ? 2 : 1;  // Others are of calls and subscriptions.
    const std::uint64_t uses = tree->app().workspace_call_count();
    const bool is_released = uses == 0 || tree->use.released_call_count == uses || !tree->is_in_place();
    return is_released && tree.use_count() == own_references;
  });
}

Task<Unit> ServedTrees::release_unused_until_stop(Loop& loop, std::stop_token stop) {
  used_ = std::make_unique<Event>(loop);
  Millis pause = search_every;
  while (true) {
    if (is_at_rest()) {
      used_->reset();
      Result<Unit> next_call = co_await used_->wait(stop);
      if (!next_call) co_return Unit{};
      pause = search_every;
    }
    Result<Unit> slept = co_await Sleep(loop, stop, pause);
    if (!slept) co_return Unit{};
    pause = search_at_rest_every;
    std::vector<std::shared_ptr<ServedTree>> trees = used_trees();
    for (const std::shared_ptr<ServedTree>& tree : trees) {
      ServedTree::Use& use = tree->use;
      const std::uint64_t uses = tree->app().workspace_call_count();
      if (uses != use.last_call_count) {
        use.last_call_count = uses;
        use.since_ms = core::steady_ms();
        pause = search_every;
        continue;
      }
      // The tree of a deleted folder is not released: saving its leases would create the folder again.
      if (uses == 0 || use.released_call_count == uses || !tree->is_in_place()) continue;
      Task<Unit> releasing = release_memory_of(loop, tree, stop);
      Result<Unit> done = co_await std::move(releasing);
      if (!done) co_return Unit{};
      // Releasing memory also counts as a use, so the count after it is stored.
      use.released_call_count = use.last_call_count = tree->app().workspace_call_count();
    }
    trees.clear();  // Drops the references, which would prevent closing the trees.
    std::vector<std::shared_ptr<ServedTree>> unused = take_unused();
    for (std::shared_ptr<ServedTree>& tree : unused) {
      notify_listener();
      tree->release_loop_objects();
      const auto job = [&tree] {
        tree.reset();
        return Result<Unit>(Unit{});
      };
      Result<Unit> closed = co_await Offload(loop, stop, job);
      if (!closed) co_return Unit{};
    }
  }
}

}  // namespace snapgen::tools

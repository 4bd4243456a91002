#pragma once
// TaskStore: the tasks of a workspace, in `.snapback/session/`: `tasks/` has a file for each open one,
// `summaries/` one for each that ended; one that is in both has ended. Several servers may use it; nothing is
// kept in memory.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/work/task/task.h"

namespace snapgen::core {

class TaskStore {
 public:
  // `root`: the workspace.
  explicit TaskStore(std::string root) : root_(std::move(root)) {}

  // Keeps a new task, durably, under an id of its own. Errors: permission_denied, unavailable.
  Result<Task> begin(Task task) const;

  // An open task; without an id the one that began last. Errors: not_found (there is no open task; none of
  // that id; it has ended already).
  Result<Task> open_task(const std::optional<std::string>& id) const;

  // All open ones, the latest first.
  std::vector<Task> open_tasks() const;

  // Those that ended last, the latest first.
  std::vector<Task> ended_tasks(std::size_t limit) const;

  // How many files that are named like tasks say nothing that can be read.
  std::int64_t unreadable() const;

  // Open or not. Errors: not_found.
  Result<Task> find(std::string_view id) const;

  // Makes an open task one that ended. By whoever comes first: errors: not_found (somebody else ended it);
  // permission_denied, unavailable.
  Result<Unit> end(const Task& task) const;

 private:
  std::string folder(std::string_view name) const;
  // `kind`: tasks or summaries.
  std::string file_of(std::string_view kind, std::string_view id) const;
  bool has_summary(std::string_view id) const;
  // Tasks whose file an earlier version had put aside to end them when it was killed are open again.
  void take_back() const;

  std::string root_;
};

// The snapshots that the open tasks of the workspace `root` began with, for a collection.
SparedSnapshots spared_by_open_tasks(std::string root);

}  // namespace snapgen::core

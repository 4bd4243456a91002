#pragma once
// TaskStore: the tasks of a workspace, in `.snapback/session/`: `tasks/` has a file per open task,
// `summaries/` one per ended task. A task in both folders has ended. `current.json` is a copy of the latest
// open task, for other programs; it does not exist if no task is open. Several servers may use the store;
// nothing is cached.
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
  // `root` is the folder of the workspace.
  explicit TaskStore(std::string root) : root_(std::move(root)) {}

  // Stores a new task durably under a new id. Errors: permission_denied, unavailable.
  Result<Task> begin_task(Task task) const;

  // Returns an open task, by default the current one. Errors: not_found (no open task; several, and none is
  // current; unknown id; already ended).
  Result<Task> find_open_task(const std::optional<std::string>& id) const;

  // Returns all open tasks, the latest first.
  std::vector<Task> open_tasks() const;

  // Returns the current task of this process: the latest open task that it began, else the only open task.
  std::optional<Task> current_task() const;

  // Returns up to `limit` ended tasks; the one that ended last is first.
  std::vector<Task> ended_tasks(std::size_t limit) const;

  // Returns the number of task files that cannot be read.
  std::int64_t unreadable_count() const;
  // Returns " 2 files in .snapback/session cannot be read."; empty if all can be read.
  std::string unreadable_sentence() const;

  // Finds an open or ended task. Errors: not_found.
  Result<Task> find(std::string_view id) const;

  // Ends an open task. If several processes try, one succeeds. Errors: not_found (already ended);
  // permission_denied, unavailable.
  Result<Unit> mark_ended(const Task& task) const;

 private:
  std::string folder(std::string_view name) const;
  // Returns the path of a task's file. `kind` is "tasks" or "summaries".
  std::string file_of(std::string_view kind, std::string_view id) const;
  bool has_summary(std::string_view id) const;
  // Returns all open tasks, the latest first. Adds to `ended_files` the files of tasks that have ended.
  std::vector<Task> read_open_tasks(std::vector<std::string>& ended_files) const;
  // Makes current.json a copy of the latest open task. A failure is ignored, because the task itself is in
  // its own file.
  void update_current() const;
  // Restores the names of files that an earlier version renamed and could not rename back, because it was
  // killed while it ended a task.
  void undo_interrupted_renames() const;

  std::string root_;
};

// Returns for example "task_a (fix it), task_b (test it)"; of many tasks, the first ones.
std::string names_of_tasks(const std::vector<Task>& tasks);

// Returns the first snapshots of the open tasks in the workspace `root`, which a garbage collection must not
// delete.
GetSparedSnapshots spared_by_open_tasks(std::string root);

}  // namespace snapgen::core

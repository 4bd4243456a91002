#pragma once
// TaskStore: the tasks of a repository, in its store: `tasks/` has a file per open task, `summaries/` one per
// ended task. A task in both folders has ended. Several servers may use the store; nothing is cached.
//
// `.snapback/session/` of each work tree has copies of the tasks that began there, for people and other
// programs: both folders, and `current.json`, a copy of the latest open task, which does not exist if no task
// is open. Missing copies are written again, and files that only the work tree has are added to the store:
// an earlier version of the server wrote them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"
#include "tools/work/memory/record_folders.h"
#include "tools/work/task/task.h"

namespace snapgen::core {

class TaskStore {
 public:
  explicit TaskStore(RecordFolders folders) : folders_(std::move(folders)) {}

  // Stores a new task durably under a new id. Errors: permission_denied, unavailable.
  Result<Task> begin_task(Task task) const;

  // Returns an open task of any work tree, by default the current one. Errors: not_found (no open task;
  // several, and none is current; unknown id; already ended).
  Result<Task> find_open_task(const std::optional<std::string>& id) const;

  // Returns the open tasks of the work tree, the latest first.
  std::vector<Task> open_tasks() const;
  // Returns the open tasks of all work trees, the latest first.
  std::vector<Task> all_open_tasks() const;

  // Returns the current task of this process: the latest open task of the work tree that it began, else the
  // only one of the work tree.
  std::optional<Task> current_task() const;

  // Returns up to `limit` ended tasks of all work trees; the one that ended last is first.
  std::vector<Task> ended_tasks(std::size_t limit) const;

  // Returns the number of task files that cannot be read, in the store and of those that only
  // `.snapback/session/` has.
  std::int64_t unreadable_count() const;
  // Returns " 2 files in .snapback/session cannot be read."; empty if all can be read.
  std::string unreadable_sentence() const;

  // Finds an open or ended task. Errors: not_found.
  Result<Task> find(std::string_view id) const;

  // Ends an open task. If several processes try, one succeeds. Errors: not_found (already ended);
  // permission_denied, unavailable.
  Result<Unit> mark_ended(const Task& task) const;

  // Adds the tasks of `.snapback/session/` that the store lacks to it, and writes missing copies.
  void update_copies() const;

  // Does only the first part of update_copies().
  void import_copies() const;

  // Returns the name of the task's work tree, if it is another one; else empty.
  std::string other_tree_of(const Task& task) const;

 private:
  // Returns the path of a task's file in the store. `kind` is "tasks" or "summaries".
  std::string file_of(std::string_view kind, std::string_view id) const;
  // Returns the path of the copies of a kind; of `.snapback/session/` if `kind` is empty.
  std::string copies_of(std::string_view kind) const;
  bool has_summary(std::string_view id) const;
  std::int64_t count_unreadable_records() const;
  std::int64_t count_unreadable_copies() const;
  // Returns all open tasks, the latest first. Adds to `ended_files` the files of tasks that have ended.
  std::vector<Task> read_open_tasks(std::vector<std::string>& ended_files) const;
  // Adds the copies of a kind that the store lacks to it.
  void import_copies(std::string_view kind) const;
  // Returns whether the folder of the copied summaries changed since save_summaries_state().
  bool have_summaries_changed() const;
  void save_summaries_state() const;
  void write_copy(std::string_view kind, const Task& task) const;
  // Makes current.json a copy of the latest open task. A failure is ignored, because the task itself is in
  // its own file.
  void update_current() const;
  // Restores the names of files that an earlier version renamed and could not rename back, because it was
  // killed while it ended a task.
  void undo_interrupted_renames() const;

  RecordFolders folders_;
};

// Returns for example "task_a (fix it), task_b (test it)"; of many tasks, the first ones.
std::string names_of_tasks(const std::vector<Task>& tasks);

// Returns the first snapshots of the open tasks in all work trees and folders of a repository, which a
// garbage collection must not delete. `store` is the repository's store; `own` are the folders of the caller.
GetSparedSnapshots spared_by_open_tasks(std::string store, RecordFolders own);

}  // namespace snapgen::core

#include "tools/work/task/task_store.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/random.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/files/beneath.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/files/json_lines.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::string_view task_id_prefix = "task_";
constexpr std::size_t id_letters = 8;
// More than the largest task that a call can make.
constexpr std::uint64_t task_bytes_max = 32 << 20;
constexpr std::string_view session_folder = ".snapback/session/";
constexpr std::string_view current_file = "current.json";
constexpr const char* summaries_state_file = "copied-summaries";

constexpr std::size_t named_tasks_max = 3;
constexpr std::size_t named_title_bytes_max = 40;

// The name of this process among those that use the store.
const std::string& own_session() {
  static const std::string name = random_name(16);
  return name;
}

// Returns the current task among the open ones of a work tree, which are sorted; null if there is none.
const Task* current_of(const std::vector<Task>& open) {
  for (const Task& each : open)
    if (each.session == own_session()) return &each;
  return open.size() == 1 ? &open.front() : nullptr;
}

bool is_task_id(std::string_view text) { return is_random_name(text, task_id_prefix, id_letters); }

// Reads a task file. `path` is relative to `root`.
std::optional<Task> read_task(const std::string& root, const std::string& path) {
  Result<std::string> text = read_state_file(root, path, task_bytes_max);
  return text ? parse_task(*text) : std::nullopt;
}

std::string relative_file(std::string_view kind, std::string_view id) {
  return std::string(kind).append("/").append(id).append(".json");
}

// Returns the path of a copy, relative to the workspace.
std::string copy_path(std::string_view kind, std::string_view id) {
  return std::string(session_folder) + relative_file(kind, id);
}

// Calls take() for each entry of a folder, whose path is relative to `root`, unless it is a symlink.
template <class F>
void for_each_entry(const std::string& root, const std::string& folder, F take) {
  if (!is_state_folder(root, folder)) return;
  std::error_code error;
  for (std::filesystem::directory_iterator at(root + "/" + folder, error), end; !error && at != end;
       at.increment(error))
    take(*at);
}

// Returns the ids of all files of the folder that have the name of a task.
std::vector<std::string> task_ids_in(const std::string& root, const std::string& folder) {
  std::vector<std::string> ids;
  for_each_entry(root, folder, [&](const std::filesystem::directory_entry& file) {
    const std::filesystem::path path = file.path();
    if (path.extension() == ".json" && is_task_id(path.stem().string())) ids.push_back(path.stem().string());
  });
  return ids;
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Returns what changes when a file is added to a folder, or when the folder is replaced; empty if there is no
// folder.
std::string state_of_folder(const std::string& folder) {
  struct stat st;
  if (::lstat(folder.c_str(), &st) != 0) return {};
  return std::to_string(st.st_dev) + " " + std::to_string(st.st_ino) + " " +
         std::to_string(st.st_mtim.tv_sec) + "." + std::to_string(st.st_mtim.tv_nsec);
}

void sort_latest_first(std::vector<Task>& tasks) {
  std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
    return a.started_ms != b.started_ms ? a.started_ms > b.started_ms : a.id < b.id;
  });
}

}  // namespace

std::string TaskStore::copies_of(std::string_view kind) const {
  return (folders_.root + "/").append(session_folder).append(kind);
}

std::string TaskStore::file_of(std::string_view kind, std::string_view id) const {
  return folders_.records + "/" + relative_file(kind, id);
}

bool TaskStore::has_summary(std::string_view id) const { return exists(file_of("summaries", id)); }

std::string TaskStore::other_tree_of(const Task& task) const {
  return task.tree == folders_.name ? std::string() : task.tree;
}

Result<Task> TaskStore::begin_task(Task task) const {
  TRY(make_folders(folders_.records + "/tasks"));
  task.session = own_session();
  task.tree = folders_.name;
  redact_in_place(task.title);
  for (std::string& each : task.keywords) redact_in_place(each);
  do {
    task.id = std::string(task_id_prefix) + random_name(id_letters);
  } while (exists(file_of("tasks", task.id)) || has_summary(task.id));
  TRY(replace_file(folders_.records + "/tasks", task.id + ".json", json_of(task), Durability::machine_crash));
  write_copy("tasks", task);
  update_current();
  return task;
}

void TaskStore::write_copy(std::string_view kind, const Task& task) const {
  const bool were_summaries_known = kind == "summaries" && !have_summaries_changed();
  if (!make_state_folder(folders_.root, "session/" + std::string(kind))) return;
  // If the copy cannot be written, the task is in the store all the same.
  static_cast<void>(
      replace_file(copies_of(kind), task.id + ".json", json_of(task), Durability::process_crash));
  if (were_summaries_known) save_summaries_state();
}

void TaskStore::undo_interrupted_renames() const {
  for_each_entry(folders_.root, std::string(session_folder) + "tasks",
                 [&](const std::filesystem::directory_entry& file) {
                   const std::string name = file.path().filename().string();
                   if (!name.starts_with(temporary_prefix)) return;
                   const std::string id = name.substr(temporary_prefix.size());
                   if (is_task_id(id))
                     ::rename(file.path().c_str(), (folders_.root + "/" + copy_path("tasks", id)).c_str());
                 });
}

void TaskStore::import_copies(std::string_view kind) const {
  for (const std::string& id : task_ids_in(folders_.root, std::string(session_folder) + std::string(kind))) {
    if (exists(file_of(kind, id)) || has_summary(id)) continue;
    std::optional<Task> task = read_task(folders_.root, copy_path(kind, id));
    const bool is_ended = kind == "summaries";
    if (!task || task->id != id || task->outcome.has_value() != is_ended) continue;
    if (task->tree.empty()) task->tree = folders_.name;
    if (!make_folders(folders_.records + "/" + std::string(kind))) return;
    static_cast<void>(
        make_new_file(folders_.records + "/" + std::string(kind), id + ".json", json_of(*task)));
  }
}

void TaskStore::import_copies() const {
  import_copies("summaries");
  import_copies("tasks");
}

bool TaskStore::have_summaries_changed() const {
  const Result<std::string> known =
      read_whole_file(folders_.tree + "/" + summaries_state_file, state_bytes_max);
  return (known ? *known : std::string()) != state_of_folder(copies_of("summaries"));
}

// If the state cannot be written, the summaries are compared again.
void TaskStore::save_summaries_state() const {
  if (make_folders(folders_.tree))
    static_cast<void>(replace_file(folders_.tree, summaries_state_file,
                                   state_of_folder(copies_of("summaries")), Durability::process_crash));
}

void TaskStore::update_copies() const {
  undo_interrupted_renames();
  if (have_summaries_changed()) {
    import_copies("summaries");
    for (const std::string& id : task_ids_in(folders_.records, "summaries")) {
      if (exists(folders_.root + "/" + copy_path("summaries", id))) continue;
      const std::optional<Task> task = read_task(folders_.records, relative_file("summaries", id));
      if (task && task->tree == folders_.name) write_copy("summaries", *task);
    }
    save_summaries_state();
  }
  import_copies("tasks");
  bool is_changed = false;
  // A task may have ended in another work tree.
  for (const std::string& id : task_ids_in(folders_.root, std::string(session_folder) + "tasks")) {
    std::optional<Task> ended;
    if (has_summary(id)) ended = read_task(folders_.records, relative_file("summaries", id));
    if (!ended) continue;
    write_copy("summaries", *ended);
    ::unlink((folders_.root + "/" + copy_path("tasks", id)).c_str());
    is_changed = true;
  }
  for (const std::string& id : task_ids_in(folders_.records, "tasks")) {
    if (has_summary(id) || exists(folders_.root + "/" + copy_path("tasks", id))) continue;
    const std::optional<Task> task = read_task(folders_.records, relative_file("tasks", id));
    if (!task || task->tree != folders_.name) continue;
    write_copy("tasks", *task);
    is_changed = true;
  }
  if (is_changed) update_current();
}

std::vector<Task> TaskStore::all_open_tasks() const {
  update_copies();
  std::vector<std::string> ended_files;
  std::vector<Task> found = read_open_tasks(ended_files);
  // The process that ended these tasks was killed. Their files may be deleted only when the summaries are
  // durable.
  if (!ended_files.empty() && sync_folder(folders_.records + "/summaries"))
    for (const std::string& each : ended_files) ::unlink(each.c_str());
  return found;
}

std::vector<Task> TaskStore::open_tasks() const {
  std::vector<Task> found = all_open_tasks();
  std::erase_if(found, [&](const Task& each) { return each.tree != folders_.name; });
  return found;
}

std::vector<Task> TaskStore::read_open_tasks(std::vector<std::string>& ended_files) const {
  std::vector<Task> found;
  for (const std::string& id : task_ids_in(folders_.records, "tasks")) {
    std::optional<Task> task = read_task(folders_.records, relative_file("tasks", id));
    if (!task || task->id != id || task->outcome) continue;
    if (!has_summary(id))
      found.push_back(*std::move(task));
    else if (read_task(folders_.records, relative_file("summaries", id)))
      ended_files.push_back(file_of("tasks", id));
  }
  sort_latest_first(found);
  return found;
}

std::optional<Task> TaskStore::current_task() const {
  const std::vector<Task> open = open_tasks();
  const Task* const current = current_of(open);
  return current == nullptr ? std::nullopt : std::optional(*current);
}

void TaskStore::update_current() const {
  constexpr int rounds_max = 10;
  // Another process may begin or end a task at the same time. Every process compares again after it wrote, so
  // the one that writes last leaves a copy of the latest task.
  for (int round = 0; round < rounds_max; ++round) {
    std::vector<std::string> unused;
    std::vector<Task> open = read_open_tasks(unused);
    std::erase_if(open, [&](const Task& each) { return each.tree != folders_.name; });
    const Result<std::string> present =
        read_state_file(folders_.root, std::string(session_folder).append(current_file), task_bytes_max);
    if (open.empty()) {
      if (!present && present.error().code == ErrorCode::not_found) return;
      if (::unlink(copies_of(current_file).c_str()) != 0) return;
      continue;
    }
    const std::string text = json_of(open.front());
    if (present && *present == text) return;
    if (!is_state_folder(folders_.root, session_folder.substr(0, session_folder.size() - 1)) ||
        !replace_file(copies_of({}), current_file, text, Durability::process_crash))
      return;
  }
}

std::vector<Task> TaskStore::ended_tasks(std::size_t limit) const {
  update_copies();
  // A summary is written once, so its modification time is about the time when the task ended.
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> files;
  for (const std::string& id : task_ids_in(folders_.records, "summaries")) {
    std::error_code ignored;
    const auto written = std::filesystem::last_write_time(file_of("summaries", id), ignored);
    if (!ignored) files.emplace_back(written, id);
  }
  std::sort(files.begin(), files.end(), std::greater<>());
  std::vector<Task> found;
  for (const auto& [written, id] : files) {
    if (found.size() == limit) break;
    std::optional<Task> task = read_task(folders_.records, relative_file("summaries", id));
    if (task && task->outcome) found.push_back(*std::move(task));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Task& a, const Task& b) { return a.ended_ms > b.ended_ms; });
  return found;
}

std::int64_t TaskStore::count_unreadable_records() const {
  std::int64_t count = 0;
  for (const std::string_view kind : {"tasks", "summaries"})
    for (const std::string& id : task_ids_in(folders_.records, std::string(kind)))
      if (!read_task(folders_.records, relative_file(kind, id))) ++count;
  return count;
}

// Copies of tasks that the store has do not count.
std::int64_t TaskStore::count_unreadable_copies() const {
  std::int64_t count = 0;
  for (const std::string_view kind : {"tasks", "summaries"})
    for (const std::string& id : task_ids_in(folders_.root, std::string(session_folder) + std::string(kind)))
      if (!exists(file_of(kind, id)) && !has_summary(id) && !read_task(folders_.root, copy_path(kind, id)))
        ++count;
  return count;
}

std::int64_t TaskStore::unreadable_count() const {
  return count_unreadable_records() + count_unreadable_copies();
}

std::string TaskStore::unreadable_sentence() const {
  const auto sentence = [](std::int64_t count, std::string_view where) {
    return count == 0
               ? std::string()
               : " " + count_with_noun(count, "file") + " in " + std::string(where) + " cannot be read.";
  };
  return sentence(count_unreadable_copies(), ".snapback/session") +
         sentence(count_unreadable_records(), folders_.records);
}

Result<Task> TaskStore::find(std::string_view id) const {
  update_copies();
  if (is_task_id(id)) {
    // A task that ends moves from "tasks" to "summaries", so reading in this order cannot miss it.
    std::optional<Task> open = read_task(folders_.records, relative_file("tasks", id));
    std::optional<Task> ended = read_task(folders_.records, relative_file("summaries", id));
    if (ended && ended->id == id) return *std::move(ended);
    if (open && open->id == id) return *std::move(open);
  }
  return Error(ErrorCode::not_found, "There is no task " + path_in_sentence(id) + ".");
}

Result<Task> TaskStore::find_open_task(const std::optional<std::string>& id) const {
  const std::vector<Task> all = all_open_tasks();
  std::vector<Task> open = all;
  std::erase_if(open, [&](const Task& each) { return each.tree != folders_.name; });
  const Task* const current = current_of(open);
  if (!id && current != nullptr) return *current;
  if (!id && all.empty())
    return Error(ErrorCode::not_found, "There is no open task." + unreadable_sentence());
  if (!id && open.empty())
    return Error(ErrorCode::not_found,
                 "No task of this work tree is open; in other work trees: " + names_of_tasks(all) + ".",
                 hint_details("To end one of them here, pass its id."));
  if (!id)
    return Error(ErrorCode::not_found,
                 std::to_string(open.size()) +
                     " tasks are open, and this session began none of them: " + names_of_tasks(open) + ".",
                 hint_details("Pass the id of the task that you mean."));
  for (const Task& each : all)
    if (each.id == *id) return each;
  std::string message = "There is no open task " + path_in_sentence(*id) + ".";
  if (!is_task_id(*id))
    message = path_in_sentence(*id) + " is not a task id: task_ and 8 characters of a-z and 2-7.";
  else if (has_summary(*id))
    message = "The task " + *id + " has already ended.";
  if (all.empty()) return Error(ErrorCode::not_found, message + " No task is open." + unreadable_sentence());
  const std::string hint = current != nullptr
                               ? "Omit the id, or pass that of the latest open task: " + current->id + "."
                               : "Pass the id of an open task: " + names_of_tasks(all) + ".";
  return Error(ErrorCode::not_found, message, hint_details(hint));
}

Result<Unit> TaskStore::mark_ended(const Task& task) const {
  const std::string summaries = folders_.records + "/summaries";
  TRY(make_folders(summaries));
  // Deletes temporary files of processes that were killed.
  remove_old_temporaries(summaries);
  if (is_state_folder(folders_.root, std::string(session_folder) + "summaries")) {
    remove_old_temporaries(copies_of("summaries"));
    remove_old_temporaries(copies_of({}));
  }
  // Creating the summary ends the task. If several processes try, only one succeeds.
  bool ended = TRY(make_new_file(summaries, task.id + ".json", json_of(task)));
  if (!ended) return Error(ErrorCode::not_found, "The task " + task.id + " has already ended.");
  // If this fails, or a crash undoes it, the next open_tasks() deletes the task's file.
  ::unlink(file_of("tasks", task.id).c_str());
  // The copies of a task of another work tree are updated there, by update_copies().
  if (task.tree != folders_.name) return Unit{};
  write_copy("summaries", task);
  if (is_state_folder(folders_.root, std::string(session_folder) + "tasks"))
    ::unlink((folders_.root + "/" + copy_path("tasks", task.id)).c_str());
  update_current();
  return Unit{};
}

std::string names_of_tasks(const std::vector<Task>& tasks) {
  std::string names;
  for (std::size_t i = 0; i < std::min(tasks.size(), named_tasks_max); ++i)
    names +=
        (i == 0 ? "" : ", ") + tasks[i].id + " (" + shortened(tasks[i].title, named_title_bytes_max) + ")";
  return tasks.size() > named_tasks_max ? names + ", …" : names;
}

GetSparedSnapshots spared_by_open_tasks(std::string store, RecordFolders own) {
  return [store = std::move(store), own = std::move(own)] {
    TaskStore(own).update_copies();
    std::set<std::string> begun_with;
    std::error_code error;
    for (std::filesystem::directory_iterator at(store + "/records", error), end; !error && at != end;
         at.increment(error)) {
      const std::string records = at->path().string();
      for (const std::string& id : task_ids_in(records, "tasks")) {
        const std::optional<Task> task = read_task(records, relative_file("tasks", id));
        if (task && !task->outcome) begun_with.insert(task->snapshot_id);
      }
    }
    return begun_with;
  };
}

}  // namespace snapgen::core

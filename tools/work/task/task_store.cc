#include "tools/work/task/task_store.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/random.h"
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

constexpr std::size_t named_tasks_max = 3;
constexpr std::size_t named_title_bytes_max = 40;

// The name of this process among those that use the store.
const std::string& own_session() {
  static const std::string name = random_name(16);
  return name;
}

// Returns the current task among the open ones, which are sorted; null if there is none.
const Task* current_of(const std::vector<Task>& open) {
  for (const Task& each : open)
    if (each.session == own_session()) return &each;
  return open.size() == 1 ? &open.front() : nullptr;
}

bool is_task_id(std::string_view text) { return is_random_name(text, task_id_prefix, id_letters); }

// Reads a task file. `path` begins with the workspace `root`.
std::optional<Task> read_task(const std::string& root, std::string_view path) {
  Result<std::string> text = read_state_file(root, path.substr(root.size() + 1), task_bytes_max);
  return text ? parse_task(*text) : std::nullopt;
}

template <class F>
void for_each_entry(const std::string& root, const std::string& folder, F take) {
  if (!is_state_folder(root, std::string_view(folder).substr(root.size() + 1))) return;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    take(*at);
}

// Calls take() for each file of the folder that has the name of a task.
template <class F>
void for_each_file(const std::string& root, const std::string& folder, F take) {
  for_each_entry(root, folder, [&](const std::filesystem::directory_entry& file) {
    if (file.path().extension() == ".json" && is_task_id(file.path().stem().string())) take(file);
  });
}

}  // namespace

std::string TaskStore::folder(std::string_view name) const {
  return (root_ + "/").append(session_folder).append(name);
}

std::string TaskStore::file_of(std::string_view kind, std::string_view id) const {
  return folder(kind).append("/").append(id).append(".json");
}

bool TaskStore::has_summary(std::string_view id) const {
  return ::access(file_of("summaries", id).c_str(), F_OK) == 0;
}

Result<Task> TaskStore::begin_task(Task task) const {
  TRY(make_state_folder(root_, "session/tasks"));
  task.session = own_session();
  do {
    task.id = std::string(task_id_prefix) + random_name(id_letters);
  } while (::access(file_of("tasks", task.id).c_str(), F_OK) == 0 || has_summary(task.id));
  TRY(replace_file(folder("tasks"), task.id + ".json", json_of(task), Durability::machine_crash));
  update_current();
  return task;
}

void TaskStore::undo_interrupted_renames() const {
  for_each_entry(root_, folder("tasks"), [&](const std::filesystem::directory_entry& file) {
    const std::string name = file.path().filename().string();
    if (!name.starts_with(temporary_prefix)) return;
    const std::string id = name.substr(temporary_prefix.size());
    if (is_task_id(id)) ::rename(file.path().c_str(), file_of("tasks", id).c_str());
  });
}

std::vector<Task> TaskStore::open_tasks() const {
  undo_interrupted_renames();
  std::vector<std::string> ended_files;
  std::vector<Task> found = read_open_tasks(ended_files);
  // The process that ended these tasks was killed. Their files may be deleted only when the summaries are
  // durable.
  if (!ended_files.empty() && sync_folder(folder("summaries"))) {
    update_current();
    for (const std::string& each : ended_files) ::unlink(each.c_str());
  }
  return found;
}

std::vector<Task> TaskStore::read_open_tasks(std::vector<std::string>& ended_files) const {
  std::vector<Task> found;
  for_each_file(root_, folder("tasks"), [&](const std::filesystem::directory_entry& file) {
    const std::string id = file.path().stem().string();
    std::optional<Task> task = read_task(root_, file.path().string());
    if (!task || task->id != id || task->outcome) return;
    if (!has_summary(id)) return found.push_back(*std::move(task));
    if (read_task(root_, file_of("summaries", id))) ended_files.push_back(file.path().string());
  });
  std::sort(found.begin(), found.end(), [](const Task& a, const Task& b) {
    return a.started_ms != b.started_ms ? a.started_ms > b.started_ms : a.id < b.id;
  });
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
    const std::vector<Task> open = read_open_tasks(unused);
    const Result<std::string> present =
        read_state_file(root_, std::string(session_folder).append(current_file), task_bytes_max);
    if (open.empty()) {
      if (!present && present.error().code == ErrorCode::not_found) return;
      ::unlink(folder(current_file).c_str());
      continue;
    }
    const std::string text = json_of(open.front());
    if (present && *present == text) return;
    if (!replace_file(folder({}), current_file, text, Durability::process_crash)) return;
  }
}

std::vector<Task> TaskStore::ended_tasks(std::size_t limit) const {
  // A summary is written once, so its modification time is the time when the task ended.
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> files;
  for_each_file(root_, folder("summaries"), [&](const std::filesystem::directory_entry& file) {
    std::error_code gone;
    const auto written = file.last_write_time(gone);
    if (!gone) files.emplace_back(written, file.path().string());
  });
  std::sort(files.begin(), files.end(), std::greater<>());
  std::vector<Task> found;
  for (const auto& [written, path] : files) {
    if (found.size() == limit) break;
    std::optional<Task> task = read_task(root_, path);
    if (task && task->outcome) found.push_back(*std::move(task));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Task& a, const Task& b) { return a.ended_ms > b.ended_ms; });
  return found;
}

std::int64_t TaskStore::unreadable_count() const {
  std::int64_t count = 0;
  for (const std::string_view kind : {"tasks", "summaries"})
    for_each_file(root_, folder(kind), [&](const std::filesystem::directory_entry& file) {
      if (!read_task(root_, file.path().string())) ++count;
    });
  return count;
}

std::string TaskStore::unreadable_sentence() const {
  const std::int64_t count = unreadable_count();
  return count == 0 ? std::string()
                    : " " + count_with_noun(count, "file") + " in .snapback/session cannot be read.";
}

Result<Task> TaskStore::find(std::string_view id) const {
  if (is_task_id(id)) {
    // A task that ends moves from "tasks" to "summaries", so reading in this order cannot miss it.
    std::optional<Task> open = read_task(root_, file_of("tasks", id));
    std::optional<Task> ended = read_task(root_, file_of("summaries", id));
    if (ended && ended->id == id) return *std::move(ended);
    if (open && open->id == id) return *std::move(open);
  }
  return Error(ErrorCode::not_found, "There is no task " + path_in_sentence(id) + ".");
}

Result<Task> TaskStore::find_open_task(const std::optional<std::string>& id) const {
  const std::vector<Task> open = open_tasks();
  const Task* const current = current_of(open);
  if (!id && current != nullptr) return *current;
  if (!id && open.empty())
    return Error(ErrorCode::not_found, "There is no open task." + unreadable_sentence());
  if (!id)
    return Error(ErrorCode::not_found,
                 std::to_string(open.size()) +
                     " tasks are open, and this session began none of them: " + names_of_tasks(open) + ".",
                 R"({"hint":"Pass the id of the task that you mean."})");
  for (const Task& each : open)
    if (each.id == *id) return each;
  std::string message = "There is no open task " + path_in_sentence(*id) + ".";
  if (!is_task_id(*id))
    message = path_in_sentence(*id) + " is not a task id: task_ and 8 characters of a-z and 2-7.";
  else if (has_summary(*id))
    message = "The task " + *id + " has already ended.";
  if (open.empty()) return Error(ErrorCode::not_found, message + " No task is open." + unreadable_sentence());
  const std::string hint = current != nullptr
                               ? "Omit the id, or pass that of the latest open task: " + current->id + "."
                               : "Pass the id of an open task: " + names_of_tasks(open) + ".";
  return Error(ErrorCode::not_found, message, "{\"hint\":" + json::quoted(hint) + "}");
}

Result<Unit> TaskStore::mark_ended(const Task& task) const {
  TRY(make_state_folder(root_, "session/summaries"));
  // Deletes temporary files of processes that were killed.
  remove_old_temporaries(folder("summaries"));
  remove_old_temporaries(folder({}));
  // Creating the summary ends the task. If several processes try, only one succeeds.
  bool ended = TRY(make_new_file(folder("summaries"), task.id + ".json", json_of(task)));
  if (!ended) return Error(ErrorCode::not_found, "The task " + task.id + " has already ended.");
  update_current();
  // If this fails, or a crash undoes it, the next open_tasks() deletes the task's file.
  ::unlink(file_of("tasks", task.id).c_str());
  return Unit{};
}

std::string names_of_tasks(const std::vector<Task>& tasks) {
  std::string names;
  for (std::size_t i = 0; i < std::min(tasks.size(), named_tasks_max); ++i)
    names +=
        (i == 0 ? "" : ", ") + tasks[i].id + " (" + shortened(tasks[i].title, named_title_bytes_max) + ")";
  return tasks.size() > named_tasks_max ? names + ", …" : names;
}

GetSparedSnapshots spared_by_open_tasks(std::string root) {
  return [tasks = TaskStore(std::move(root))] {
    std::set<std::string> begun_with;
    for (const Task& task : tasks.open_tasks()) begun_with.insert(task.snapshot_id);
    return begun_with;
  };
}

}  // namespace snapgen::core

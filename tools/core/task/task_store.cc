#include "tools/core/task/task_store.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <utility>

#include <unistd.h>

#include "tools/core/memory/json_lines.h"
#include "tools/core/path/beneath.h"
#include "tools/core/path/path.h"
#include "tools/core/random.h"
#include "tools/core/store/durable.h"

namespace snapgen::core {
namespace {

constexpr std::string_view id_prefix = "task_";
constexpr std::size_t id_letters = 8;
constexpr std::uint64_t task_bytes_max = 32 << 20;  // Of one with as many files and words as a call may name.

bool is_task_id(std::string_view text) {
  if (!text.starts_with(id_prefix) || text.size() != id_prefix.size() + id_letters) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(id_prefix.size()), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'); });
}

// `path`: below the workspace `root`.
std::optional<Task> read_task(const std::string& root, std::string_view path) {
  Result<std::string> text = read_state_file(root, path.substr(root.size() + 1), task_bytes_max);
  return text ? task_of(*text) : std::nullopt;
}

// Those that are named like tasks.
template <class F>
void for_each_file(const std::string& root, const std::string& folder, F take) {
  if (!is_state_folder(root, std::string_view(folder).substr(root.size() + 1))) return;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".json" && is_task_id(at->path().stem().string())) take(*at);
}

}  // namespace

std::string TaskStore::folder(std::string_view name) const {
  return root_ + "/.snapback/session/" + std::string(name);
}

Result<Task> TaskStore::begin(Task task) const {
  Result<std::string> made = make_state_folder(root_, "session/tasks");
  if (!made) return std::move(made).error();
  do {
    task.id = std::string(id_prefix) + random_name(id_letters);
  } while (::access((folder("tasks/") + task.id + ".json").c_str(), F_OK) == 0 ||
           ::access((folder("summaries/") + task.id + ".json").c_str(), F_OK) == 0);
  Result<Unit> kept = replace_file(folder("tasks"), task.id + ".json", json_of(task), Durability::machine);
  if (!kept) return std::move(kept).error();
  return task;
}

std::vector<Task> TaskStore::open_tasks() const {
  std::vector<Task> found;
  for_each_file(root_, folder("tasks"), [&](const std::filesystem::directory_entry& file) {
    std::optional<Task> task = read_task(root_, file.path().string());
    if (task && task->id == file.path().stem().string() && !task->outcome) found.push_back(*std::move(task));
  });
  std::sort(found.begin(), found.end(), [](const Task& a, const Task& b) {
    return a.started_ms != b.started_ms ? a.started_ms > b.started_ms : a.id < b.id;
  });
  return found;
}

std::vector<Task> TaskStore::ended_tasks(std::size_t limit) const {
  // A summary is written once: when its file was, the task ended.
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

std::int64_t TaskStore::unreadable() const {
  std::int64_t count = 0;
  for (const std::string_view kind : {"tasks", "summaries"})
    for_each_file(root_, folder(kind), [&](const std::filesystem::directory_entry& file) {
      if (!read_task(root_, file.path().string())) ++count;
    });
  return count;
}

Result<Task> TaskStore::find(std::string_view id) const {
  for (const std::string_view kind : {"tasks/", "summaries/"}) {
    std::optional<Task> task;
    if (is_task_id(id)) task = read_task(root_, folder(kind).append(id).append(".json"));
    if (task && task->id == id) return *std::move(task);
  }
  return Error(ErrorCode::not_found, "There is no task " + path_in_sentence(id) + ".");
}

Result<Task> TaskStore::open_task(const std::optional<std::string>& id) const {
  if (!id) {
    std::vector<Task> all = open_tasks();
    if (!all.empty()) return std::move(all.front());
    return Error(ErrorCode::not_found, "There is no open task; begin one with snap, mode start.");
  }
  if (!is_task_id(*id))
    return Error(ErrorCode::not_found,
                 "That is no id of a task: one is task_ and 8 of a-z and 2-7, as snap gave it.");
  std::optional<Task> task = read_task(root_, folder("tasks/") + *id + ".json");
  if (task && task->id == *id && !task->outcome) return *std::move(task);
  const bool ended = ::access((folder("summaries/") + *id + ".json").c_str(), F_OK) == 0;
  return Error(ErrorCode::not_found,
               ended ? "The task " + *id + " has ended already."
                     : "There is no open task " + *id + "; leave out taskId for the newest.");
}

Result<Unit> TaskStore::end(const Task& task) const {
  Result<std::string> made = make_state_folder(root_, "session/summaries");
  if (!made) return std::move(made).error();
  const std::string open_file = folder("tasks/") + task.id + ".json";
  // Whoever can move the file away has ended the task.
  const std::string taken = folder("tasks/") + ".tmp-" + task.id;
  if (::rename(open_file.c_str(), taken.c_str()) != 0)
    return errno == ENOENT ? Error(ErrorCode::not_found, "The task " + task.id + " has ended already.")
                           : Error(ErrorCode::unavailable,
                                   "The task's file in .snapback/session cannot be moved.", {}, open_file);
  Result<Unit> kept =
      replace_file(folder("summaries"), task.id + ".json", json_of(task), Durability::machine);
  if (!kept) {
    if (::rename(taken.c_str(), open_file.c_str()) != 0)
      return Error(ErrorCode::unavailable, "The task's file in .snapback/session cannot be moved.", {},
                   open_file);
    return kept;
  }
  ::unlink(taken.c_str());
  return Unit{};
}

}  // namespace snapgen::core

#pragma once
// Tasks are calls that continue after they were answered (the extension io.modelcontextprotocol/tasks of
// 2026-07-28). The answer contains a task id. The client polls the task (tasks/get), answers its questions
// (tasks/update) or cancels it (tasks/cancel), on any connection.
//
// The tool's schema file states whether a call may be a task (x-snapgen.task), and the request states whether
// the client supports tasks. A call becomes a task when its handler waits for anything but the client. Where
// tasks are optional, it must also have waited for Limits::task_grace. So short calls are answered normally,
// and questions that a handler asks before it begins its work are asked on the call itself.
//
// The task id, 128 random bits that only the caller gets, is the only credential. A task lives for its ttl
// from its creation, whatever happens to connections. Then it is stopped if it still runs, and deleted. All
// tasks end with the server's last connection; serving HTTP counts as one connection.
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/limits.h"
#include "runtime/mcp/pending_request.h"
#include "runtime/mcp/tool.h"

namespace snapgen::mcp {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";
// The ClientCapabilities of a client that supports tasks, as JSON.
inline constexpr std::string_view tasks_capability = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";

// The error sentence for an id that names no task.
std::string unknown_task_sentence(std::string_view id);

class Tasks final : public RequestOwner {
 public:
  // Called when the status of a task changes, with its id and the members of a DetailedTask.
  using Changed = std::function<void(std::string_view id, std::string_view members)>;

  Tasks(Loop& loop, const Limits& limits, const ToolSet& tools, Changed changed);
  Tasks(Tasks&&) = delete;
  ~Tasks();

  // Whether the limit of tasks or of their bytes is reached.
  bool is_full() const;

  // Runs a call that may become a task and outlive its connection. Calls its owner's finish() at the end.
  void run(PendingRequest& pending, Task<Unit> task);

  // Turns a suspended call into a task, and returns the members of a CreateTaskResult. Errors: internal (no
  // random numbers available); `pending` is then unchanged.
  Result<std::string> adopt(std::unique_ptr<PendingRequest>& pending);

  // Returns the members of a DetailedTask, or nullopt if there is no such task.
  std::optional<std::string> describe(std::string_view id) const;
  // Cancels a task. Returns false if there is no such task.
  bool cancel(std::string_view id);
  // Records a client's answers for a task. Errors: not_found; invalid_argument (see record_responses()).
  Result<Unit> update(std::string_view id, std::string_view responses);

  // Stops all tasks, waits for them, and deletes them.
  Task<Unit> end_all();

 private:
  enum class Status : std::uint8_t { working, input_required, completed, failed, cancelled };
  static bool is_over(Status status) { return status > Status::input_required; }
  using Time = std::chrono::system_clock::time_point;

  struct Record;
  class Expiry final : public Alarm {
   public:
    Expiry(Tasks& tasks, Record& record) : tasks_(tasks), record_(record) {}
    void ring() override;

   private:
    Tasks& tasks_;
    Record& record_;
  };
  struct Record {
    explicit Record(Tasks& tasks) : expiry(tasks, *this) {}
    std::string id;
    Status status = Status::working;
    Time created;
    Time updated;
    std::string message;                      // The handler's last progress message.
    std::string outcome;                      // JSON: the result if completed, the error if failed.
    std::unique_ptr<PendingRequest> pending;  // Null once the handler has ended.
    PendingQuestions* asking = nullptr;       // Null while no question is open.
    std::size_t ask_count = 0;                // How often the handler has called ask().
    bool expired = false;
    Expiry expiry;
  };

  Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) override;
  void finish(PendingRequest& pending, const Result<Unit>& outcome) override;
  void on_progress(PendingRequest& pending, std::string_view message) override;

  Task<Unit> await_handler(PendingRequest& pending, Task<Unit> task);
  Task<Unit> handle_events();
  void set_deadline(PendingRequest& pending, Millis deadline);
  void end_late_tasks();
  void forget_expired();
  Record* find(std::string_view id) const;
  Record& record_of(const PendingRequest& pending) const { return *by_request_.at(&pending); }
  // Requests a task's handler to stop. The handler's result is then ignored.
  void stop(Record& record);
  void finish(Record& record, Status status, std::string outcome);
  void mark_updated(Record& record);
  std::string members_of(const Record& record, bool detailed) const;

  Loop& loop_;
  const Limits& limits_;
  const ToolSet& tools_;
  Changed on_change_;
  TaskScope scope_;
  Event work_;  // Wakes handle_events().
  std::unordered_map<std::string, std::unique_ptr<Record>> by_id_;
  std::unordered_map<const PendingRequest*, Record*> by_request_;
  std::vector<PendingRequest*> late_requests_;
  std::vector<Record*> expired_records_;
  std::size_t outcome_bytes_ = 0;  // Total size of all outcomes.
};

}  // namespace snapgen::mcp

#pragma once
// Tasks: calls that go on after they were answered (the extension io.modelcontextprotocol/tasks of
// 2026-07-28). The answer names a task; the client asks after it (tasks/get), answers what it asks
// (tasks/update), or gives it up (tasks/cancel), on any connection.
//
// The tool's schema file says whether a call may be a task (x-snapgen.task), and the request whether its
// client can ask after tasks. A call becomes one when its handler waits for something else than its client,
// and, where tasks are optional, has done so for a while (Limits::task_grace): what is answered soon is
// answered as ever, and what a handler asks before it begins its work is asked on the call itself.
//
// Whom a task belongs to is who knows its id: 128 random bits, told to the one who called. A task lives for
// its ttl, from its creation on, whatever becomes of connections; then it is stopped, if it still works, and
// forgotten. All end with the last connection of the server, of which one that serves HTTP is one.
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
// ClientCapabilities, as JSON, of a client that can ask after tasks.
inline constexpr std::string_view tasks_capability = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";

class Tasks final : public RequestOwner {
 public:
  // Hears of a task whose status changed: its id, and the members of a DetailedTask.
  using Changed = std::function<void(std::string_view id, std::string_view members)>;

  Tasks(Loop& loop, const Limits& limits, const ToolSet& tools, Changed changed);
  Tasks(Tasks&&) = delete;
  ~Tasks();

  // Whether no more can be kept.
  bool full() const;

  // Runs a call that may become a task: it outlives its connection then. Its owner hears of its end.
  void run(PendingRequest& pending, Task<Unit> task);

  // The call, whose handler waits, is a task from now on: the members of a CreateTaskResult. Errors: internal
  // (the system gives no random numbers), and `pending` stays where it is.
  Result<std::string> adopt(std::unique_ptr<PendingRequest>& pending);

  // The members of a DetailedTask; nothing: there is no such task.
  std::optional<std::string> describe(std::string_view id) const;
  // False: there is no such task.
  bool cancel(std::string_view id);
  // Hands answers over, as take_responses(). Errors: not_found; invalid_argument.
  Result<Unit> update(std::string_view id, std::string_view responses);

  // Stops every task, waits for it, and forgets all.
  Task<Unit> end();

 private:
  enum class Status : std::uint8_t { working, input_required, completed, failed, cancelled };
  static bool is_over(Status status) { return status > Status::input_required; }
  using Time = std::chrono::system_clock::time_point;

  struct Record;
  // Rings when a task has lived its ttl.
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
    std::string message;                      // For people; what the handler last reported.
    std::string outcome;                      // JSON: a result if completed, an error if failed.
    std::unique_ptr<PendingRequest> pending;  // While the handler works.
    PendingQuestions* asking = nullptr;       // While it asks.
    std::size_t rounds = 0;                   // How often it asked.
    bool expired = false;
    Expiry expiry;
  };

  Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) override;
  void finish(PendingRequest& pending, const Result<Unit>& outcome) override;
  void progressed(PendingRequest& pending, std::string_view message) override;

  Task<Unit> follow(PendingRequest& pending, Task<Unit> task);
  Task<Unit> attend();
  void arm(PendingRequest& pending, Millis deadline);
  void give_up_late();
  void forget_expired();
  Record* find(std::string_view id) const;
  Record& of(const PendingRequest& pending) const { return *by_request_.at(&pending); }
  // Its handler goes on to its end, which changes nothing any more.
  void stop(Record& record);
  void finish(Record& record, Status status, std::string outcome);
  void touch(Record& record);
  std::string members_of(const Record& record, bool detailed) const;

  Loop& loop_;
  const Limits& limits_;
  const ToolSet& tools_;
  Changed changed_;
  Scope scope_;
  Event work_;  // For the attendant.
  std::unordered_map<std::string, std::unique_ptr<Record>> by_id_;
  std::unordered_map<const PendingRequest*, Record*> by_request_;
  std::vector<PendingRequest*> late_;
  std::vector<Record*> expired_;
  std::size_t kept_bytes_ = 0;  // Of outcomes.
};

}  // namespace snapgen::mcp

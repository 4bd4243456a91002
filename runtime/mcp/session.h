#pragma once
// Session serves one connection: it reads messages, determines the era of each request, answers it or starts
// a handler, and shuts down in order.
//
// Where the specifications leave a choice, the session decides:
//   - A request without modern metadata is a legacy one. It has the revision that initialize negotiated, or
//     2025-11-25, because some hosts skip the handshake. If only modern clients have its method, the error
//     names the missing metadata.
//   - initialize is answered whatever its params are, repeatedly, and after modern requests too.
//   - server/discover and error -32022 list modern revisions only, because a request can name only these.
//   - An error that belongs to no request has the id null, as JSON-RPC requires.
//   - Ids are compared by value, and echoed as they were written.
//   - When the server ends a subscription, it sends the answer first and then notifications/cancelled.
//   - Requests that are unanswered when the peer disconnects or the server stops are never answered.
//
// serve() owns the session. The session owns its pending requests and joins their tasks before it ends. A
// handler that does not suspend finishes within receive(); one that suspends is awaited by a task in scope_.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/loop.h"
#include "runtime/mcp/backlog.h"
#include "runtime/mcp/client_requests.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/outbox.h"
#include "runtime/mcp/pending_request.h"
#include "runtime/mcp/router.h"
#include "runtime/mcp/server.h"
#include "runtime/mcp/subscriptions.h"
#include "runtime/mcp/suspended_calls.h"

namespace snapgen::mcp {

class Session final : private RequestOwner {
 public:
  Session(Loop& loop, Channel& channel, Server& server, std::stop_token stop,
          ClientCount clients = ClientCount::one);
  ~Session();

  Task<Unit> run();
  // Serves one connection. After the last connection it also ends the server's tasks.
  static Task<Unit> serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop,
                          ClientCount clients);

  void announce_list_changed(ListKind change);
  Subscriptions& subscriptions() { return subscriptions_; }

 private:
  struct Request {
    Revision revision;
    std::shared_ptr<Batch> batch;
    ReplyTo reply_to;
  };

  void receive(const Frame& frame);
  void drop_request(RequestStream request_stream);
  void receive_batch();
  void receive_message(const std::shared_ptr<Batch>& batch);
  void handle_notification();
  // Returns the revision of the request in message_, or nullopt if the request was rejected.
  std::optional<Revision> choose_revision(const ReplyTo& reply_to);
  void answer(const Request& request);

  // Whether the request repeats a suspended call with answers to the server's questions.
  bool is_repetition(const Request& request) const;
  // Resumes a suspended call if the request has all answers. Otherwise asks the client for the others.
  void resume(const Request& request);

  void initialize(const Request& request);
  void set_level(const Request& request);
  void listen(const Request& request);
  void subscribe(const Request& request, bool on);
  void begin_subscribing(const Request& request);
  void list_tools(const Request& request);
  void call_tool(const Request& request);
  void list_resources(const Request& request);
  void list_resource_templates(const Request& request);
  void read_resource(const Request& request);
  void list_skills(const Request& request);
  void get_skill(const Request& request);
  void read_directory(const Request& request);
  void list_prompts(const Request& request);
  void get_prompt(const Request& request);
  void complete(const Request& request);

  Task<Unit> read_resource_task(PendingRequest& pending, std::string uri);
  Task<Unit> get_prompt_task(PendingRequest& pending, GetPromptParams params);
  Task<Unit> answer_completion(PendingRequest& pending, CompleteParams params);

  // Reads the request's params. Returns false if they are invalid, after it has sent the error.
  template <class T>
  bool read_params(const Request& request, T& out);
  template <class T>
  void answer_list(const Request& request, std::string_view member, const std::vector<T>& values);
  // Sends the page that begins at the cursor.
  template <class T>
  void send_page(const Request& request, std::string_view member, const std::vector<T>& values,
                 std::string_view cursor);
  void answer_undeclared_list(const Request& request, std::string_view member);
  void send_unknown_method(const Request& request);
  void send_result(const Request& request, std::string_view members);
  void send_cacheable_result(const Request& request, std::string_view members);
  void send_empty_result(const Request& request);
  void send_invalid_params(const Request& request, std::string_view sentence);
  void send_violation(const Request& request, const json::Violation& violation);
  std::optional<LogLevel> log_threshold(Revision revision) const;
  ClientAbilities abilities(Revision revision) const;
  std::string_view client_name(Revision revision) const;

  PendingRequest& begin_request(const Request& request, const Tool& tool);
  // Runs the task until it ends or suspends. The answer is sent when the task ends.
  void start_handler(PendingRequest& pending, Task<Unit> task);
  Task<Unit> await_handler(PendingRequest& pending, Task<Unit> task);
  void finish(PendingRequest& pending, const Result<Unit>& outcome) override;

  // Returns whether the call may become a task, or nullopt if the call was rejected.
  std::optional<bool> decide_task(const Request& request, const Tool& tool);
  void answer_task_request(const Request& request, Method method);
  // Makes the call a task after the grace period if its handler still waits, and not for its client.
  void make_task_later(PendingRequest& pending);
  Task<Unit> make_task_after(PendingRequest& pending, Millis grace);
  void make_task(PendingRequest& pending);

  Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) override;
  std::unique_ptr<ClientState>* client_state() override {
    return clients_ == ClientCount::one ? &client_state_ : nullptr;
  }
  Result<Unit> suspend(PendingRequest& pending, PendingQuestions& asking);
  void fail_unanswered_call(PendingRequest& pending);
  void set_deadline(PendingRequest& pending);
  void ensure_heartbeats(const PendingRequest& pending);
  // Sends heartbeats while a client waits for progress.
  Task<Unit> run_heartbeats();

  // Whether the limit of requests in progress is reached.
  bool is_full() const;
  // Whether the request in message_ may suspend.
  bool may_suspend(const Request& request) const;
  // Queues a request in the backlog, to be answered in its turn.
  void enqueue(const Request& request);
  void answer_queued(const Backlog::Entry& held);
  // Answers the requests in the backlog; ends when it is empty.
  Task<Unit> answer_backlog();
  // Waits until the client has read enough output to continue. Returns false if the connection has ended.
  Task<bool> drain();
  void update_channel_busy();
  // Handles events outside of reading: flushes output and ends calls that are past their deadlines.
  Task<Unit> handle_events();
  void end_late_calls();
  Task<Unit> shutdown();
  Task<Unit> give_up(Millis after, std::stop_source& over, std::stop_token stop);

  Loop& loop_;
  const ClientCount clients_;
  RequestStream request_stream_ = 0;  // The stream of the message in message_.
  Channel& channel_;
  Server& server_;
  const Limits& limits_;
  TaskScope scope_;
  Event work_;            // Wakes handle_events().
  Event capacity_freed_;  // Set when a request has ended or is suspended.
  Outbox outbox_;
  PendingRequests pending_requests_;
  Subscriptions subscriptions_;
  ClientRequests client_requests_;
  SuspendedCalls suspended_calls_;
  Backlog backlog_;
  Message message_;
  std::optional<Revision> legacy_revision_;  // The revision that initialize negotiated.
  ClientAbilities legacy_client_abilities_;
  std::string legacy_client_name_;
  std::unique_ptr<ClientState> client_state_;  // It is null until a handler sets it.
  std::optional<LogLevel> log_level_;
  std::vector<PendingRequest*> late_requests_;
  bool is_sending_heartbeats_ = false;
  bool is_answering_backlog_ = false;
  // Pending requests whose handlers wait in the server's tasks and not in scope_.
  std::size_t background_call_count_ = 0;
};

}  // namespace snapgen::mcp

#pragma once
// Session: one connection. Reads messages, decides each request's era, answers it or lets a handler do so,
// and ends in order.
//
// Where the specifications leave it open:
//   - A request without modern metadata is a legacy one: of the revision that initialize settled, or, since
//   some hosts
//     skip the handshake, of 2025-11-25. One for a method that only modern clients know is told what it
//     lacks.
//   - initialize is answered whatever is in it, again and again, and after modern requests too.
//   - server/discover and error -32022 name modern revisions alone: those that a request may name.
//   - An error that belongs to no request has the id null, as JSON-RPC wants it.
//   - Ids are compared by what they say, and echoed as they were written.
//   - A subscription that the server ends gets its answer first, then the notifications/cancelled.
//   - Requests that are not answered when the peer is gone, or the server stops, are never answered.
//
// Who owns what: serve() owns the session, the session owns the pending requests in progress and joins their
// tasks before it ends. A handler that finishes in place is answered within receive(); one that waits is
// followed by a task of its own.
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
  Session(Loop& loop, Channel& channel, Server& server, std::stop_token stop, Clients clients = Clients::one);
  ~Session();

  Task<Unit> run();
  // One connection, from its beginning to its end, and after the last one's the server's tasks.
  static Task<Unit> serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop,
                          Clients clients);

  void list_changed(Change change);
  void resource_changed(std::string_view uri);
  void task_changed(std::string_view id, std::string_view members);
  const Subscriptions& subscriptions() const { return subscriptions_; }

 private:
  // A request that is about to be answered.
  struct Request {
    Revision revision;
    std::shared_ptr<Batch> batch;
    ReplyTo reply_to;
  };

  void receive(const Frame& frame);
  void lost(RequestStream request_stream);
  void receive_batch();
  void receive_message(const std::shared_ptr<Batch>& batch);
  void notified();
  // The revision that the request in message_ is written in; nothing if it was refused.
  std::optional<Revision> choose_revision(const ReplyTo& reply_to);
  void answer(const Request& request);

  // Whether it repeats a call with what it was asked for.
  bool resumes(const Request& request) const;
  // A call that was suspended goes on, if the request has all the answers, or is asked for the others.
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
  void list_prompts(const Request& request);
  void get_prompt(const Request& request);
  void complete(const Request& request);

  Task<Unit> read_resource_task(PendingRequest& pending, std::string uri);
  Task<Unit> get_prompt_task(PendingRequest& pending, GetPromptParams asked);
  Task<Unit> complete_task(PendingRequest& pending, CompleteParams asked);

  // Reads the request's params; false if they were refused.
  template <class T>
  bool read_params(const Request& request, T& out);
  template <class T>
  void answer_list(const Request& request, std::string_view member, const std::vector<T>& values);
  void undeclared_list(const Request& request, std::string_view member);
  void unknown_method(const Request& request);
  void result(const Request& request, std::string_view members);
  void cacheable_result(const Request& request, std::string_view members);
  void empty_result(const Request& request);
  void invalid_params(const Request& request, std::string_view sentence);
  void violated(const Request& request, const json::Violation& violation);
  std::optional<LogLevel> log_threshold(Revision revision) const;
  ClientAbilities abilities(Revision revision) const;
  std::string_view client_name(Revision revision) const;

  PendingRequest& open(const Request& request, const Tool& tool);
  // Runs the task to its end or its first wait, and answers, now or then.
  void start(PendingRequest& pending, Task<Unit> task);
  Task<Unit> follow(PendingRequest& pending, Task<Unit> task);
  void finish(PendingRequest& pending, const Result<Unit>& outcome) override;

  // Whether the call may go on as a task; nothing: it was refused.
  std::optional<bool> decide_task(const Request& request, const Tool& tool);
  void about_task(const Request& request, Method method);
  // The handler waits, and may go on as a task: it does if it still waits in a while, and not for its client.
  void decide_later(PendingRequest& pending);
  Task<Unit> decide_after(PendingRequest& pending, Millis grace);
  void make_task(PendingRequest& pending);

  Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) override;
  std::unique_ptr<ClientState>* client_state() override {
    return clients_ == Clients::one ? &client_state_ : nullptr;
  }
  Result<Unit> suspend(PendingRequest& pending, PendingQuestions& asking);
  void give_up_answer(PendingRequest& pending);
  void arm(PendingRequest& pending);
  void expect_progress(const PendingRequest& pending);
  // While somebody waits for progress.
  Task<Unit> keep_beating();

  // As many requests are being worked on as may be.
  bool full() const;
  // Whether the request in message_ may take more than this moment.
  bool may_wait(const Request& request) const;
  // It waits, and is answered when its turn comes.
  void hold(const Request& request);
  void take_up(const Backlog::Entry& held);
  // While requests wait.
  Task<Unit> work_off();
  // Until the client has taken half of what it may leave unsent. False: it won't.
  Task<bool> drain();
  void tell_busy();
  // Does what came up while nothing was read: sends, and ends calls that are past their deadlines.
  Task<Unit> attend();
  void end_late_calls();
  Task<Unit> shutdown();
  Task<Unit> give_up(Millis after, std::stop_source& over, std::stop_token stop);

  Loop& loop_;
  const Clients clients_;
  RequestStream request_stream_ = 0;  // Of the message that is being read.
  Channel& channel_;
  Server& server_;
  const Limits& limits_;
  Scope scope_;
  Event work_;  // For the attendant.
  Event room_;  // A request is not worked on any more.
  Outbox outbox_;
  PendingRequests pending_requests_;
  Subscriptions subscriptions_;
  ClientRequests client_requests_;
  SuspendedCalls suspended_calls_;
  Backlog backlog_;
  Message message_;
  std::optional<Revision> legacy_;  // Set by initialize.
  ClientAbilities legacy_client_;
  std::string legacy_client_name_;
  std::unique_ptr<ClientState> client_state_;  // Null until a handler sets it.
  std::optional<LogLevel> log_level_;
  std::vector<PendingRequest*> late_;
  bool beating_ = false;
  bool working_off_ = false;
  std::size_t background_calls_ =
      0;  // PendingRequests whose handlers wait in the server's tasks and not in scope_.
};

}  // namespace snapgen::mcp

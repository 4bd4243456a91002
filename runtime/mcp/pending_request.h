#pragma once
// PendingRequest: one request that a handler works on. What the handler sees (a Call), where the answer goes,
// and how the work is stopped. PendingRequests: those of one session, reused one after the other.
//
// A request that is answered in place costs no allocation here: its id is a part of the message, and its stop
// token is made when somebody asks for it. Only a handler that waits makes the pending request keep what it
// needs.
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/mcp/call.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/outbox.h"

namespace snapgen::mcp {

class PendingRequest;

// Who keeps a pending request: carries its handler's questions to the client, and takes its end.
class RequestOwner {
 public:
  virtual Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) = 0;
  // Where the state of the pending request's client is; null: nowhere.
  virtual std::unique_ptr<ClientState>* client_state() { return nullptr; }
  // The handler has ended. The pending request is gone afterwards.
  virtual void finish(PendingRequest& pending, const Result<Unit>& outcome) = 0;
  // Of a task: its handler reported progress.
  virtual void progressed(PendingRequest&, std::string_view) {}

 protected:
  ~RequestOwner() = default;
};

// A request that ended with an error of JSON-RPC's. `data` is JSON, or empty.
struct Failure {
  RpcCode code = RpcCode::internal_error;
  std::string sentence;
  std::string data;
  std::string json() const;
};

// What a client is told of a call that took too long, or that waited in vain for what it asked.
std::string late_sentence(const Tool& tool);
inline constexpr std::string_view unanswered_sentence =
    "The client did not answer what it was asked, and the call was given up.";

// Rings when a handler has taken longer than its tool's deadline.
class Deadline final : public Alarm {
 public:
  explicit Deadline(PendingRequest& pending) : pending_(pending) {}
  void ring() override;

 private:
  PendingRequest& pending_;
};

class PendingRequest {
 public:
  PendingRequest(Loop& loop, Outbox& outbox, RequestOwner& owner)
      : loop_(loop), outbox_(outbox), owner_(&owner), deadline_(*this) {}
  PendingRequest(PendingRequest&&) = delete;

  // Before a handler starts. `threshold`: the lowest level of log messages to send, if any.
  void begin(const Tool& tool, Revision revision, const Message& message, std::shared_ptr<Batch> batch,
             RequestStream request_stream, std::optional<LogLevel> threshold, ClientAbilities client);
  // Before a handler starts, after begin(). A name that is longer than any program's is cut.
  void set_client_name(std::string_view name) { client_name_ = name.substr(0, client_name_bytes_max); }
  // The handler waits: what was a part of the message is copied.
  void keep();
  bool active() const { return call_.has_value(); }
  bool waits() const { return waits_; }
  // It was answered with questions; the client will repeat it, as `message`, with their answers.
  void suspend() { suspended_ = responded_ = true; }
  bool suspended() const { return suspended_; }
  void go_on(const Message& message, RequestStream request_stream, std::optional<LogLevel> threshold,
             ClientAbilities client);
  // The handler waits for its client.
  bool asks = false;
  // The question that the handler waits for, if it continues without an answer when the alarm rings; else
  // null.
  PendingQuestions* optional_asking = nullptr;
  // The call becomes a task if its handler waits for anything else.
  bool may_be_task = false;
  // Which of the requests this is that it worked on, one after the other.
  std::size_t turn() const { return turn_; }
  RequestOwner& owner() { return *owner_; }
  // It was answered with a task: nothing is said on its connection any more.
  void become_task(RequestOwner& owner);
  // Afterwards.
  void end(std::size_t answer_kept_bytes);

  Call& call() { return *call_; }
  ReplyTo reply_to() const { return {.id = id_, .batch = batch_.get(), .request_stream = request_stream_}; }
  RequestStream request_stream() const { return request_stream_; }
  std::string_view id() const { return id_; }
  // Of the request. The params of one that waits are kept only for a stateless client that can be asked.
  std::string_view method() const { return method_; }
  std::string_view params() const { return params_; }

  // The handler's result goes here: a result's members.
  std::string answer;
  // What the handler asked for, and the client did not declare: ClientCapabilities as JSON. Empty: nothing.
  std::string_view lacking;
  // The code that `not_found` has for this request.
  RpcCode not_found = RpcCode::invalid_params;

  // Why the request ended with an error; nothing: it has a result.
  std::optional<Failure> failure(const Result<Unit>& outcome) const;

  // Whether its client, which waits, wants to hear of progress.
  bool tells_progress() const { return waits_ && !responded_ && !progress_token_.empty(); }
  // Says that it is in progress, if nothing was said since the last beat.
  void beat();

  // Nothing more is sent for the request: it was answered, or needs no answer any more.
  bool has_responded() const { return responded_; }
  void mark_responded() { responded_ = true; }
  void mark_unanswered();

  std::stop_token stop_token();
  bool stop_requested() const { return stop_.stop_requested(); }
  // Errors: unsupported (the client did not declare what these need; `lacking` has it); internal (it asks
  // already).
  Result<Unit> may_ask(const std::vector<Question>& questions);
  void request_stop();

  void arm(Millis deadline, std::vector<PendingRequest*>& late, Event& work);
  void disarm();

 private:
  friend class Deadline;

  class Handle final : public Call {
   public:
    Handle(PendingRequest& pending, Loop& loop, const Tool& tool, Revision revision)
        : Call(loop, tool, revision, {}), pending_(pending) {}
    std::stop_token stop() const override { return pending_.stop_token(); }
    void progress(double progress, std::optional<double> total, std::string_view message) override {
      pending_.progress(progress, total, message);
    }
    void log(LogLevel level, std::string_view logger, std::string_view data) override {
      pending_.log(level, logger, data);
    }

    void detach(Millis back_after) override { pending_.detach(back_after); }
    std::string_view client_name() const override { return pending_.client_name_; }
    std::string_view meta() const override { return pending_.meta_; }
    std::unique_ptr<ClientState>* client_state() override { return pending_.owner_->client_state(); }
    ClientAbilities client() const override { return pending_.client_; }
    Task<std::vector<std::string>> ask(std::vector<Question> questions) override {
      return pending_.owner_->ask(pending_, std::move(questions));
    }

   private:
    PendingRequest& pending_;
  };

  void follow(const Message& message, std::optional<LogLevel> threshold, ClientAbilities client);
  void progress(double progress, std::optional<double> total, std::string_view message);
  void say_progress(std::string_view message);
  void log(LogLevel level, std::string_view logger, std::string_view data);
  void detach(Millis back_after) {
    if (!responded_) outbox_.detach(request_stream_, back_after);
  }

  Loop& loop_;
  Outbox& outbox_;  // Of the connection: not for a task, which may outlive it.
  RequestOwner* owner_;
  bool is_task_ = false;
  std::optional<Handle> call_;
  std::string_view id_;
  std::string kept_id_;
  std::string_view method_;
  std::string_view params_;
  std::string_view meta_;     // Until the handler waits.
  std::string kept_request_;  // The method and the params.
  static constexpr std::size_t client_name_bytes_max = 100;
  std::string client_name_;  // Copied into the storage of the request before.
  ClientAbilities client_;
  std::string progress_token_;  // JSON; empty: the client wants no progress
  std::optional<double> progress_;
  std::optional<double> total_;
  bool silent_ = false;  // Since the last beat.
  std::optional<LogLevel> threshold_;
  std::shared_ptr<Batch> batch_;
  RequestStream request_stream_ = 0;
  std::stop_source stop_{std::nostopstate};
  bool waits_ = false;
  bool responded_ = false;
  bool suspended_ = false;
  std::size_t turn_ = 0;
  Deadline deadline_;
  std::vector<PendingRequest*>* late_ = nullptr;
  Event* work_ = nullptr;
};

// Whose requests a session answers: one client's, whose ids are its own, or those of any number of clients,
// each request on a request stream of its own.
enum class Clients : std::uint8_t { one, many };

class PendingRequests {
 public:
  PendingRequests(Loop& loop, Outbox& outbox, RequestOwner& owner, std::size_t answer_kept_bytes,
                  Clients clients)
      : loop_(loop),
        outbox_(outbox),
        owner_(owner),
        answer_kept_bytes_(answer_kept_bytes),
        clients_(clients) {}

  PendingRequest& take();
  void give_back(PendingRequest& pending);
  // Its handler waits, and is somebody else's affair from now on.
  std::unique_ptr<PendingRequest> release(PendingRequest& pending);
  void take_back(std::unique_ptr<PendingRequest> pending);

  // The handler waits.
  void enlist(PendingRequest& pending);
  // Its request was answered with questions: the id names it no longer.
  void suspend(PendingRequest& pending);
  // It was repeated.
  void go_on(PendingRequest& pending);
  // Of those, the one with this id, unless it was cancelled. Nothing is found by id among many clients.
  PendingRequest* find(std::string_view id) const;
  // The same by its request stream.
  PendingRequest* find(RequestStream request_stream) const;
  // The client gave it up: the id names it no longer.
  void cancel(PendingRequest& pending);
  std::size_t waiting() const { return waiting_; }

  // Stops everything; nothing of it is answered any more.
  void abandon();

  // Beats for every request in progress. False: there is none whose client wants it.
  bool beat();

 private:
  void enter(PendingRequest& pending);
  void forget(const PendingRequest& pending);

  Loop& loop_;
  Outbox& outbox_;
  RequestOwner& owner_;
  std::size_t answer_kept_bytes_;
  Clients clients_;
  std::vector<std::unique_ptr<PendingRequest>> all_;
  std::vector<PendingRequest*> free_;
  std::unordered_map<std::string_view, PendingRequest*> by_id_;           // Of one client.
  std::unordered_map<RequestStream, PendingRequest*> by_request_stream_;  // Of many.
  std::size_t waiting_ = 0;                                               // Without those that are suspended.
};

// An id as it is compared: without escapes that stand for the same text.
std::string comparable_id(std::string_view id);

}  // namespace snapgen::mcp

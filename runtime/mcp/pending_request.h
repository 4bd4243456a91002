#pragma once
// PendingRequest is one request that a handler works on. It has the Call that the handler sees, where to send
// the answer, and the stop source. PendingRequests has those of one session, which reuses them.
//
// A request that its handler answers without suspending allocates nothing here: its id points into the
// message, and its stop source is created on demand. copy_request_data() copies what a suspended handler
// needs.
#include <cstddef>
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

// RequestOwner sends the questions of its pending requests to the client, and is notified of their end.
class RequestOwner {
 public:
  virtual Task<std::vector<std::string>> ask(PendingRequest& pending, std::vector<Question> questions) = 0;
  // Returns the slot of the client's state, or null if there is none.
  virtual std::unique_ptr<ClientState>* client_state() { return nullptr; }
  // Called when the handler has ended. The owner may destroy `pending`.
  virtual void finish(PendingRequest& pending, const Result<Unit>& outcome) = 0;
  // Called when the handler of a task reports progress.
  virtual void on_progress(PendingRequest&, std::string_view) {}

 protected:
  ~RequestOwner() = default;
};

// A JSON-RPC error that a request ended with. `data` is JSON or empty.
struct RequestError {
  RpcCode code = RpcCode::internal_error;
  std::string sentence;
  std::string data;
  std::string json() const;
};

// Error messages for a call that exceeded its deadline, and for one whose questions were not answered.
std::string deadline_exceeded_sentence(const Tool& tool);
inline constexpr std::string_view unanswered_sentence =
    "The client did not answer the server's request, and the call was stopped. Call again.";

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

  // Begins a request. `threshold` is the lowest level of log messages to send, if any.
  void begin(const Tool& tool, Revision revision, const Message& message, std::shared_ptr<Batch> batch,
             RequestStream request_stream, std::optional<LogLevel> threshold, ClientAbilities client);
  // Sets the client's name, and cuts one that is too long. Call it after begin() and before the handler
  // starts.
  void set_client_name(std::string_view name) { client_name_ = name.substr(0, client_name_bytes_max); }
  // Copies the data that still points into the message. Call it when the handler has suspended.
  void copy_request_data();
  bool is_active() const { return call_.has_value(); }
  bool is_handler_waiting() const { return is_handler_waiting_; }
  // Marks the request as answered with questions. When the client repeats it with the answers, call
  // resume_with() with the new message.
  void suspend() { suspended_ = responded_ = true; }
  bool awaits_retry() const { return suspended_; }
  void resume_with(const Message& message, RequestStream request_stream, std::optional<LogLevel> threshold,
                   ClientAbilities client);
  // Whether the handler waits for its client's answers.
  bool is_asking = false;
  // A question without whose answer the handler can continue when the alarm rings; null if there is none.
  PendingQuestions* optional_questions = nullptr;
  // Whether the call becomes a task if its handler waits for anything but the client.
  bool may_become_task = false;
  // Counts the requests that this object has been used for.
  std::size_t use_count() const { return use_count_; }
  RequestOwner& owner() { return *owner_; }
  // Hands the request to a task: nothing more is sent on its connection.
  void become_task(RequestOwner& owner);
  // Resets the object for reuse after the handler has ended.
  void end(std::size_t retained_buffer_bytes_max);

  Call& call() { return *call_; }
  ReplyTo reply_to() const { return {.id = id_, .batch = batch_.get(), .request_stream = request_stream_}; }
  RequestStream request_stream() const { return request_stream_; }
  std::string_view id() const { return id_; }
  // After the handler has suspended, these are valid only for a stateless client that can be asked.
  std::string_view method() const { return method_; }
  std::string_view params() const { return params_; }

  // The text of the result's members, to which the handler appends.
  std::string result_members;
  // The undeclared capabilities that a question needed, as ClientCapabilities JSON; empty if none.
  std::string_view missing_capabilities;
  // The JSON-RPC code for `not_found` errors of this request.
  RpcCode not_found_code = RpcCode::invalid_params;

  // Returns the error that the request ended with, or nullopt if it has a result.
  std::optional<RequestError> failure(const Result<Unit>& outcome) const;

  // Whether the client waits and has asked for progress.
  bool reports_progress() const { return is_handler_waiting_ && !responded_ && !progress_token_.empty(); }
  // Sends a progress message if nothing was sent since the previous call.
  void send_heartbeat();

  // Whether nothing more is sent for the request, because it was answered or needs no answer.
  bool has_responded() const { return responded_; }
  void mark_responded() { responded_ = true; }
  void mark_unanswered();

  std::stop_token stop_token();
  bool stop_requested() const { return stop_.stop_requested(); }
  // Checks that the handler may ask these questions. Errors: unsupported (the client did not declare the
  // capability; see `missing_capabilities`); internal (the handler is already asking).
  Result<Unit> may_ask(const std::vector<Question>& questions);
  void request_stop();

  void set_deadline(Millis deadline, std::vector<PendingRequest*>& late, Event& event);
  void clear_deadline();

 private:
  friend class Deadline;

  class PendingCall final : public Call {
   public:
    PendingCall(PendingRequest& pending, Loop& loop, const Tool& tool, Revision revision)
        : Call(loop, tool, revision, {}), pending_(pending) {}
    std::stop_token stop() const override { return pending_.stop_token(); }
    void progress(double progress, std::optional<double> total, std::string_view message) override {
      pending_.progress(progress, total, message);
    }
    void log(LogLevel level, std::string_view logger, std::string_view data) override {
      pending_.log(level, logger, data);
    }

    void disconnect_client(Millis back_after) override { pending_.disconnect_client(back_after); }
    std::string_view client_name() const override { return pending_.client_name_; }
    std::string_view meta() const override { return pending_.meta_; }
    std::unique_ptr<ClientState>* client_state() override { return pending_.owner_->client_state(); }
    ClientAbilities client_abilities() const override { return pending_.client_; }
    Task<std::vector<std::string>> ask(std::vector<Question> questions) override {
      return pending_.owner_->ask(pending_, std::move(questions));
    }

   private:
    PendingRequest& pending_;
  };

  void read_message(const Message& message, std::optional<LogLevel> threshold, ClientAbilities client);
  void progress(double progress, std::optional<double> total, std::string_view message);
  void send_progress(std::string_view message);
  void log(LogLevel level, std::string_view logger, std::string_view data);
  void disconnect_client(Millis back_after) {
    if (!responded_) outbox_.disconnect_client(request_stream_, back_after);
  }

  Loop& loop_;
  Outbox& outbox_;  // The connection's. A task may outlive it and does not use it.
  RequestOwner* owner_;
  bool is_task_ = false;
  std::optional<PendingCall> call_;
  std::string_view id_;
  std::string owned_id_;
  std::string_view method_;
  std::string_view params_;
  std::string_view meta_;                // Empty after the handler has suspended.
  std::string owned_method_and_params_;  // The method, directly followed by the params.
  static constexpr std::size_t client_name_bytes_max = 100;
  std::string client_name_;  // Assigned to, so that its memory is reused.
  ClientAbilities client_;
  std::string progress_token_;  // JSON; empty if the client wants no progress.
  std::optional<double> progress_;
  std::optional<double> total_;
  bool is_silent_ = false;  // No progress was sent since the last heartbeat.
  std::optional<LogLevel> log_threshold_;
  std::shared_ptr<Batch> batch_;
  RequestStream request_stream_ = 0;
  std::stop_source stop_{std::nostopstate};
  bool is_handler_waiting_ = false;
  bool responded_ = false;
  bool suspended_ = false;
  std::size_t use_count_ = 0;
  Deadline deadline_;
  std::vector<PendingRequest*>* late_requests_ = nullptr;
  Event* deadline_event_ = nullptr;
};

// With ClientCount::one, the session serves one client, and request ids are unique. With ClientCount::many,
// it serves any number of clients, and each request has a separate request stream.
enum class ClientCount : std::uint8_t { one, many };

class PendingRequests {
 public:
  PendingRequests(Loop& loop, Outbox& outbox, RequestOwner& owner, std::size_t retained_buffer_bytes_max,
                  ClientCount clients)
      : loop_(loop),
        outbox_(outbox),
        owner_(owner),
        retained_buffer_bytes_max_(retained_buffer_bytes_max),
        clients_(clients) {}

  PendingRequest& acquire();
  void recycle(PendingRequest& pending);
  // Gives up ownership of a request whose handler waits.
  std::unique_ptr<PendingRequest> release(PendingRequest& pending);
  void take_back(std::unique_ptr<PendingRequest> pending);

  // Registers a request whose handler has suspended.
  void add_suspended(PendingRequest& pending);
  // Records that the request was answered with questions, so its id may be used again.
  void suspend(PendingRequest& pending);
  // Records that the client has repeated a suspended request.
  void resume(PendingRequest& pending);
  // Finds the waiting request with this id that was not cancelled. Always null with ClientCount::many.
  PendingRequest* find(std::string_view id) const;
  // Finds a waiting request by its request stream.
  PendingRequest* find(RequestStream request_stream) const;
  // Stops a request that the client cancelled. Its id may be used again.
  void cancel(PendingRequest& pending);
  std::size_t waiting_count() const { return waiting_count_; }

  // Stops all handlers. None of the requests is answered any more.
  void stop_all_unanswered();

  // Calls send_heartbeat() of every request whose client wants progress. Returns false if there are none.
  bool send_heartbeat();

 private:
  void add_by_id(PendingRequest& pending);
  void forget(const PendingRequest& pending);

  Loop& loop_;
  Outbox& outbox_;
  RequestOwner& owner_;
  std::size_t retained_buffer_bytes_max_;
  ClientCount clients_;
  std::vector<std::unique_ptr<PendingRequest>> requests_;
  std::vector<PendingRequest*> free_requests_;
  std::unordered_map<std::string_view, PendingRequest*> by_id_;           // Used with ClientCount::one.
  std::unordered_map<RequestStream, PendingRequest*> by_request_stream_;  // Used with ClientCount::many.
  std::size_t waiting_count_ = 0;                                         // Without suspended requests.
};

// Returns the id in the form in which ids are compared: canonical JSON, without needless escapes.
std::string comparable_id(std::string_view id);

}  // namespace snapgen::mcp

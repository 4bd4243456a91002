// The part of Session for the queue of requests that arrive when too many are in progress.
#include <string>
#include <utility>

#include "runtime/mcp/session.h"

namespace snapgen::mcp {

bool Session::is_full() const {
  // In a session of many clients, no request waits for another. The transport limits each client's requests.
  return clients_ == ClientCount::one && pending_requests_.waiting_count() >= limits_.requests_in_flight_max;
}

bool Session::may_suspend(const Request& request) const {
  // A repeated request resumes a suspended call, which the limits already count.
  if (is_repetition(request)) return false;
  switch (method_named(message_.method, is_modern(request.revision))) {
    case Method::call_tool:
    case Method::read_resource:
    case Method::get_prompt:
    case Method::complete: return true;
    default: return false;
  }
}

void Session::enqueue(const Request& request) {
  const bool held = backlog_.add({.text = std::string(message_.text()),
                                  .id = comparable_id(message_.id),
                                  .revision = request.revision,
                                  .batch = request.batch,
                                  .request_stream = request.reply_to.request_stream});
  if (!held) {
    return outbox_.send_error(request.reply_to, RpcCode::internal_error,
                              std::to_string(limits_.requests_in_flight_max) +
                                  " requests are in progress and the queue is full. Send this one again when "
                                  "others have been answered.");
  }
  if (std::exchange(is_answering_backlog_, true)) return;
  Task<Unit> working = answer_backlog();
  scope_.spawn(std::move(working));
}

void Session::answer_queued(const Backlog::Entry& held) {
  message_.read(held.text);
  const ReplyTo reply_to{.id = message_.id, .batch = held.batch.get(), .request_stream = held.request_stream};
  answer({.revision = held.revision, .batch = held.batch, .reply_to = reply_to});
}

Task<Unit> Session::answer_backlog() {
  std::stop_token stop = scope_.stop();
  while (!backlog_.empty()) {
    if (is_full()) {
      capacity_freed_.reset();
      Result<Unit> done = co_await capacity_freed_.wait(stop);
      if (!done) break;
    } else if (outbox_.is_backlogged()) {
      Task<bool> waiting = drain();
      Result<bool> drained = co_await std::move(waiting);
      if (!drained || !*drained) break;
    } else {
      const Backlog::Entry next = backlog_.take();
      answer_queued(next);
    }
  }
  is_answering_backlog_ = false;
  co_return Unit{};
}

}  // namespace snapgen::mcp

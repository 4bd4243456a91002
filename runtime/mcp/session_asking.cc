// The part of Session for questions of handlers to their clients, and the clients' answers.
#include <string>
#include <utility>

#include "runtime/mcp/session.h"

namespace snapgen::mcp {

ClientAbilities Session::abilities(Revision revision) const {
  if (!is_modern(revision)) return legacy_client_abilities_;
  return abilities_of(message_.meta().client_capabilities, revision);
}

std::string_view Session::client_name(Revision revision) const {
  if (!is_modern(revision)) return legacy_client_name_;
  const std::optional<Implementation>& info = message_.meta().client_info;
  return info ? std::string_view(info->name) : std::string_view();
}

Task<std::vector<std::string>> Session::ask(PendingRequest& pending, std::vector<Question> questions) {
  if (pending.stop_requested()) co_return cancelled_error();
  if (questions.empty()) co_return std::vector<std::string>();
  Result<Unit> allowed = pending.may_ask(questions);
  if (!allowed) co_return std::move(allowed).error();
  if (pending.reply_to().batch)
    co_return Error(ErrorCode::unsupported,
                    "A call in a batch cannot send requests to the client. Send the call separately.");
  PendingQuestions asking(loop_, std::move(questions));
  const bool modern = is_modern(pending.call().revision());
  if (modern && !can_be_repeated(method_named(pending.method(), true)))
    co_return Error(ErrorCode::unsupported,
                    "A request for " + std::string(pending.method()) +
                        " cannot send requests to the client. Only tools/call, prompts/get and "
                        "resources/read can.");
  Millis awaited = limits_.answer_timeout;
  if (modern) {
    Result<Unit> suspended = suspend(pending, asking);
    if (!suspended) co_return std::move(suspended).error();
  } else {
    client_requests_.send(asking, pending.request_stream());
    const Millis timeout = asking.timeout();
    if (timeout != Millis(0)) {
      awaited = timeout;
      pending.optional_questions = &asking;
    }
  }
  pending.is_asking = true;
  pending.clear_deadline();
  pending.set_deadline(awaited, late_requests_, work_);
  Task<std::vector<std::string>> waiting = asking.wait_for_answers(pending.stop_token());
  Result<std::vector<std::string>> answers = co_await std::move(waiting);
  pending.is_asking = false;
  pending.optional_questions = nullptr;
  pending.clear_deadline();
  if (modern) suspended_calls_.forget(pending);
  if (!modern) client_requests_.withdraw(asking);
  if (!pending.stop_requested()) set_deadline(pending);
  co_return answers;
}

Result<Unit> Session::suspend(PendingRequest& pending, PendingQuestions& asking) {
  const std::size_t parked_max =
      clients_ == ClientCount::one ? limits_.suspended_calls_max : limits_.suspended_calls_of_all_clients_max;
  if (suspended_calls_.size() >= parked_max) {
    return Error(
        ErrorCode::unavailable,
        std::to_string(parked_max) +
            " calls already wait for answers of their clients, which is the limit. Try again later.");
  }
  std::string state =
      TRY(suspended_calls_.suspend({.request = &pending,
                                    .questions = &asking,
                                    .digest = call_digest(pending.method(), pending.params())}));
  outbox_.send_result(pending.reply_to(), server_.input_required_prefix_,
                      input_required_members(asking, state));
  pending_requests_.suspend(pending);
  capacity_freed_.set();
  return Unit{};
}

void Session::resume(const Request& request) {
  std::string digest = call_digest(message_.method, message_.params);
  Result<SuspendedCalls::SuspendedCall> suspended = suspended_calls_.find(message_.request_state, digest);
  if (!suspended) return send_invalid_params(request, suspended.error().message);
  PendingQuestions& asking = *suspended->questions;
  if (!message_.input_responses.empty()) {
    Result<Unit> taken = record_responses(asking, message_.input_responses);
    if (!taken) return send_invalid_params(request, taken.error().message);
  }
  PendingRequest& pending = *suspended->request;
  suspended_calls_.forget(pending);
  if (asking.is_complete()) {
    pending.resume_with(message_, request.reply_to.request_stream, log_threshold(request.revision),
                        abilities(request.revision));
    pending_requests_.resume(pending);
    ensure_heartbeats(pending);
    if (pending.may_become_task) make_task_later(pending);
    return;
  }
  Result<std::string> state =
      suspended_calls_.suspend({.request = &pending, .questions = &asking, .digest = std::move(digest)});
  if (!state) {
    outbox_.send_error(request.reply_to, RpcCode::internal_error, state.error().message);
    return pending.request_stop();
  }
  outbox_.send_result(request.reply_to, server_.input_required_prefix_,
                      input_required_members(asking, *state));
}

void Session::fail_unanswered_call(PendingRequest& pending) {
  pending.request_stop();
  if (pending.has_responded()) return;
  std::string members;
  const Error error(ErrorCode::unavailable, std::string(unanswered_sentence));
  const Tool& tool = pending.call().tool();
  if (tool.name.empty()) {
    outbox_.send_error(pending.reply_to(), RpcCode::internal_error, error.message);
  } else {
    server_.parts_.tools->append_unfinished_result(tool, pending.call().client_name(), error, members);
    outbox_.send_result(pending.reply_to(), server_.result_prefix(pending.call().revision()), members);
  }
  pending.mark_responded();
  pending_requests_.cancel(pending);
}

}  // namespace snapgen::mcp

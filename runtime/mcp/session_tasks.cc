// The part of Session that makes a call a task, and implements the methods tasks/*.
#include <string>
#include <utility>

#include "runtime/mcp/session.h"
#include "runtime/mcp/tasks.h"
#include "schemas/mcp/task_params.h"

namespace snapgen::mcp {

void Session::answer_task_request(const Request& request, Method method) {
  if (!server_.tasks_) return send_unknown_method(request);
  if (!abilities(request.revision).tasks) {
    const std::string data = "{\"requiredCapabilities\":" + std::string(tasks_capability) + "}";
    return outbox_.send_error(request.reply_to, RpcCode::missing_capability,
                              "The client did not declare support for tasks.", data);
  }
  TaskParams params;
  if (!read_params(request, params)) return;
  Tasks& tasks = *server_.tasks_;
  if (method == Method::get_task) {
    const std::optional<std::string> found = tasks.describe(params.task_id);
    return found ? send_result(request, *found)
                 : send_invalid_params(request, unknown_task_sentence(params.task_id));
  }
  if (method == Method::cancel_task)
    return tasks.cancel(params.task_id) ? send_empty_result(request)
                                        : send_invalid_params(request, unknown_task_sentence(params.task_id));
  if (message_.input_responses.empty())
    return send_invalid_params(request, "params.inputResponses must be an object.");
  const Result<Unit> updated = tasks.update(params.task_id, message_.input_responses);
  if (updated) return send_empty_result(request);
  send_invalid_params(request, updated.error().message);
}

void Session::make_task_later(PendingRequest& pending) {
  const bool required = pending.call().tool().task == TaskUse::required;
  Task<Unit> deciding = make_task_after(pending, required ? Millis(0) : limits_.task_grace);
  scope_.spawn(std::move(deciding));
}

Task<Unit> Session::make_task_after(PendingRequest& pending, Millis grace) {
  const std::size_t turn = pending.use_count();
  Result<Unit> passed = co_await Sleep(loop_, scope_.stop(), grace);
  const bool goes_on = passed && pending.is_active() && pending.use_count() == turn;
  if (goes_on && !pending.is_asking && !pending.has_responded() && !pending.stop_requested())
    make_task(pending);
  co_return Unit{};
}

void Session::make_task(PendingRequest& pending) {
  const std::string id(pending.id());
  const ReplyTo reply_to{.id = id, .request_stream = pending.request_stream()};
  std::unique_ptr<PendingRequest> owned = pending_requests_.release(pending);
  Result<std::string> created = server_.tasks_->adopt(owned);
  if (!created) return pending_requests_.take_back(std::move(owned));
  --background_call_count_;
  capacity_freed_.set();
  outbox_.send_result(reply_to, server_.input_required_prefix_, *created);
}

}  // namespace snapgen::mcp

#pragma once
// Code that the handlers of the bridge tools share, from a call's arguments to the result of the browser's
// answer.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/mcp/call.h"
#include "schemas/bridge/command_options.h"
#include "tools/app/app.h"
#include "tools/bridge/failures.h"
#include "tools/bridge/hub.h"
#include "tools/bridge/permissions.h"

namespace snapgen::tools::bridge {

// Returns the hub of the server. Errors: BRIDGE_OFF.
Result<Hub*> hub_of(const App& app);

// Builds a request from those members of `in` that name the session, the timeout and retries.
template <class Input>
Request request_of(const Input& in, std::string_view command, core::Permissions permissions,
                   bool needs_confirmation) {
  const BridgeLimits limits;
  Request request;
  request.command = command;
  request.permissions = permissions;
  request.session_id = in.session_id;
  request.timeout_ms =
      in.timeout_ms.value_or(needs_confirmation ? limits.confirmation_timeout_ms : limits.timeout_ms);
  if constexpr (requires { in.retry_on_failure; }) request.may_retry = in.retry_on_failure;
  return request;
}

// Reads the payload of an answer, or the part of an answer at `pointer`. Errors: INVALID_RESPONSE.
template <class Payload>
Result<Unit> read_payload(const json::Raw& raw, Payload& payload, std::string_view pointer = "/payload") {
  json::Reader in(raw.text);
  read(in, payload);
  in.end();
  if (!in.ok()) return invalid_response(mismatch(in, pointer));
  return Unit{};
}

// Logs a command in the audit log if it has changed the project, or may have. `session_id` is that of the
// browser to which it was sent.
void audit_command(App& app, const Request& request, const std::string& session_id,
                   const Result<Reply>& reply);

// Sends the message, whose payload is set, and waits for the answer, which `request.read_payload` reads. Both
// must outlive the task.
template <class Message>
Task<Reply> send(App& app, mcp::Call& call, Request& request, Message& message) {
  Result<Hub*> found = hub_of(app);
  if (!found) co_return std::move(found).error();
  request.render = [&message](const std::string& id, const std::string& session_id,
                              const std::string& timestamp) {
    message.message_id = id;
    message.session_id = session_id;
    message.timestamp = timestamp;
    return json::to_json(message);
  };
  std::string sent_to;
  Task<Reply> asking = (*found)->ask(request, sent_to, call.stop());
  Result<Reply> reply = co_await std::move(asking);
  audit_command(app, request, sent_to, reply);
  if (!reply) co_return with_session(std::move(reply).error(), sent_to);
  co_return reply;
}

// Builds a tool's output from a reply and its payload.
template <class Output, class Done>
Output output_of(Reply reply, decltype(Done::payload) payload) {
  Done done;
  done.session_id = std::move(reply.session_id);
  done.message_id = std::move(reply.message_id);
  done.attempts = reply.attempts;
  done.round_trip_ms = reply.round_trip_ms;
  done.payload = std::move(payload);
  return Output(std::move(done));
}

// Sends the message, a command whose payload is set, and reads the answer's payload into `Done`.
template <class Output, class Done, class Message>
Task<Output> run_request(App& app, mcp::Call& call, Request request, Message message) {
  decltype(Done::payload) payload;
  request.read_payload = [&payload](const json::Raw& raw) { return read_payload(raw, payload); };
  request.payload_text = [&payload] { return json::to_json(payload); };
  Task<Reply> sending = send(app, call, request, message);
  Result<Reply> reply = co_await std::move(sending);
  if (!reply) co_return std::move(reply).error();
  co_return output_of<Output, Done>(*std::move(reply), std::move(payload));
}

// Runs a single command. If `needs_confirmation`, the user at the browser is asked first.
template <class Output, class Done, class Command, class Input>
Task<Output> run_command(App& app, mcp::Call& call, const Input& in, CommandName name, Command message,
                         bool needs_confirmation) {
  Request request = request_of(in, text(name), permission_bit(permission_for(name)), needs_confirmation);
  CommandOptions options;
  options.timeout_ms = request.timeout_ms;
  if (needs_confirmation) options.require_confirmation = true;
  if constexpr (requires { in.retry_on_failure; }) options.retry_on_failure = in.retry_on_failure;
  if constexpr (requires { in.rollback_on_error; }) options.rollback_on_error = in.rollback_on_error;
  message.options = options;
  return run_request<Output, Done>(app, call, std::move(request), std::move(message));
}

// Returns MEMORY_LIMIT if the text has more blocks, at any depth, than a command may have.
std::optional<Error> check_block_count(std::string_view text);
// Returns an error without sending anything to a browser.
template <class Output>
Task<Output> error_task(Error error) {
  co_return error;
}

}  // namespace snapgen::tools::bridge

#include "runtime/mcp/client_requests.h"

#include <charconv>
#include <string>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"

namespace snapgen::mcp {
namespace {

// Converts the client's JSON-RPC error to an Error, with the client's message if it can be read.
Error refusal(std::string_view error) {
  std::string message;
  std::int64_t code = 0;
  json::Reader in(error);
  json::read_members(in, "message", message, "code", code);
  return Error(
      ErrorCode::unavailable,
      "The client refused the request: " + with_full_stop(message.empty() ? "no reason given" : message) +
          " Continue without it, or ask the user.",
      ErrorDetails().add_number("code", code));
}

}  // namespace

void ClientRequests::send(PendingQuestions& asking, RequestStream request_stream) {
  for (std::size_t i = 0; i < asking.questions().size(); ++i) {
    const Question& question = asking.questions()[i];
    open_questions_.emplace(++last_id_,
                            OpenQuestion{.asking = &asking, .index = i, .request_stream = request_stream});
    outbox_.send_request(last_id_, question.method, question.params, request_stream);
  }
}

void ClientRequests::withdraw(const PendingQuestions& asking) {
  std::erase_if(open_questions_, [&](const auto& each) {
    if (each.second.asking != &asking) return false;
    outbox_.send_notification("notifications/cancelled", "{\"requestId\":" + std::to_string(each.first) + "}",
                              each.second.request_stream);
    return true;
  });
}

void ClientRequests::receive_response(const Message& response) {
  const std::string_view text = response.id;
  std::int64_t id = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (fault != std::errc() || end != text.data() + text.size()) return;
  const auto found = open_questions_.find(id);
  if (found == open_questions_.end()) return;
  const OpenQuestion open = found->second;
  open_questions_.erase(found);
  if (!response.problem.empty())
    return open.asking->answer(
        open.index,
        Error(ErrorCode::unavailable, "The client's response cannot be parsed: " + response.problem));
  if (!response.error.empty()) return open.asking->answer(open.index, refusal(response.error));
  if (response.result.starts_with('{')) return open.asking->answer(open.index, std::string(response.result));
  open.asking->answer(open.index,
                      Error(ErrorCode::unavailable, "The client's result must be a JSON object."));
}

}  // namespace snapgen::mcp

#include "runtime/mcp/suspended_calls.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"

namespace snapgen::mcp {
namespace {

constexpr std::size_t ticket_bytes = 16;

// Whether a client adds or changes this member of params when it repeats a call.
bool is_of_the_repetition(std::string_view key) {
  return key == "_meta" || key == "inputResponses" || key == "requestState";
}

}  // namespace

std::string call_digest(std::string_view method, std::string_view params) {
  std::vector<std::pair<std::string, std::string>> members;
  json::Reader in(params);
  std::string_view key;
  if (in.begin_object()) {
    while (in.next_key(key)) {
      std::string name(key);
      std::string_view value;
      in.raw(value);
      if (is_of_the_repetition(name)) continue;
      Result<std::string> canonical = json::canonical(value);
      members.emplace_back(std::move(name), canonical ? *std::move(canonical) : std::string(value));
    }
  }
  std::ranges::sort(members);
  Digest digest;
  digest.add(method);
  for (const auto& [name, value] : members) digest.add(name).add(value);
  return digest.bytes();
}

Result<std::string> SuspendedCalls::suspend(SuspendedCall suspended) {
  if (!sealer_) {
    sealer_ = TRY(Sealer::create());
  }
  std::string ticket = TRY(random_bytes(ticket_bytes));
  std::string state = sealer_->seal(ticket, suspended.digest);
  by_ticket_.emplace(std::move(ticket), std::move(suspended));
  return state;
}

Result<SuspendedCalls::SuspendedCall> SuspendedCalls::find(std::string_view state, std::string_view digest) {
  constexpr std::string_view start_over = " Send the request again without requestState and inputResponses.";
  const Error foreign(ErrorCode::invalid_argument,
                      "params.requestState was not issued by this server process for this request." +
                          std::string(start_over));
  if (!sealer_) return foreign;
  Result<std::string> ticket = sealer_->open(state, digest);
  if (!ticket) return foreign;
  const auto found = by_ticket_.find(*ticket);
  if (found == by_ticket_.end())
    return Error(
        ErrorCode::invalid_argument,
        "The request of params.requestState was already answered or has expired." + std::string(start_over));
  return found->second;
}

void SuspendedCalls::forget(const PendingRequest& pending) {
  std::erase_if(by_ticket_, [&](const auto& each) { return each.second.request == &pending; });
}

std::string input_requests_json(const PendingQuestions& asking) {
  std::vector<const Question*> open;
  for (std::size_t i = 0; i < asking.questions().size(); ++i)
    if (asking.is_open(i)) open.push_back(&asking.questions()[i]);
  std::ranges::sort(open, [](const Question* a, const Question* b) { return a->key < b->key; });
  std::string object;
  json::Writer out(object);
  std::string_view separator = "{";
  for (const Question* question : open) {
    out.text(std::exchange(separator, ","));
    out.string(question->key);
    out.text(":{\"method\":\"");
    out.text(question->method);
    out.text("\",\"params\":");
    out.text(question->params);
    out.text("}");
  }
  if (open.empty()) out.text("{");
  out.text("}");
  return object;
}

std::string input_required_members(const PendingQuestions& asking, std::string_view state) {
  return "\"inputRequests\":" + input_requests_json(asking) + ",\"requestState\":\"" + std::string(state) +
         "\",\"resultType\":\"input_required\"";
}

Result<Unit> record_responses(PendingQuestions& asking, std::string_view responses) {
  json::Reader in(responses);
  if (in.peek() != json::Kind::object)
    return Error(ErrorCode::invalid_argument, "params.inputResponses must be an object.");
  std::vector<std::pair<std::size_t, std::string>> taken;
  std::string_view key;
  in.begin_object();
  while (in.next_key(key)) {
    std::size_t index = 0;
    while (index < asking.questions().size() && asking.questions()[index].key != key) ++index;
    const bool is_ours = index < asking.questions().size() && asking.is_open(index);
    const bool is_object = in.peek() == json::Kind::object;
    if (is_ours &&
        std::ranges::find(taken, index, &std::pair<std::size_t, std::string>::first) != taken.end())
      return Error(ErrorCode::invalid_argument,
                   "params.inputResponses." + asking.questions()[index].key + " is given twice.");
    if (is_ours && !is_object) {
      return Error(ErrorCode::invalid_argument, "params.inputResponses." + asking.questions()[index].key +
                                                    " must be an object: the result of " +
                                                    std::string(asking.questions()[index].method) + ".");
    }
    std::string_view value;
    in.raw(value);
    if (is_ours) taken.emplace_back(index, value);
  }
  in.end();
  if (!in.ok()) return Error(ErrorCode::invalid_argument, "params.inputResponses is not valid JSON.");
  for (auto& [index, value] : taken) asking.answer(index, std::move(value));
  return Unit{};
}

}  // namespace snapgen::mcp

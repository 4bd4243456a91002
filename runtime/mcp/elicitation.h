#pragma once
// Elicitation lets a handler ask the client's user.
//
//   Task<mcp::ElicitExchange<Confirmation>> asking = mcp::elicit<Confirmation>(call, "Restore 12 files?");
//   Result<mcp::ElicitExchange<Confirmation>> outcome = co_await std::move(asking);
//
// An exchange records question and answer as a conversation in which the assistant uses the tool `elicit`,
// and the user's message contains its result. It can be added to the history of a question (sampling.h).
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/mcp/context.h"
#include "runtime/mcp/sampling.h"
#include "schemas/mcp/elicit_result.h"

namespace snapgen::mcp {

struct Elicited {
  ElicitResultAction action = ElicitResultAction::cancel;
  std::string message;       // The question that the user saw.
  json::Raw context;         // JSON that the handler wants to remember; the user does not see it.
  SamplingMessage request;   // From the assistant: the message and the context.
  SamplingMessage response;  // From the user: the action and the content.
  std::vector<SamplingMessage> messages;  // The request and the response.

  // Replaces the context in the history, usually by a shorter one.
  void replace_context(json::Raw other);
};

template <class T>
struct ElicitExchange : Elicited {
  std::optional<T> content;  // The user's input; set if the user accepted the form.
};

// Asks with a form. `schema` is the JSON Schema of a flat object; the content is returned as JSON. Errors:
// unsupported (the client has no forms); unavailable (it refused, or its answer is unreadable); cancelled.
Task<ElicitExchange<std::string>> elicit_form(Context& context, std::string message, std::string_view schema,
                                              json::Raw remembered);

// These two make the question of elicit_form() and read its answer. Use them to ask several questions
// together (Context::ask()).
Result<Question> form_question(const Context& context, std::string key, std::string_view message,
                               std::string_view schema);
Result<ElicitExchange<std::string>> form_answer(std::string message, json::Raw remembered,
                                                std::string_view answer);

// Sends the user to a URL, for data that must not pass through the client (secrets, payments). `accept` means
// only that the user opened it. Errors: unsupported (the client opens no URLs); otherwise as elicit_form().
Task<Elicited> elicit_at_url(Context& context, std::string message, std::string url);

// Asks for a T, a message whose schema file has `"asked": "form"`. Errors: as elicit_form(),
// invalid_answer_error().
template <class T>
Task<ElicitExchange<T>> elicit(Context& context, std::string message, json::Raw remembered = {}) {
  const std::string_view schema = json_schema(static_cast<const T*>(nullptr));
  Task<ElicitExchange<std::string>> asking =
      elicit_form(context, std::move(message), schema, std::move(remembered));
  Result<ElicitExchange<std::string>> outcome = co_await std::move(asking);
  ElicitExchange<std::string> form = co_await outcome;
  ElicitExchange<T> out;
  static_cast<Elicited&>(out) = std::move(static_cast<Elicited&>(form));
  if (!form.content) co_return out;
  json::Reader in(*form.content);
  read(in, out.content.emplace());
  in.end();
  if (!in.ok()) co_return invalid_answer_error(in, "The filled-in form");
  co_return out;
}

}  // namespace snapgen::mcp

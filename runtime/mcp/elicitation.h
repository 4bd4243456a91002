#pragma once
// Elicitation: a handler asks its client's user.
//
//   Task<mcp::ElicitExchange<Confirmation>> asking = mcp::elicit<Confirmation>(call, "Restore 12 files?");
//   Result<mcp::ElicitExchange<Confirmation>> outcome = co_await std::move(asking);
//
// An exchange is what was said, as a conversation has it: the assistant uses the tool `elicit`, and the
// user's message is the tool's result. So it can go into the history of a question to a model (sampling.h).
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
  std::string message;       // What the user was asked.
  json::Raw context;         // What the handler wants remembered with it; the user does not see it.
  SamplingMessage request;   // The assistant's, with the message and the context.
  SamplingMessage response;  // The user's: action and content.
  std::vector<SamplingMessage> messages;  // Both, for the history.

  // Gives the history another context: less, mostly, than the handler had.
  void remember(json::Raw other);
};

template <class T>
struct ElicitExchange : Elicited {
  std::optional<T> content;  // Of an accepted form.
};

// By a form: `schema` is the JSON Schema of a flat object, the content comes as JSON.
// Errors: unsupported (the client shows no forms); unavailable (it refused, or its answer can't be read);
// cancelled.
Task<ElicitExchange<std::string>> elicit_form(Context& context, std::string message, std::string_view schema,
                                              json::Raw remembered);

// The two halves of elicit_form(), for whoever asks several questions at once (Context::ask).
Result<Question> form_question(const Context& context, std::string key, std::string_view message,
                               std::string_view schema);
Result<ElicitExchange<std::string>> form_answer(std::string message, json::Raw remembered,
                                                std::string_view answer);

// At a URL, for what must not pass through the client: secrets, payments. Accepting means that the user went
// there, not that anything was done. Errors: unsupported (the client opens no URLs); else as elicit_form().
Task<Elicited> elicit_at_url(Context& context, std::string message, std::string url);

// As T, a message whose schema file says `"asked": "form"`. Errors: as elicit_form(), and unfit_answer().
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
  if (!in.ok()) co_return unfit_answer(in, "The filled-in form");
  co_return out;
}

}  // namespace snapgen::mcp

#pragma once
// Sampling: a handler asks its client's language model.
//
//   Task<mcp::SampleExchange<Move>> asking = mcp::sample<Move>(call, std::move(question));
//   Result<mcp::SampleExchange<Move>> outcome = co_await std::move(asking);
//
// An exchange is what was said, closed so that it can go into the history of the next question as it is: the
// question, the answer, and, where the answer is the use of the tool `__schema__`, that tool's result "ok".
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/mcp/context.h"
#include "schemas/mcp/create_message_params.h"
#include "schemas/mcp/sampling_message.h"

namespace snapgen::mcp {

// The tool by which a structured answer is asked for; nobody has one of this name.
inline constexpr std::string_view schema_tool = "__schema__";

struct Unparsed {};

template <class T = Unparsed>
struct SampleExchange {
  SamplingMessage request;                // The last message of the question.
  SamplingMessage response;               // What the model said.
  std::vector<SamplingMessage> messages;  // Both; and the result of `__schema__`, if it was used.
  T parsed;                               // What the model gave to `__schema__`.
  std::string model;
  std::string stop_reason;  // endTurn, maxTokens, stopSequence, toolUse, ...; empty: not said.
};

SamplingMessage user_says(std::string text);
SamplingMessage assistant_says(std::string text);
// The text of a message, one block after the other.
std::string text_of(const SamplingMessage& message);

// What is wrong with a conversation, in a sentence; empty: nothing. A message in which the model uses tools
// must be followed by one of the user's that has the result of each use and nothing else.
std::string history_fault(const std::vector<SamplingMessage>& messages);

// `question.max_tokens` of 0 means 4096. Errors: unsupported (the client has no model, or offers it no
// tools); invalid_argument (the conversation); unavailable (the client refused, or its answer can't be read);
// cancelled.
Task<SampleExchange<>> sample(Context& context, CreateMessageParams question);

// The two halves of sample(), for whoever asks several questions at once (Context::ask).
Result<Question> sample_question(const Context& context, std::string key, CreateMessageParams question);
Result<SampleExchange<>> sample_answer(const SamplingMessage& request, std::string_view answer);

// A structured answer, as JSON that fits `schema` if the client keeps to it. Errors: as sample(); unavailable
// if the model did not use the tool.
struct SchemaExchange {
  SampleExchange<> exchange;
  std::string input;
};
Task<SchemaExchange> sample_schema(Context& context, CreateMessageParams question, std::string_view schema);

// The violations go to the handler: unavailable, with the details {"violations":[...]}.
Error unfit_answer(const json::Reader& in, std::string_view who);

// As T, a message whose schema file says `"asked": "model"`. Errors: as above, and unfit_answer().
template <class T>
Task<SampleExchange<T>> sample(Context& context, CreateMessageParams question) {
  const std::string_view schema = json_schema(static_cast<const T*>(nullptr));
  Task<SchemaExchange> asking = sample_schema(context, std::move(question), schema);
  Result<SchemaExchange> outcome = co_await std::move(asking);
  SchemaExchange said = co_await outcome;
  SampleExchange<T> out;
  json::Reader in(said.input);
  read(in, out.parsed);
  in.end();
  if (!in.ok()) co_return unfit_answer(in, "The model's answer");
  out.request = std::move(said.exchange.request);
  out.response = std::move(said.exchange.response);
  out.messages = std::move(said.exchange.messages);
  out.model = std::move(said.exchange.model);
  out.stop_reason = std::move(said.exchange.stop_reason);
  co_return out;
}

}  // namespace snapgen::mcp

#pragma once
// Sampling lets a handler ask the client's language model.
//
//   Task<mcp::SampleExchange<Move>> asking = mcp::sample<Move>(call, std::move(question));
//   Result<mcp::SampleExchange<Move>> outcome = co_await std::move(asking);
//
// An exchange can be added to the history of the next question as is. It contains the question and the answer
// and, if the answer uses the tool `__schema__`, that tool's result "ok".
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/mcp/context.h"
#include "schemas/mcp/create_message_params.h"
#include "schemas/mcp/sampling_message.h"

namespace snapgen::mcp {

// The tool through which the model gives a structured answer. No other tool may have this name.
inline constexpr std::string_view schema_tool = "__schema__";

struct Unparsed {};

template <class T = Unparsed>
struct SampleExchange {
  SamplingMessage request;                // The last message of the question.
  SamplingMessage response;               // The model's answer.
  std::vector<SamplingMessage> messages;  // Request, response and, if `__schema__` was used, its result.
  T parsed;                               // The model's arguments for `__schema__`.
  std::string model;
  std::string stop_reason;  // endTurn, maxTokens, stopSequence, toolUse or another; may be empty.
};

SamplingMessage user_message(std::string text);
// Returns the text blocks of a message, concatenated.
std::string text_of(const SamplingMessage& message);

// Returns a sentence that says what is wrong with a conversation; empty if it is valid. A message that uses
// tools must be followed by a user's message with the result of each use and nothing else.
std::string history_fault(const std::vector<SamplingMessage>& messages);

// Asks the model. A `question.max_tokens` of 0 means 4096. Errors: unsupported (the client has no model, or
// it takes no tools); invalid_argument (see history_fault()); unavailable (the client refused, or its answer
// is unreadable); cancelled.
Task<SampleExchange<>> sample(Context& context, CreateMessageParams question);

// These two make the question of sample() and read its answer. Use them to ask several questions together
// (Context::ask()).
Result<Question> sample_question(const Context& context, std::string key, CreateMessageParams question);
Result<SampleExchange<>> sample_answer(const SamplingMessage& request, std::string_view answer);

// Asks the model for an answer in JSON, which may not match `schema`. Errors: as sample(); unavailable (the
// model did not use the tool).
struct SchemaExchange {
  SampleExchange<> exchange;
  std::string input;
};
Task<SchemaExchange> sample_with_schema(Context& context, CreateMessageParams question,
                                        std::string_view schema);

// Returns the error `unavailable` for an answer that violates its schema, with details {"violations":[...]}.
Error invalid_answer_error(const json::Reader& in, std::string_view who);

// Asks for a T, a message whose schema file has `"asked": "model"`. Errors: as sample_with_schema() and
// invalid_answer_error().
template <class T>
Task<SampleExchange<T>> sample(Context& context, CreateMessageParams question) {
  const std::string_view schema = json_schema(static_cast<const T*>(nullptr));
  Task<SchemaExchange> asking = sample_with_schema(context, std::move(question), schema);
  Result<SchemaExchange> outcome = co_await std::move(asking);
  SchemaExchange exchange = co_await outcome;
  SampleExchange<T> out;
  json::Reader in(exchange.input);
  read(in, out.parsed);
  in.end();
  if (!in.ok()) co_return invalid_answer_error(in, "The model's answer");
  out.request = std::move(exchange.exchange.request);
  out.response = std::move(exchange.exchange.response);
  out.messages = std::move(exchange.exchange.messages);
  out.model = std::move(exchange.exchange.model);
  out.stop_reason = std::move(exchange.exchange.stop_reason);
  co_return out;
}

}  // namespace snapgen::mcp

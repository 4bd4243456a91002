#include "runtime/mcp/sampling.h"

#include <set>
#include <variant>

#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/render.h"
#include "schemas/mcp/create_message_result.h"

namespace snapgen::mcp {
namespace {

constexpr std::int64_t max_tokens_default = 4096;

SamplingMessage says(Role role, SamplingContent block) {
  SamplingMessage message;
  message.role = role;
  message.content.push_back(std::move(block));
  return message;
}

const ToolUseContent* schema_use(const SamplingMessage& message) {
  for (const SamplingContent& block : message.content) {
    const auto* use = std::get_if<ToolUseContent>(&block);
    if (use && use->name == schema_tool) return use;
  }
  return nullptr;
}

// Returns the result of `__schema__` for the history. It is just "ok", because the model knows its arguments.
SamplingMessage acknowledged(const ToolUseContent& use) {
  TextContent ok;
  ok.text = "ok";
  ToolResultContent result;
  result.tool_use_id = use.id;
  result.content.emplace_back(std::move(ok));
  return says(Role::user, SamplingContent(std::move(result)));
}

// Returns the params as JSON. Up to revision 2025-06-18, a message's content is one block and not a list.
Result<std::string> params_of(CreateMessageParams& question, Revision revision) {
  if (revision >= Revision::v2025_11_25) return json::to_json(question);
  std::string messages = "\"messages\":[";
  json::Writer out(messages);
  for (const SamplingMessage& message : question.messages) {
    if (message.content.size() != 1) {
      return Error(ErrorCode::unsupported,
                   "In revision " + std::string(text(revision)) +
                       " a message to the client's model must have exactly one content block.");
    }
    if (&message != &question.messages.front()) out.text(",");
    out.text("{\"content\":");
    const auto write_block = [&](const auto& block) { write(out, block); };
    std::visit(write_block, message.content.front());
    out.text(",\"role\":\"");
    out.text(text(message.role));
    out.text("\"}");
  }
  out.text("]");
  question.messages.clear();
  std::string params = json::to_json(question);
  constexpr std::string_view none = "\"messages\":[]";
  return params.replace(params.find(none), none.size(), messages);  // Only the number maxTokens precedes it.
}

}  // namespace

SamplingMessage user_message(std::string text) {
  TextContent block;
  block.text = std::move(text);
  return says(Role::user, SamplingContent(std::move(block)));
}

std::string text_of(const SamplingMessage& message) {
  std::string out;
  for (const SamplingContent& block : message.content)
    if (const auto* text = std::get_if<TextContent>(&block)) out += text->text;
  return out;
}

std::string history_fault(const std::vector<SamplingMessage>& messages) {
  if (messages.empty()) return "A request to the client's model needs at least one message.";
  std::set<std::string_view> used;
  for (const SamplingMessage& message : messages) {
    std::set<std::string_view> uses;
    std::set<std::string_view> results;
    for (const SamplingContent& block : message.content) {
      if (const auto* use = std::get_if<ToolUseContent>(&block)) uses.insert(use->id);
      if (const auto* result = std::get_if<ToolResultContent>(&block)) results.insert(result->tool_use_id);
    }
    if (!uses.empty() && message.role != Role::assistant)
      return "Only messages with the role assistant may use tools.";
    if (!results.empty() && message.role != Role::user)
      return "Tool results must be in a message with the role user.";
    if (!results.empty() && results.size() != message.content.size())
      return "A message with tool results must contain nothing else, and each result once.";
    if (results != used)
      return "A message that uses tools must be followed by a message with exactly their results.";
    used = std::move(uses);
  }
  return used.empty() ? "" : "The last message uses tools, but their results are missing.";
}

Result<Question> sample_question(const Context& context, std::string key, CreateMessageParams question) {
  const ClientAbilities client = context.client_abilities();
  if (!client.sampling)
    return Error(ErrorCode::unsupported,
                 "The client does not offer a model. Use a client that declares the capability sampling.");
  if ((question.tools || question.tool_choice) && !client.sampling_tools)
    return Error(ErrorCode::unsupported,
                 "The client's model does not support tools. Use a client that declares sampling.tools.");
  if (std::string fault = history_fault(question.messages); !fault.empty())
    return Error(ErrorCode::invalid_argument, std::move(fault));
  if (question.max_tokens == 0) question.max_tokens = max_tokens_default;
  std::string params = TRY(params_of(question, context.revision()));
  return Question{.key = std::move(key), .method = "sampling/createMessage", .params = std::move(params)};
}

Result<SampleExchange<>> sample_answer(const SamplingMessage& request, std::string_view answer) {
  CreateMessageResult result;
  json::Reader in(answer);
  read(in, result);
  in.end();
  if (!in.ok()) return invalid_answer_error(in, "The client's answer");
  SampleExchange<> exchange;
  exchange.request = request;
  exchange.response.role = result.role;
  if (auto* blocks = std::get_if<std::vector<SamplingContent>>(&result.content))
    exchange.response.content = std::move(*blocks);
  if (auto* block = std::get_if<SamplingContent>(&result.content))
    exchange.response.content.push_back(std::move(*block));
  exchange.messages = {exchange.request, exchange.response};
  exchange.model = std::move(result.model);
  exchange.stop_reason = result.stop_reason.value_or("");
  return exchange;
}

Task<SampleExchange<>> sample(Context& context, CreateMessageParams question) {
  SamplingMessage request;
  if (!question.messages.empty()) request = question.messages.back();
  Result<Question> prepared = sample_question(context, "sample", std::move(question));
  Question prepared_question = co_await prepared;
  Task<std::string> asking = ask_question(context, std::move(prepared_question));
  Result<std::string> outcome = co_await std::move(asking);
  std::string answer = co_await outcome;
  co_return sample_answer(request, answer);
}

Task<SchemaExchange> sample_with_schema(Context& context, CreateMessageParams question,
                                        std::string_view schema) {
  SamplingTool tool;
  tool.name = schema_tool;
  tool.description = "Answer by calling this tool.";
  tool.input_schema.text = schema;
  question.tools.emplace().push_back(std::move(tool));
  question.tool_choice.emplace().mode = CreateMessageParamsToolChoiceMode::required;
  Task<SampleExchange<>> asking = sample(context, std::move(question));
  Result<SampleExchange<>> outcome = co_await std::move(asking);
  SampleExchange<> exchange = co_await outcome;
  const ToolUseContent* use = schema_use(exchange.response);
  if (use == nullptr) {
    co_return Error(ErrorCode::unavailable, "The model did not call the tool __schema__ with its answer.");
  }
  SchemaExchange made;
  made.input = use->input.text;
  exchange.messages.push_back(acknowledged(*use));
  made.exchange = std::move(exchange);
  co_return made;
}

Error invalid_answer_error(const json::Reader& in, std::string_view who) {
  Error error = in.syntax_ok()
                    ? violation_error(std::string(who) + " does not fit its schema", in.violations())
                    : invalid_arguments(in);
  error.code = ErrorCode::unavailable;
  return error;
}

}  // namespace snapgen::mcp

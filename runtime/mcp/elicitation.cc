#include "runtime/mcp/elicitation.h"

#include "runtime/base/text.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/seal/seal.h"

namespace snapgen::mcp {
namespace {

constexpr std::string_view elicit_tool = "elicit";

SamplingMessage request_of(const Elicited& elicited) {
  ToolUseContent use;
  use.id = elicit_tool;
  use.name = elicit_tool;
  const Result<std::string> context = json::canonical(elicited.context.text);
  use.input.text = "{\"context\":" + (context ? *context : "null") +
                   ",\"message\":" + json::quoted(elicited.message) + "}";
  SamplingMessage message;
  message.role = Role::assistant;
  message.content.emplace_back(std::move(use));
  return message;
}

SamplingMessage response_of(const ElicitResult& answer) {
  TextContent text;
  text.text = json::to_json(answer);
  ToolResultContent result;
  result.tool_use_id = elicit_tool;
  result.content.emplace_back(std::move(text));
  SamplingMessage message;
  message.role = Role::user;
  message.content.emplace_back(std::move(result));
  return message;
}

}  // namespace

void Elicited::replace_context(json::Raw other) {
  context = std::move(other);
  request = request_of(*this);
  messages = {request, response};
}

Result<Question> form_question(const Context& context, std::string key, std::string_view message,
                               std::string_view schema) {
  if (!context.client_abilities().form)
    return Error(ErrorCode::unsupported, "The client does not support forms (elicitation.form).");
  std::string params = "{\"message\":" + json::quoted(message);
  // Revision 2025-06-18 supports forms only, and has no `mode` member.
  if (context.revision() >= Revision::v2025_11_25) params += ",\"mode\":\"form\"";
  params.append(",\"requestedSchema\":").append(schema).append("}");
  return Question{.key = std::move(key), .method = "elicitation/create", .params = std::move(params)};
}

Result<ElicitExchange<std::string>> form_answer(std::string message, json::Raw remembered,
                                                std::string_view answer) {
  ElicitResult result;
  json::Reader in(answer);
  read(in, result);
  in.end();
  if (!in.ok()) return invalid_answer_error(in, "The client's answer");
  ElicitExchange<std::string> exchange;
  exchange.action = result.action;
  exchange.message = std::move(message);
  exchange.response = response_of(result);
  exchange.replace_context(std::move(remembered));
  if (result.action == ElicitResultAction::accept)
    exchange.content = result.content ? result.content->text : "{}";
  return exchange;
}

Task<ElicitExchange<std::string>> elicit_form(Context& context, std::string message, std::string_view schema,
                                              json::Raw remembered) {
  Result<Question> prepared = form_question(context, "elicitation", message, schema);
  Question question = co_await prepared;
  Task<std::string> asking = ask_question(context, std::move(question));
  Result<std::string> outcome = co_await std::move(asking);
  std::string answer = co_await outcome;
  co_return form_answer(std::move(message), std::move(remembered), answer);
}

Task<Elicited> elicit_at_url(Context& context, std::string message, std::string url) {
  if (!context.client_abilities().url)
    co_return Error(ErrorCode::unsupported,
                    "The client does not open URLs. Use a client that declares elicitation.url.");
  std::string params = "{";
  if (!is_modern(context.revision())) {
    constexpr std::size_t id_bytes = 16;
    Result<std::string> drawn = random_bytes(id_bytes);
    std::string bytes = co_await drawn;
    params += "\"elicitationId\":\"" + hex(bytes) + "\",";
  }
  params += "\"message\":" + json::quoted(message) + ",\"mode\":\"url\",\"url\":" + json::quoted(url) + "}";
  Question question{.key = "elicitation", .method = "elicitation/create", .params = std::move(params)};
  Task<std::string> asking = ask_question(context, std::move(question));
  Result<std::string> outcome = co_await std::move(asking);
  std::string answer = co_await outcome;
  Result<ElicitExchange<std::string>> read = form_answer(std::move(message), {}, answer);
  ElicitExchange<std::string> exchange = co_await read;
  co_return std::move(static_cast<Elicited&>(exchange));
}

}  // namespace snapgen::mcp

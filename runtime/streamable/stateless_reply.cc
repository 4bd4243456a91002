#include "runtime/streamable/stateless_reply.h"

#include <utility>

#include "runtime/base/sentences.h"
#include "runtime/base/text.h"
#include "runtime/json/document.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/streamable/event_stream.h"

namespace snapgen::streamable {

StatelessReply::StatelessReply(http::Connection& connection, const mcp::Message& request)
    : connection_(connection),
      id_(request.id),
      lacks_metadata_(!request.meta_problem.empty() || !request.meta().protocol_version ||
                      !request.meta().client_capabilities) {}

int StatelessReply::status_of(int code) const {
  switch (static_cast<mcp::RpcCode>(code)) {
    case mcp::RpcCode::parse_error:
    case mcp::RpcCode::invalid_request:
    case mcp::RpcCode::header_mismatch:
    case mcp::RpcCode::missing_capability:
    case mcp::RpcCode::unsupported_version: return 400;
    case mcp::RpcCode::method_not_found: return 404;
    case mcp::RpcCode::invalid_params: return lacks_metadata_ ? 400 : 200;
    case mcp::RpcCode::internal_error:
    case mcp::RpcCode::resource_not_found: break;
  }
  return 200;
}

void StatelessReply::refuse(mcp::RpcCode code, std::string_view sentence) {
  const int number = static_cast<int>(code);
  const std::string message = "{\"error\":{\"code\":" + std::to_string(number) +
                              ",\"message\":" + json::quoted(sentence) +
                              "},\"id\":" + (id_.empty() ? "null" : id_) + ",\"jsonrpc\":\"2.0\"}";
  on_message(message, true, number);
}

void StatelessReply::on_message(std::string_view message, bool last, int code) {
  is_over_ = last;
  if (last && !is_streaming_) {
    connection_.write_response(status_of(code), json_fields, message);
  } else {
    if (!is_streaming_) connection_.begin_response(200, event_stream_fields);
    is_streaming_ = true;
    connection_.write_piece(event_text({}, message));
    if (last) connection_.end_response();
  }
  connection_.flush();
  if (last) connection_.wake_waiter();
}

void StatelessReply::send_heartbeat() {
  if (!std::exchange(has_waited_, true)) return;
  if (!is_streaming_) connection_.begin_response(200, event_stream_fields);
  is_streaming_ = true;
  connection_.write_piece(heartbeat_comment);
  connection_.flush();
}

void StatelessReply::on_dropped() {
  is_over_ = true;
  if (is_streaming_) {
    connection_.end_response();
  } else {
    connection_.write_response(503, "Content-Type: text/plain\r\n", shutting_down_sentence);
  }
  connection_.flush();
  connection_.wake_waiter();
}

namespace {

// Returns a string member of the request's params, or nullopt.
std::optional<std::string> param(const mcp::Message& message, std::string_view name) {
  json::Reader in(message.params);
  std::optional<std::string> found;
  json::read_members(in, name, found);
  return found;
}

std::optional<std::string> name_of(const mcp::Message& message) {
  if (message.method == "tools/call" || message.method == "prompts/get") return param(message, "name");
  if (message.method == "resources/read") return param(message, "uri");
  if (message.method == "tasks/get" || message.method == "tasks/update" || message.method == "tasks/cancel")
    return param(message, "taskId");
  return std::nullopt;
}

std::string said_twice(std::string_view field) {
  return "The header field " + std::string(field) + " must match the body of the request.";
}

// Whether the field occurs exactly once, with this value.
bool says(const http::RequestHead& head, std::string_view field, std::string_view value) {
  if (head.field_count(field) != 1) return false;
  const std::optional<std::string> decoded = decoded_field_value(head.field(field));
  return decoded && *decoded == value;
}

// Checks the header fields for the arguments whose input schema has an x-mcp-header.
std::optional<std::string> param_mismatch(const http::RequestHead& head, const json::Node& schema,
                                          const json::Node* given) {
  const json::Node* properties = schema.find("properties");
  if (!properties) return std::nullopt;
  for (const json::Member& property : properties->members) {
    const json::Node* value = given ? given->find(property.key) : nullptr;
    if (value && value->is(json::Kind::null)) value = nullptr;
    if (const json::Node* name = property.value.find("x-mcp-header")) {
      const std::string field = "Mcp-Param-" + name->text;
      std::string text = value ? value->text : std::string();
      if (value && value->is(json::Kind::boolean)) text = value->boolean ? "true" : "false";
      if (value ? !says(head, field, text) : head.field_count(field) != 0) return said_twice(field);
    }
    std::optional<std::string> below = param_mismatch(head, property.value, value);
    if (below) return below;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> decoded_field_value(std::string_view value) {
  constexpr std::string_view begin = "=?base64?";
  constexpr std::string_view end = "?=";
  if (value.size() < begin.size() + end.size() || !value.starts_with(begin) || !value.ends_with(end))
    return std::string(value);
  value.remove_prefix(begin.size());
  value.remove_suffix(end.size());
  return base64_decoded(value);
}

std::optional<std::string> header_mismatch_sentence(const http::RequestHead& head,
                                                    const mcp::Message& message, const mcp::Server& server) {
  constexpr std::string_view version_field = "MCP-Protocol-Version";
  const auto& version = message.meta().protocol_version;
  if (head.field_count(version_field) != 1 || (version && head.field(version_field) != *version))
    return said_twice(version_field);
  if (message.kind != mcp::Message::Kind::request) return std::nullopt;
  if (head.field_count("Mcp-Method") != 1 || head.field("Mcp-Method") != message.method)
    return said_twice("Mcp-Method");
  const std::optional<std::string> name = name_of(message);
  if (name && !says(head, "Mcp-Name", *name)) return said_twice("Mcp-Name");
  const mcp::Tool* tool = message.method == "tools/call" ? server.tool(message.name) : nullptr;
  if (!tool) return std::nullopt;
  const std::string_view listing = tool->listing[mcp::listing_form_count - 1][0];
  if (listing.find("\"x-mcp-header\"") == std::string_view::npos) return std::nullopt;
  const json::Document described = json::parse_document(listing);
  const json::Document arguments = json::parse_document(message.arguments);
  const json::Node* schema = described.root.find("inputSchema");
  return schema ? param_mismatch(head, *schema, &arguments.root) : std::nullopt;
}

}  // namespace snapgen::streamable

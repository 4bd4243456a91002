#include "runtime/streamable/stateless_reply.h"

#include <utility>

#include "runtime/base/sentences.h"
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

}  // namespace snapgen::streamable

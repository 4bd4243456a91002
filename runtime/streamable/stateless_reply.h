#pragma once
// StatelessReply sends the answer to one modern request on its connection: a single message as plain JSON,
// several as an event stream.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/connection.h"
#include "runtime/http/head.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/rpc.h"
#include "runtime/mcp/server.h"
#include "runtime/streamable/request_streams.h"

namespace snapgen::streamable {

class StatelessReply final : public Sink {
 public:
  StatelessReply(http::Connection& connection, const mcp::Message& request);
  StatelessReply(StatelessReply&&) = delete;

  bool is_over() const { return is_over_; }
  // Answers the request with a JSON-RPC error, before a session has received the request.
  void refuse(mcp::RpcCode code, std::string_view sentence);

  void on_message(std::string_view message, bool last, int code) override;
  void on_dropped() override;
  void send_heartbeat() override;

 private:
  int status_of(int code) const;

  http::Connection& connection_;
  std::string id_;
  bool lacks_metadata_;
  bool is_streaming_ = false;
  bool has_waited_ = false;  // At least one heartbeat has passed.
  bool is_over_ = false;
};

// These check the header fields of stateless requests (2026-07-28), which repeat parts of the body for
// proxies that route requests. Returns an error about the first header field that is missing or differs from
// the body, or nullopt.
std::optional<std::string> header_mismatch_sentence(const http::RequestHead& head,
                                                    const mcp::Message& message, const mcp::Server& server);

// Decodes a field's value: `=?base64?...?=` is base64, everything else is literal. Returns nullopt if the
// base64 is invalid.
std::optional<std::string> decoded_field_value(std::string_view value);

}  // namespace snapgen::streamable

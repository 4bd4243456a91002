#pragma once
// StatelessReply sends the answer to one modern request on its connection: a single message as plain JSON,
// several as an event stream.
#include <string>
#include <string_view>

#include "runtime/http/connection.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/rpc.h"
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

}  // namespace snapgen::streamable

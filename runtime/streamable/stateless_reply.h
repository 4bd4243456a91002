#pragma once
// StatelessReply: the answer to one modern request, on the connection that brought it: plain JSON if it comes
// alone, a stream of events if something comes before it.
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

  bool is_over() const { return over_; }
  // With an error of the transport's own.
  void refuse(mcp::RpcCode code, std::string_view sentence);

  void said(std::string_view message, bool last, int code) override;
  void over() override;
  void beat() override;

 private:
  int status_of(int code) const;

  http::Connection& connection_;
  std::string id_;
  bool lacks_metadata_;
  bool streaming_ = false;
  bool waited_ = false;  // For a whole beat.
  bool over_ = false;
};

}  // namespace snapgen::streamable

#pragma once
// Outbox: writes what the server says, one JSON-RPC message after the other, straight into the channel's
// buffer.
//
// What is written while messages are being read is sent by whoever reads them, once per batch of reads. What
// is written at any other time sets `work`, and the session's attendant sends it in the same turn of the
// loop.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/mcp/rpc.h"
#include "runtime/transport/channel.h"

namespace snapgen::mcp {

// The answers to the messages of one JSON-RPC batch (revision 2025-03-26), sent together when the last is
// there.
struct Batch {
  std::size_t open = 1;  // Requests without an answer, and one while the batch is being read.
  std::string answers;   // With commas between.
  RequestStream request_stream = 0;
};

// Whom an answer is for.
struct ReplyTo {
  std::string_view id;
  Batch* batch = nullptr;
  RequestStream request_stream = 0;
};

class Outbox {
 public:
  Outbox(Channel& channel, Event& work, std::size_t unsent_bytes_max)
      : channel_(channel), work_(work), unsent_bytes_max_(unsent_bytes_max) {}

  // `frame` comes between the id and the result's members and opens the result.
  void result(const ReplyTo& reply_to, std::string_view frame, std::string_view members);
  // `data` is one JSON value, or empty. A reply's address without an id gets `null`, as JSON-RPC wants it.
  void error(const ReplyTo& reply_to, RpcCode code, std::string_view sentence, std::string_view data = {});
  // `request_stream`: of the request that it belongs to.
  void notify(std::string_view method, std::string_view params, RequestStream request_stream = 0);
  // A request of the server's own. `params` is one JSON object.
  void request(std::int64_t id, std::string_view method, std::string_view params,
               RequestStream request_stream = 0);
  // A request that was not in a batch gets no answer.
  void unanswered(RequestStream request_stream);
  // See Context::detach().
  void detach(RequestStream request_stream, Millis back_after) {
    channel_.detach(request_stream, back_after);
  }

  // One request of the batch less to wait for: it was answered, or will not be.
  void finish_one(Batch& batch);

  void reading(bool now) { reading_ = now; }
  // The client does not take what it is sent: nothing is said now that can be left out.
  bool crowded() const { return channel_.unsent() > unsent_bytes_max_; }

 private:
  std::string& begin(Batch* batch, const Channel::Addressee& addressee);
  void end(Batch* batch);

  Channel& channel_;
  Event& work_;
  std::size_t unsent_bytes_max_;
  bool reading_ = false;
};

}  // namespace snapgen::mcp

#pragma once
// Outbox writes the server's JSON-RPC messages directly into the channel's buffer.
//
// Messages that are written while the session reads are flushed by the reader, once per batch of reads. At
// any other time the outbox sets `work`, and Session::handle_events() flushes them in the same turn of the
// loop.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/async/event.h"
#include "runtime/mcp/rpc.h"
#include "runtime/transport/channel.h"

namespace snapgen::mcp {

// The answers to one JSON-RPC batch (revision 2025-03-26). They are sent together when the last is complete.
struct Batch {
  std::size_t open_request_count = 1;  // The unanswered requests, plus one while the batch is read.
  std::string answers;                 // JSON texts, separated by commas.
  RequestStream request_stream = 0;
};

// The request that an answer belongs to.
struct ReplyTo {
  std::string_view id;
  Batch* batch = nullptr;
  RequestStream request_stream = 0;
};

class Outbox {
 public:
  Outbox(Channel& channel, Event& work, std::size_t unsent_bytes_max)
      : channel_(channel), work_(work), unsent_bytes_max_(unsent_bytes_max) {}

  // Sends a result. `result_prefix` is the text from the request's id to the result's members, and opens the
  // object.
  void send_result(const ReplyTo& reply_to, std::string_view result_prefix, std::string_view members);
  // Sends an error. `data` is one JSON value or empty. Without an id the message has `"id":null`.
  void send_error(const ReplyTo& reply_to, RpcCode code, std::string_view sentence,
                  std::string_view data = {});
  void send_notification(std::string_view method, std::string_view params, RequestStream request_stream = 0);
  // Sends a request from the server. `params` is one JSON object.
  void send_request(std::int64_t id, std::string_view method, std::string_view params,
                    RequestStream request_stream = 0);
  // Reports that a request outside a batch gets no answer.
  void report_unanswered(RequestStream request_stream);
  // Closes the connection of a request; see Context::disconnect_client().
  void disconnect_client(RequestStream request_stream, Millis back_after) {
    channel_.disconnect_client(request_stream, back_after);
  }

  // Marks one request of the batch as finished, whether or not it was answered.
  void finish_request_in(Batch& batch);

  void set_reading(bool now) { reading_ = now; }
  // Whether the client reads too slowly. Progress and log messages are then dropped.
  bool is_backlogged() const { return channel_.unsent_bytes() > unsent_bytes_max_; }

 private:
  std::string& begin_message(Batch* batch, const Channel::Addressee& addressee);
  void end_message(Batch* batch);

  Channel& channel_;
  Event& work_;
  std::size_t unsent_bytes_max_;
  bool reading_ = false;
};

}  // namespace snapgen::mcp

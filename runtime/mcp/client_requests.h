#pragma once
// ClientRequests sends requests to a stateful client (up to revision 2025-11-25) and matches its responses.
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "runtime/mcp/message.h"
#include "runtime/mcp/outbox.h"
#include "runtime/mcp/pending_questions.h"

namespace snapgen::mcp {

class ClientRequests {
 public:
  explicit ClientRequests(Outbox& outbox) : outbox_(outbox) {}

  // Sends every question. `asking` must outlive this object or be withdrawn.
  void send(PendingQuestions& asking, RequestStream request_stream);
  // Cancels the questions that are still open. Later answers to them are ignored.
  void withdraw(const PendingQuestions& asking);
  // Passes the client's response to its question. A response with an unknown id is ignored.
  void receive_response(const Message& response);

 private:
  struct OpenQuestion {
    PendingQuestions* asking;
    std::size_t index;
    RequestStream request_stream;
  };
  Outbox& outbox_;
  std::int64_t last_id_ = 0;
  std::unordered_map<std::int64_t, OpenQuestion> open_questions_;
};

}  // namespace snapgen::mcp

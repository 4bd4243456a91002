#pragma once
// ClientRequests: requests of the server's own, to a stateful client (revisions up to 2025-11-25).
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "runtime/mcp/message.h"
#include "runtime/mcp/outbox.h"
#include "runtime/mcp/pending_questions.h"

namespace snapgen::mcp {

class ClientRequests {
 public:
  explicit ClientRequests(Outbox& outbox) : outbox_(outbox) {}

  // Sends every question. `asking` must outlive this, or be withdrawn.
  // They belong to the request of this request stream.
  void send(PendingQuestions& asking, RequestStream request_stream);
  // What is still open is cancelled, and an answer to it passed over.
  void withdraw(const PendingQuestions& asking);
  // The client's response; one to nothing that is asked is passed over.
  void received(const Message& response);

 private:
  struct Open {
    PendingQuestions* asking;
    std::size_t index;
    RequestStream request_stream;
  };
  Outbox& outbox_;
  std::int64_t last_id_ = 0;
  std::unordered_map<std::int64_t, Open> open_;
};

}  // namespace snapgen::mcp

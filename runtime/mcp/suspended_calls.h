#pragma once
// SuspendedCalls: calls of stateless clients (2026-07-28) that wait for what they asked. The call was
// answered with `input_required`; its handler stays where it is until the client repeats the call with the
// answers.
//
// The repeated call names the suspended one by `requestState`: a ticket, sealed with a key of this process
// and bound to the method, the arguments and whom the connection belongs to. So it can't be forged, used for
// another call, or by someone else; and one that this process does not know (it was restarted, or too late)
// is refused with a sentence that says so.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/base/result.h"
#include "runtime/mcp/pending_questions.h"
#include "runtime/seal/seal.h"

namespace snapgen::mcp {

class PendingRequest;

// What a repeated call has in common with the one that was suspended.
struct CallIdentity {
  std::string_view principal;  // Whom the connection belongs to; empty: whoever started the process.
  std::string_view method;
  std::string_view params;  // The object's text, with or without what was added for the repetition.
  // Equal for equal calls, however the client lays out its JSON.
  std::string digest() const;
};

class SuspendedCalls {
 public:
  struct SuspendedCall {
    PendingRequest* pending;
    PendingQuestions* asking;
    std::string digest;
  };

  bool empty() const { return by_ticket_.empty(); }
  std::size_t size() const { return by_ticket_.size(); }

  // Returns the state for the client to send back. Errors: internal.
  Result<std::string> suspend(SuspendedCall suspended);
  // What `state` names. Errors: invalid_argument, in a sentence for the client.
  Result<SuspendedCall> find(std::string_view state, std::string_view digest);
  // The handler has gone on, or ended.
  void forget(const PendingRequest& pending);

 private:
  std::unique_ptr<Sealer> sealer_;  // Made when the first call is suspended.
  std::unordered_map<std::string, SuspendedCall> by_ticket_;
};

// What is still open, as an InputRequests object.
std::string input_requests(const PendingQuestions& asking);
// The members of an `input_required` result, in canonical order.
std::string input_required(const PendingQuestions& asking, std::string_view state);

// Hands the answers over that `responses` (a JSON object by the questions' keys) has for open questions; what
// else is there is passed over. Errors: invalid_argument (an answer is no object).
Result<Unit> take_responses(PendingQuestions& asking, std::string_view responses);

}  // namespace snapgen::mcp

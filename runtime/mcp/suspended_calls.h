#pragma once
// SuspendedCalls are calls of stateless clients (2026-07-28) that wait for answers to their questions. The
// call was answered with the result `input_required`. Its handler remains suspended until the client repeats
// the call with the answers.
//
// The repeated call names the suspended one by `requestState`, a ticket that is sealed with a key of this
// process and bound to the method and the arguments. It therefore cannot be forged, or used for another call.
// An unknown ticket (after a restart, or too late) is rejected with an explanation.
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

// Returns a digest that is equal for a suspended call and its repetition, however the client formats its
// JSON. `params` may have the members that a repetition adds.
std::string call_digest(std::string_view method, std::string_view params);

class SuspendedCalls {
 public:
  struct SuspendedCall {
    PendingRequest* request;
    PendingQuestions* questions;
    std::string digest;
  };

  std::size_t size() const { return by_ticket_.size(); }

  // Adds a call, and returns the requestState that the client sends back. Errors: internal (no randomness).
  Result<std::string> suspend(SuspendedCall suspended);
  // Returns the call that `state` names. Errors: invalid_argument, with a sentence for the client.
  Result<SuspendedCall> find(std::string_view state, std::string_view digest);
  // Removes a call. Call this when its handler has resumed or ended.
  void forget(const PendingRequest& pending);

 private:
  std::unique_ptr<Sealer> sealer_;  // Created for the first suspended call.
  std::unordered_map<std::string, SuspendedCall> by_ticket_;
};

// Returns the open questions as an InputRequests object.
std::string input_requests_json(const PendingQuestions& asking);
// Returns the members of an `input_required` result, in canonical order.
std::string input_required_members(const PendingQuestions& asking, std::string_view state);

// Records the answers of `responses`, a JSON object with the questions' keys. Other members are ignored.
// Errors: invalid_argument (not an object, a key given twice, or an answer that is not an object).
Result<Unit> record_responses(PendingQuestions& asking, std::string_view responses);

}  // namespace snapgen::mcp

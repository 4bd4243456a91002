#pragma once
// PendingQuestions are the questions that a handler has sent to its client and waits for.
//
// The session sends them: to a stateful client as requests (client_requests.h), to a stateless one as the
// result of the call, which the client then repeats (suspended_calls.h).
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/event.h"
#include "runtime/async/port.h"
#include "runtime/async/task.h"
#include "runtime/base/result.h"
#include "runtime/mcp/revision.h"
#include "schemas/mcp/client_capabilities.h"

namespace snapgen::mcp {

struct Question {
  std::string key;          // Unique among the questions that are asked together.
  std::string_view method;  // Such as "roots/list".
  std::string params = "{}";
  // How long a stateful client has to answer. Afterwards the question counts as refused (unavailable) and the
  // handler continues. With zero, Limits::answer_timeout applies, and the call fails when it has passed.
  Millis timeout{0};
};

class PendingQuestions {
 public:
  PendingQuestions(ReadyQueue& loop, std::vector<Question> questions)
      : questions_(std::move(questions)),
        answers_(questions_.size()),
        open_count_(questions_.size()),
        all_answered_(loop) {}

  const std::vector<Question>& questions() const { return questions_; }
  bool is_open(std::size_t index) const { return !answers_[index]; }
  bool is_complete() const { return open_count_ == 0; }
  // Returns the shortest timeout of the questions, or zero if none has one.
  Millis timeout() const;

  // Records a question's answer, a JSON object or an error. Later answers to it are ignored.
  void answer(std::size_t index, Result<std::string> answer);
  // Answers all open questions with this error.
  void fail_open_questions(const Error& error);

  // Waits for all answers; called by the handler. Errors: the first error among the answers; cancelled.
  Task<std::vector<std::string>> wait_for_answers(std::stop_token stop);

 private:
  std::vector<Question> questions_;
  std::vector<std::optional<Result<std::string>>> answers_;
  std::size_t open_count_;
  Event all_answered_;
};

// The capabilities of a client that matter for questions to it, and whether it supports tasks.
struct ClientAbilities {
  bool sampling = false;
  bool sampling_tools = false;
  bool form = false;  // it can show forms (elicitation)
  bool url = false;
  bool roots = false;
  bool tasks = false;  // It supports tasks (tasks.h).
  // Whether the client can be asked anything.
  bool any() const { return sampling || form || url || roots; }
};

// Returns a capability that these questions need and the client lacks, as ClientCapabilities JSON, or "".
std::string_view missing_capability_json(const ClientAbilities& able, const std::vector<Question>& questions);

// Reads the declared capabilities as the revision defines them. Without a declaration the client has none.
ClientAbilities abilities_of(const std::optional<ClientCapabilities>& capabilities, Revision revision);

}  // namespace snapgen::mcp

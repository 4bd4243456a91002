#pragma once
// PendingQuestions: what one handler asks its client, from the questions to the last answer.
//
// How a question travels is the session's affair: to a stateful client as a request of the server's own
// (inquiries.h), to a stateless one as the answer to the call, which the client then repeats (parking.h).
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
  std::string key;          // Names it among the questions asked with it.
  std::string_view method;  // "sampling/createMessage", "elicitation/create", "roots/list"
  std::string params = "{}";
  // How long a stateful client has to answer. Then the question counts as refused (unavailable), and the
  // handler continues. Zero: as long as Limits::answer_awaited says, and then the call fails.
  Millis patience{0};
};

class PendingQuestions {
 public:
  PendingQuestions(Ready& loop, std::vector<Question> questions)
      : questions_(std::move(questions)),
        answers_(questions_.size()),
        open_(questions_.size()),
        done_(loop) {}

  const std::vector<Question>& questions() const { return questions_; }
  bool is_open(std::size_t index) const { return !answers_[index]; }
  bool is_complete() const { return open_ == 0; }
  // The shortest of the questions' own; zero: none has one.
  Millis patience() const;

  // A result's text, one JSON object; or why there is none. The first answer counts.
  void answer(std::size_t index, Result<std::string> answer);
  // Answers all questions that are still open with this error.
  void give_up(const Error& error);

  // The handler's side. Errors: the first that a question was answered with; cancelled.
  Task<std::vector<std::string>> answers(std::stop_token stop);

 private:
  std::vector<Question> questions_;
  std::vector<std::optional<Result<std::string>>> answers_;
  std::size_t open_;
  Event done_;
};

// What a client can do when it is asked.
struct ClientAbilities {
  bool sampling = false;
  bool sampling_tools = false;
  bool form = false;  // elicitation
  bool url = false;
  bool roots = false;
  bool tasks = false;  // It can ask after tasks.
  // Whether it can be asked anything.
  bool any() const { return sampling || form || url || roots; }
};

// The capability without which the client must not be asked this, ClientCapabilities as JSON; empty if it has
// what it takes.
std::string_view missing_ability(const ClientAbilities& able, const std::vector<Question>& questions);

// What a revision gives these words to mean; nothing said: nothing.
ClientAbilities abilities_of(const std::optional<ClientCapabilities>& said, Revision revision);

}  // namespace snapgen::mcp

#include "runtime/mcp/context.h"

#include <array>

namespace snapgen::mcp {

Task<std::vector<std::string>> Context::ask(std::vector<Question>) {
  co_return Error(ErrorCode::unsupported,
                  "This call cannot ask the client. Pass what the tool would ask for as an argument.");
}

Task<std::string> ask_question(Context& context, Question question) {
  std::vector<Question> questions;
  questions.push_back(std::move(question));
  Task<std::vector<std::string>> asking = context.ask(std::move(questions));
  Result<std::vector<std::string>> outcome = co_await std::move(asking);
  std::vector<std::string> answers = co_await outcome;
  co_return std::move(answers.front());
}

std::string_view text(LogLevel level) {
  constexpr std::array<std::string_view, 8> names = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};
  return names[static_cast<std::size_t>(level)];
}

}  // namespace snapgen::mcp

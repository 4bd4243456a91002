#include "runtime/mcp/ask_question.h"

#include <utility>
#include <vector>

namespace snapgen::mcp {

Task<std::string> ask_question(Context& context, Question question) {
  std::vector<Question> questions;
  questions.push_back(std::move(question));
  Task<std::vector<std::string>> asking = context.ask(std::move(questions));
  Result<std::vector<std::string>> outcome = co_await std::move(asking);
  std::vector<std::string> answers = co_await outcome;
  co_return std::move(answers.front());
}

}  // namespace snapgen::mcp

#include "runtime/mcp/roots.h"

#include <utility>

#include "runtime/json/reader.h"
#include "runtime/mcp/sampling.h"
#include "schemas/mcp/list_roots_result.h"

namespace snapgen::mcp {

Result<Question> roots_question(const Context& context, std::string key) {
  if (!context.client_abilities().roots)
    return Error(ErrorCode::unsupported,
                 "The client does not report its folders. Use a client that declares roots.");
  return Question{.key = std::move(key), .method = "roots/list"};
}

Result<std::vector<Root>> roots_answer(std::string_view answer) {
  ListRootsResult result;
  json::Reader in(answer);
  read(in, result);
  in.end();
  if (!in.ok()) return invalid_answer_error(in, "The client's answer");
  return std::move(result.roots);
}

Task<std::vector<Root>> ask_for_roots(Context& context, Millis timeout) {
  Result<Question> prepared = roots_question(context, "roots");
  Question question = co_await prepared;
  question.timeout = timeout;
  Task<std::string> asking = ask_question(context, std::move(question));
  Result<std::string> outcome = co_await std::move(asking);
  std::string answer = co_await outcome;
  co_return roots_answer(answer);
}

}  // namespace snapgen::mcp

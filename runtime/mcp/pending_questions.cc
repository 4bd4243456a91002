#include "runtime/mcp/pending_questions.h"

#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/rules.h"

namespace snapgen::mcp {

void PendingQuestions::answer(std::size_t index, Result<std::string> answer) {
  if (answers_[index]) return;
  answers_[index].emplace(std::move(answer));
  if (--open_count_ == 0) all_answered_.set();
}

Millis PendingQuestions::timeout() const {
  Millis shortest{0};
  for (const Question& question : questions_)
    if (question.timeout != Millis(0) && (shortest == Millis(0) || question.timeout < shortest))
      shortest = question.timeout;
  return shortest;
}

void PendingQuestions::fail_open_questions(const Error& error) {
  for (std::size_t i = 0; i < answers_.size(); ++i)
    if (is_open(i)) answer(i, error);
}

Task<std::vector<std::string>> PendingQuestions::wait_for_answers(std::stop_token stop) {
  Result<Unit> done = co_await all_answered_.wait(stop);
  if (!done) co_return std::move(done).error();
  std::vector<std::string> texts;
  for (std::optional<Result<std::string>>& answer : answers_) {
    if (!*answer) co_return std::move(*answer).error();
    texts.push_back(std::move(**answer));
  }
  co_return texts;
}

std::string_view missing_capability_json(const ClientAbilities& able,
                                         const std::vector<Question>& questions) {
  for (const Question& question : questions) {
    if (question.method == "sampling/createMessage" && !able.sampling) return "{\"sampling\":{}}";
    if (question.method == "elicitation/create" && !able.form && !able.url) return "{\"elicitation\":{}}";
    if (question.method == "roots/list" && !able.roots) return "{\"roots\":{}}";
  }
  return {};
}

ClientAbilities abilities_of(const std::optional<ClientCapabilities>& capabilities, Revision revision) {
  ClientAbilities able;
  if (!capabilities) return able;
  able.sampling = capabilities->sampling.has_value();
  able.roots = capabilities->roots.has_value();
  if (revision >= Revision::v2025_11_25 && capabilities->sampling)
    able.sampling_tools = capabilities->sampling->tools.has_value();
  if (revision >= Revision::v2025_06_18 && capabilities->elicitation) {
    able.url = revision >= Revision::v2025_11_25 && capabilities->elicitation->url.has_value();
    // Without a declared mode the client supports forms, as in the revisions before modes existed.
    able.form = capabilities->elicitation->form.has_value() || !capabilities->elicitation->url;
  }
  if (is_modern(revision) && capabilities->extensions) {
    json::Reader extensions(capabilities->extensions->text);
    able.tasks = json::has_member(extensions, "io.modelcontextprotocol/tasks");
  }
  return able;
}

}  // namespace snapgen::mcp

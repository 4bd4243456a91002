#include "runtime/mcp/asking.h"

#include <utility>

namespace snapgen::mcp {

void Asking::answer(std::size_t index, Result<std::string> answer) {
  if (answers_[index]) return;
  answers_[index].emplace(std::move(answer));
  if (--open_ == 0) done_.set();
}

Task<std::vector<std::string>> Asking::answers(std::stop_token stop) {
  Result<Unit> came = co_await done_.wait(stop);
  if (!came) co_return std::move(came).error();
  std::vector<std::string> texts;
  for (std::optional<Result<std::string>>& answer : answers_) {
    if (!*answer) co_return std::move(*answer).error();
    texts.push_back(std::move(**answer));
  }
  co_return texts;
}

ClientAbilities abilities_of(const std::optional<ClientCapabilities>& said, Revision revision) {
  ClientAbilities able;
  if (!said) return able;
  able.sampling = said->sampling.has_value();
  able.roots = said->roots.has_value();
  if (revision >= Revision::v2025_11_25 && said->sampling)
    able.sampling_tools = said->sampling->tools.has_value();
  if (revision >= Revision::v2025_06_18 && said->elicitation) {
    able.url = revision >= Revision::v2025_11_25 && said->elicitation->url.has_value();
    // Nothing said is a form, as it was before there was anything to say.
    able.form = said->elicitation->form.has_value() || !said->elicitation->url;
  }
  return able;
}

}  // namespace snapgen::mcp

#pragma once
// format_output: converts structured content to text through the struct of the tool's output.
#include <string>
#include <string_view>
#include <variant>

#include "runtime/json/reader.h"

namespace snapgen::tools {

// Reads `structured` with `read_output` and passes the variant that it has to `answer_of`, which returns the
// text. A failed call has no structured content, so the variant of a failure does not occur.
template <class Output, class AnswerOf>
std::string format_output(std::string_view structured, void (*read_output)(json::Reader&, Output&),
                          const AnswerOf& answer_of) {
  Output output;
  json::Reader in(structured);
  read_output(in, output);
  const auto visit = [&](auto& answer) -> std::string {
    if constexpr (requires { answer.error; })
      return std::string(structured);
    else
      return answer_of(answer);
  };
  return std::visit(visit, output);
}

// Returns " lease_…" for an answer about the work tree, or an empty text for one about a snapshot. `asked` is
// the lease that the call passed, or empty. If that lease is unknown, the answer has another one.
template <class Answer>
std::string lease_suffix(const Answer& answer, std::string_view asked = {}) {
  if constexpr (requires { answer.lease_id; }) {
    const bool is_unknown = !asked.empty() && asked != answer.lease_id;
    return " " + answer.lease_id + (is_unknown ? " (new: the lease of the call is unknown)" : "");
  } else {
    return {};
  }
}

}  // namespace snapgen::tools

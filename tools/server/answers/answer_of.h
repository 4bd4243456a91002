#pragma once
// Functions for the answers of several tools: reading the structured content into the struct of the tool's
// output, and measuring what fits.
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "tools/engine/base/encoding.h"
#include "tools/server/answers/unformatted_answer.h"

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

inline bool is_encoded(std::string_view content) { return content.starts_with(core::base64_prefix); }

// Returns the size of a text inside a JSON string, in bytes.
inline std::size_t encoded_size(std::string_view text) { return json::quoted(text).size() - 2; }

// Returns how many of the items fit as canonical JSON.
template <class Item>
std::size_t count_fitting(const std::vector<Item>& items, TextLimit limit) {
  std::size_t count = 0;
  while (count < items.size() && limit.try_consume(json::to_json(items[count]).size() + 1, 0)) ++count;
  return count;
}

}  // namespace snapgen::tools

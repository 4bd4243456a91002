#include "runtime/mcp/render.h"

#include <utility>

#include "runtime/base/text.h"

namespace snapgen::mcp {

namespace {

// Only a few are listed: a model can correct a few at a time, and many usually have one cause.
constexpr std::size_t violations_shown_max = 5;

std::string sentence(std::string_view subject, const std::vector<json::Violation>& violations) {
  std::string text(subject);
  for (std::size_t i = 0; i < violations.size() && i < violations_shown_max; ++i) {
    text += i == 0 ? ": " : "; ";
    if (!violations[i].pointer.empty()) text += "at " + violations[i].pointer + " ";
    text += violations[i].message;
  }
  if (violations.size() > violations_shown_max)
    text += " (and " + std::to_string(violations.size() - violations_shown_max) + " more)";
  return with_full_stop(std::move(text));
}

}  // namespace

Error invalid_arguments(const json::Reader& in) {
  if (!in.syntax_ok())
    return Error(ErrorCode::invalid_argument,
                 "The arguments are not JSON: " + std::string(in.error_message()) + ".");
  return invalid_arguments(in.violations());
}

Error invalid_arguments(const std::vector<json::Violation>& violations) {
  return violation_error("The arguments do not fit the tool's schema", violations);
}

Error violation_error(std::string_view subject, const std::vector<json::Violation>& violations) {
  std::string list = "[";
  json::Writer out(list);
  for (const json::Violation& each : violations) {
    if (&each != &violations.front()) out.text(",");
    out.text("{\"keyword\":");
    out.string(each.keyword);
    out.text(",\"message\":");
    out.string(each.message);
    out.text(",\"pointer\":");
    out.string(each.pointer);
    out.text("}");
  }
  out.text("]");
  return Error(ErrorCode::invalid_argument, sentence(subject, violations),
               ErrorDetails().add_json("violations", std::move(list)));
}

}  // namespace snapgen::mcp

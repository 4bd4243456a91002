#include "tools/server/answers/envelope_answers.h"

#include <array>

#include "runtime/json/members.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/answers/outline.h"

namespace snapgen::tools {
namespace {

// Members about the connection to the browser, which a model does not need.
constexpr std::array<std::string_view, 5> transport_members = {"attempts", "message_id", "payload",
                                                               "round_trip_ms", "status"};

}  // namespace

std::string facade_answer(const UnformattedAnswer& answered) {
  std::string text(answered.summary);
  if (!text.empty()) text += "\n";
  append_outline(text, json::member_json(answered.structured, "data"), {}, answered.summary);
  return text + next_actions_text(json::member_json(answered.structured, "next_actions"));
}

std::string bridge_answer(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured, transport_members);
  append_outline(text, json::member_json(answered.structured, "payload"));
  return text;
}

std::string plain_answer(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured);
  return text.empty() ? std::string(answered.structured) : text;
}

}  // namespace snapgen::tools

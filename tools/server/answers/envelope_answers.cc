#include "tools/server/answers/envelope_answers.h"

#include <array>

#include "runtime/json/reader.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/answers/outline.h"

namespace snapgen::tools {
namespace {

// Details of the transport to the browser, which a model does not need.
constexpr std::array<std::string_view, 5> transport_members = {"attempts", "message_id", "payload",
                                                               "round_trip_ms", "status"};

// The JSON text of a member; empty if it is absent.
std::string_view member_text(std::string_view object, std::string_view wanted) {
  std::string_view found;
  json::Reader in(object);
  if (!in.begin_object()) return found;
  std::string_view name;
  while (in.next_key(name)) {
    if (name == wanted)
      in.raw(found);
    else
      in.skip();
  }
  return found;
}

}  // namespace

std::string facade_text(const UnformattedAnswer& answered) {
  std::string text(answered.summary);
  if (!text.empty()) text += "\n";
  append_outline(text, member_text(answered.structured, "data"));
  return text + proposals_text(member_text(answered.structured, "next_actions"));
}

std::string bridge_text(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured, transport_members);
  append_outline(text, member_text(answered.structured, "payload"));
  return text;
}

std::string plain_text(const UnformattedAnswer& answered) {
  std::string text;
  append_outline(text, answered.structured);
  return text.empty() ? std::string(answered.structured) : text;
}

}  // namespace snapgen::tools

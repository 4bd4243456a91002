#include "tools/engine/store/history/host_event.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/json/members.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/base/redact.h"

namespace snapgen::core {
namespace {

constexpr std::array<std::pair<HostEventKind, std::string_view>, 6> kind_names{{
    {HostEventKind::session_begin, "session_begin"},
    {HostEventKind::session_end, "session_end"},
    {HostEventKind::prompt, "prompt"},
    {HostEventKind::turn_end, "turn_end"},
    {HostEventKind::tool_begin, "tool_begin"},
    {HostEventKind::tool_end, "tool_end"},
}};

// Returns at most `count_max` code points from the beginning of valid UTF-8.
std::string_view first_code_points(std::string_view utf8, std::size_t count_max) {
  std::size_t end = 0;
  while (end < utf8.size() && count_max-- > 0) {
    ++end;
    while (end < utf8.size() && (static_cast<unsigned char>(utf8[end]) & 0xC0U) == 0x80) ++end;
  }
  return utf8.substr(0, end);
}

}  // namespace

std::string_view text(HostEventKind kind) {
  return std::ranges::find(kind_names, kind, [](const auto& each) { return each.first; })->second;
}

std::optional<HostEventKind> host_event_kind_named(std::string_view name) {
  for (const auto& [kind, known] : kind_names)
    if (known == name) return kind;
  return std::nullopt;
}

HostEvent within_limits(HostEvent event) {
  for (std::string* id : {&event.host, &event.session, &event.turn, &event.call, &event.tool})
    id->resize(utf8_head(*id, event_id_bytes_max).size());
  // The beginning is cut first, because a prompt may have megabytes, and once more since a cut may end a
  // secret in the middle.
  event.detail.resize(utf8_head(event.detail, event_detail_max * 16).size());
  redact_in_place(event.detail);
  event.detail.resize(first_code_points(event.detail, event_detail_max).size());
  return event;
}

std::string encoded_event(const HostEvent& event) {
  return JsonObject()
      .add("event", text(event.kind))
      .add("at_ms", event.at_ms)
      .add_if_any("host", event.host)
      .add_if_any("session", event.session)
      .add_if_any("turn", event.turn)
      .add_if_any("call", event.call)
      .add_if_any("tool", event.tool)
      .add_if_any("detail", event.detail)
      .finish();
}

std::optional<HostEvent> parse_event(std::string_view line) {
  HostEvent event;
  std::string kind;
  json::Reader in(line);
  json::read_members(in, "event", kind, "at_ms", event.at_ms, "host", event.host, "session", event.session,
                     "turn", event.turn, "call", event.call, "tool", event.tool, "detail", event.detail);
  in.end();
  const std::optional<HostEventKind> known = host_event_kind_named(kind);
  if (!in.ok() || !known) return std::nullopt;
  event.kind = *known;
  return event;
}

}  // namespace snapgen::core

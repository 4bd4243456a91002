#pragma once
// HostEvent: what the hook of an AI host reported about its work. Events give the moments of the history
// (moment.h) their meaning: sessions, turns, tools and shell commands.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snapgen::core {

enum class HostEventKind : std::uint8_t {
  session_begin,
  session_end,
  prompt,
  turn_end,
  tool_begin,
  tool_end
};
std::string_view text(HostEventKind kind);  // Such as "prompt" or "tool_begin".
std::optional<HostEventKind> host_event_kind_named(std::string_view name);

// The texts are UTF-8, and may be empty if the host does not report them.
struct HostEvent {
  HostEventKind kind = HostEventKind::prompt;
  std::int64_t at_ms = 0;  // Since 1970.
  std::string host;        // The name of the host, as in host_table.h.
  std::string session;     // The host's id of the session.
  std::string turn;        // The host's id of the prompt.
  std::string call;        // The host's id of the tool call.
  std::string tool;        // The name of the tool.
  // The beginning of the prompt, of a shell command, or the path that the tool got.
  std::string detail;

  bool operator==(const HostEvent&) const = default;
};

// Limits of the texts in an event, in UTF-8 bytes for ids, and in code points for the detail.
inline constexpr std::size_t event_id_bytes_max = 200;
inline constexpr std::size_t event_detail_max = 200;

// Returns the event with texts within the limits: longer ones are cut, and secrets in the detail are hidden.
HostEvent within_limits(HostEvent event);

// One JSON object without line breaks, and the reverse: nullopt if the text is no event.
std::string encoded_event(const HostEvent& event);
std::optional<HostEvent> parse_event(std::string_view line);

}  // namespace snapgen::core

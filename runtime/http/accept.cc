#include "runtime/http/accept.h"

#include <algorithm>
#include <cstddef>

#include "runtime/base/ascii.h"

namespace snapgen::http {
namespace {

// Removes and returns the text before the next separator outside quotes.
std::string_view take_part(std::string_view& rest, char separator) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < rest.size() && (quoted || rest[end] != separator); ++end) {
    if (rest[end] == '"') quoted = !quoted;
    if (quoted && rest[end] == '\\' && end + 1 < rest.size()) ++end;
  }
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(part);
}

// Returns how specifically a media range such as "text/*" matches the type: 3 is exact, 0 is no match.
int exactness(std::string_view range, std::string_view type) {
  constexpr int exact = 3;
  if (equal_ignoring_case(range, type)) return exact;
  if (range == "*/*") return 1;
  const std::string_view family = type.substr(0, type.find('/') + 1);
  return range.ends_with("/*") && equal_ignoring_case(range.substr(0, range.size() - 1), family) ? 2 : 0;
}

bool is_zero(std::string_view weight) {
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

bool accepts_media_type(const RequestHead& head, std::string_view type) {
  int best = 0;
  bool taken = false;
  for (const Field& field : head.fields) {
    if (!equal_ignoring_case(field.name, "Accept")) continue;
    for (std::string_view rest = field.value; !rest.empty();) {
      std::string_view parameters = take_part(rest, ',');
      const int exact = exactness(take_part(parameters, ';'), type);
      if (exact == 0 || exact < best) continue;
      bool wanted = true;
      while (!parameters.empty()) {
        const std::string_view parameter = take_part(parameters, ';');
        if (equal_ignoring_case(parameter.substr(0, 2), "q=")) wanted = !is_zero(parameter.substr(2));
      }
      taken = wanted || (taken && exact == best);
      best = exact;
    }
  }
  return taken;
}

}  // namespace snapgen::http

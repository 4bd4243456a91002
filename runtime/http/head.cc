#include "runtime/http/head.h"

#include <algorithm>

#include "runtime/base/ascii.h"

namespace snapgen::http {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t";
  const std::size_t begin = text.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white) + 1 - begin);
}

std::string_view RequestHead::field(std::string_view name) const {
  for (const Field& field : fields)
    if (equal_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::size_t RequestHead::field_count(std::string_view name) const {
  const auto named = [name](const Field& field) { return equal_ignoring_case(field.name, name); };
  return static_cast<std::size_t>(std::ranges::count_if(fields, named));
}

bool RequestHead::has_list_item(std::string_view name, std::string_view word) const {
  for (const Field& field : fields) {
    if (!equal_ignoring_case(field.name, name)) continue;
    for (std::size_t begin = 0; begin <= field.value.size();) {
      const std::size_t end = std::min(field.value.find(',', begin), field.value.size());
      if (equal_ignoring_case(trimmed(field.value.substr(begin, end - begin)), word)) return true;
      begin = end + 1;
    }
  }
  return false;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

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

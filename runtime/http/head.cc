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

}  // namespace snapgen::http

#include "runtime/streamable/guard.h"

#include <algorithm>

#include "runtime/base/ascii.h"
#include "runtime/seal/seal.h"

namespace snapgen::streamable {
namespace {

http::Denial forbidden(std::string_view sentence) {
  return {.status = 403, .fields = "Content-Type: text/plain\r\n", .body = std::string(sentence)};
}

bool is_local_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return is_local_authority(origin.substr(scheme.size()));
  return false;
}

bool has_token(const http::RequestHead& head, std::string_view token) {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view given = head.field("Authorization");
  return head.field_count("Authorization") == 1 && given.size() > scheme.size() &&
         equal_ignoring_case(given.substr(0, scheme.size()), scheme) &&
         constant_time_equal(given.substr(scheme.size()), token);
}

}  // namespace

bool is_local_authority(std::string_view authority) {
  for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
    if (!equal_ignoring_case(authority.substr(0, name.size()), name)) continue;
    std::string_view port = authority.substr(name.size());
    if (port.empty()) return true;
    constexpr std::size_t port_size_max = 6;
    return port.size() > 1 && port.size() <= port_size_max && port.front() == ':' &&
           std::ranges::all_of(port.substr(1), is_digit);
  }
  return false;
}

std::optional<http::Denial> access_denial(const http::RequestHead& head, const AccessRules& access) {
  if (access.is_loopback_only && !is_local_authority(head.host))
    return forbidden("Host must be localhost, 127.0.0.1 or [::1].");
  if (head.field_count("Origin") > 1) return forbidden("A request must not have more than one Origin field.");
  if (head.field_count("Origin") == 1) {
    const std::string_view origin = head.field("Origin");
    if (!is_local_origin(origin) && std::ranges::find(access.origins, origin) == access.origins.end())
      return forbidden("This Origin is not allowed. Start the server with --allow-origin to allow it.");
  }
  if (!access.token.empty() && !has_token(head, access.token)) {
    return http::Denial{.status = 401,
                        .fields = "Content-Type: text/plain\r\nWWW-Authenticate: Bearer\r\n",
                        .body = "This server requires a bearer token."};
  }
  return std::nullopt;
}

}  // namespace snapgen::streamable

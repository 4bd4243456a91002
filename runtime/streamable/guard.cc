#include "runtime/streamable/guard.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "runtime/base/ascii.h"
#include "runtime/json/writer.h"
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

Result<Address> parse_address(std::string_view text) {
  const Error wrong(ErrorCode::invalid_argument,
                    json::quoted(text) +
                        " is not an address to listen on. Use [HOST:]PORT, such as 8080, 127.0.0.1:8080 or "
                        "[::1]:8080.");
  Address address;
  const std::size_t colon = text.rfind(':');
  std::string_view port = text;
  if (colon != std::string_view::npos) {
    std::string_view host = text.substr(0, colon);
    port = text.substr(colon + 1);
    const bool brackets = host.starts_with('[') && host.ends_with(']') && host.size() > 2;
    if (brackets) host = host.substr(1, host.size() - 2);
    if (host.empty() || host.find_first_of("[]") != std::string_view::npos ||
        brackets != (host.find(':') != std::string_view::npos))
      return wrong;
    if (host != "localhost") address.host = host;
  }
  const auto read = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || read.ec != std::errc() || read.ptr != port.data() + port.size()) return wrong;
  return address;
}

Result<AccessRules> access_rules_for(const Address& address, std::string token) {
  constexpr std::size_t token_bytes_min = 16;
  AccessRules access;
  access.is_loopback_only = is_loopback(address);
  if (!access.is_loopback_only && token.empty()) {
    return Error(ErrorCode::invalid_argument, address.host + " can be reached from other machines: set " +
                                                  std::string(token_variable) +
                                                  " to a secret that clients send as their bearer token.");
  }
  if (!token.empty() && token.size() < token_bytes_min) {
    return Error(ErrorCode::invalid_argument, std::string(token_variable) + " must have at least " +
                                                  std::to_string(token_bytes_min) + " characters.");
  }
  access.token = std::move(token);
  return access;
}

std::string url_of(const Address& address, std::string_view path) {
  const bool brackets = address.host.find(':') != std::string::npos;
  const std::string host = brackets ? "[" + address.host + "]" : address.host;
  return "http://" + host + ":" + std::to_string(address.port) + std::string(path);
}

}  // namespace snapgen::streamable

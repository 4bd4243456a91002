#include "runtime/streamable/cors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <arpa/inet.h>

#include "runtime/base/ascii.h"

namespace snapgen::streamable {
namespace {

bool consists_of(std::string_view text, std::string_view marks) {
  return !text.empty() && std::ranges::all_of(text, [marks](char c) {
    return is_lower(c) || is_digit(c) || marks.find(c) != std::string_view::npos;
  });
}

// Returns an IPv6 address in brackets, in the short form that browsers use; empty if it is invalid.
std::string ipv6_host(const std::string& text) {
  in6_addr address = {};
  std::array<char, INET6_ADDRSTRLEN> out;
  if (inet_pton(AF_INET6, text.c_str(), &address) != 1) return {};
  return std::string("[") + inet_ntop(AF_INET6, &address, out.data(), out.size()) + "]";
}

bool is_named(const http::RequestHead& head, const AccessRules& access) {
  return head.field_count("Origin") == 1 &&
         std::ranges::find(access.origins, head.field("Origin")) != access.origins.end();
}

// Returns the header fields that clients of either era send. Schemas name the `Mcp-Param-` fields of tool
// arguments, so every requested field with that prefix is allowed.
std::string allowed_headers(const http::RequestHead& head) {
  std::string out =
      "Content-Type, Authorization, Mcp-Session-Id, MCP-Protocol-Version, Last-Event-ID, Mcp-Method, "
      "Mcp-Name";
  std::string_view requested = head.field("Access-Control-Request-Headers");
  while (!requested.empty()) {
    const std::size_t end = std::min(requested.find(','), requested.size());
    std::string name(http::trimmed(requested.substr(0, end)));
    requested.remove_prefix(std::min(end + 1, requested.size()));
    name = to_lower(name);
    if (name.starts_with("mcp-param-") && consists_of(name, "-_")) out.append(", ").append(name);
  }
  return out;
}

}  // namespace

Result<std::string> parse_origin(std::string_view text) {
  const Error wrong(ErrorCode::invalid_argument,
                    "--allow-origin takes an origin as browsers send it, a scheme, a host and optionally a "
                    "port, with nothing after them: https://example.org or http://localhost:5173.");
  std::string origin(text);
  origin = to_lower(origin);
  const std::size_t separator = origin.find("://");
  if (separator == std::string::npos) return wrong;
  const std::string scheme = origin.substr(0, separator);
  if (!consists_of(scheme, "+-.") || scheme.front() < 'a') return wrong;
  std::string host = origin.substr(separator + 3);
  std::string port;
  const std::size_t colon = host.find(':', host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0);
  if (colon != std::string::npos) {
    std::uint16_t number = 0;
    const char* const end = host.data() + host.size();
    const auto read = std::from_chars(host.data() + colon + 1, end, number);
    if (read.ec != std::errc() || read.ptr != end) return wrong;
    const bool own = (scheme == "http" && number == 80) || (scheme == "https" && number == 443);
    if (!own) port = ":" + std::to_string(number);
    host.resize(colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) {
    host = ipv6_host(host.substr(1, host.size() - 2));
    if (host.empty()) return wrong;
  } else if (!consists_of(host, "-._")) {
    return wrong;
  }
  return scheme + "://" + host + port;
}

std::string cors_fields(const http::RequestHead& head, const AccessRules& access) {
  if (!is_named(head, access)) return {};
  return "Access-Control-Allow-Origin: " + std::string(head.field("Origin")) +
         "\r\nAccess-Control-Expose-Headers: Mcp-Session-Id\r\nVary: Origin\r\n";
}

std::optional<http::Denial> preflight_answer(const http::RequestHead& head, const AccessRules& access) {
  if (head.method != "OPTIONS" || head.field_count("Access-Control-Request-Method") == 0) return std::nullopt;
  if (!is_named(head, access) || (access.is_loopback_only && !is_local_authority(head.host)))
    return std::nullopt;
  return http::Denial{.status = 204,
                      .fields =
                          "Access-Control-Allow-Methods: POST, GET, DELETE\r\n"
                          "Access-Control-Allow-Headers: " +
                          allowed_headers(head) + "\r\nAccess-Control-Max-Age: 7200\r\n"};
}

}  // namespace snapgen::streamable

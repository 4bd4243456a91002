#include "runtime/streamable/listen_address.h"

#include <charconv>
#include <utility>

#include "runtime/json/writer.h"

namespace snapgen::streamable {

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

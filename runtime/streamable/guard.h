#pragma once
// The guard decides which clients may use the server at all. A web page can send requests to servers on the
// user's machine, even under a host name of its own that resolves to that machine (DNS rebinding). So Host
// and Origin are checked before the body is read.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/async/acceptor.h"
#include "runtime/base/result.h"
#include "runtime/http/head.h"
#include "runtime/http/server.h"

namespace snapgen::streamable {

struct AccessRules {
  // Whether the server listens on loopback only. Then Host must be localhost, 127.0.0.1 or [::1].
  bool is_loopback_only = true;
  // The bearer token that requests must have. If empty, none is required.
  std::string token;
  // Allowed origins (in the form of parse_origin()) besides those of this machine.
  std::vector<std::string> origins;
};

std::optional<http::Denial> access_denial(const http::RequestHead& head, const AccessRules& access);

// Whether the authority is localhost, 127.0.0.1 or [::1], with or without a port.
bool is_local_authority(std::string_view authority);

// Parses `[HOST:]PORT`. The host is an address (IPv6 in brackets) or localhost, which is the default. Port 0
// selects a free port. Errors: invalid_argument.
Result<Address> parse_address(std::string_view text);

// The name of the environment variable that contains the bearer token.
inline constexpr const char* token_variable = "SNAPGEN_HTTP_TOKEN";

// Returns the access rules. Errors: invalid_argument (other machines can reach the address and there is no
// token, or the token is too short).
Result<AccessRules> access_rules_for(const Address& address, std::string token);

// Returns the URL with which clients connect.
std::string url_of(const Address& address, std::string_view path);

}  // namespace snapgen::streamable

#pragma once
// The address that an HTTP server listens on, and its access rules, from the command line and the
// environment.
#include <string>
#include <string_view>

#include "runtime/async/acceptor.h"
#include "runtime/base/result.h"
#include "runtime/streamable/guard.h"

namespace snapgen::streamable {

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

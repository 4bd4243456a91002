#pragma once
// Where an HTTP server listens and whom it lets in, as a command line and the environment say it.
#include <string>
#include <string_view>

#include "runtime/async/acceptor.h"
#include "runtime/base/result.h"
#include "runtime/streamable/guard.h"

namespace snapgen::streamable {

// `[HOST:]PORT`: an address, an IPv6 one in brackets, or localhost, which is also what no host means. Port 0
// is any. Errors: invalid_argument.
Result<Address> parse_address(std::string_view text);

// The variable that holds the bearer token.
inline constexpr const char* token_variable = "SNAPGEN_HTTP_TOKEN";

// Errors: invalid_argument (a place that other machines reach, and no token, or one that can be guessed).
Result<Access> access_for(const Address& address, std::string token);

// The address to give to a client.
std::string url_of(const Address& address, std::string_view path);

}  // namespace snapgen::streamable

#pragma once
// CORS (the Fetch standard, section 3.3) lets web pages of the configured origins read answers and send
// requests that need a preflight, such as application/json. Pages of other origins get no CORS fields, even
// if they are on this machine, so browsers block their requests.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/http/head.h"
#include "runtime/http/server.h"
#include "runtime/streamable/guard.h"

namespace snapgen::streamable {

// Parses an origin, and returns it as browsers write it: scheme and host in lower case, without the scheme's
// default port. Errors: invalid_argument (no browser sends such an origin).
Result<std::string> parse_origin(std::string_view text);

// Returns the CORS fields for every answer to this request; empty unless its Origin is allowed.
std::string cors_fields(const http::RequestHead& head, const AccessRules& access);

// Returns the answer to a preflight request, which needs no token, because browsers send none. Returns
// nullopt if the request is no preflight request, or its page is not allowed.
std::optional<http::Denial> preflight_answer(const http::RequestHead& head, const AccessRules& access);

}  // namespace snapgen::streamable

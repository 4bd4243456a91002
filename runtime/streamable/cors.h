#pragma once
// CORS (the Fetch standard, section 3.3): what lets a web page whose origin was named read answers, and send
// what needs leave first, as application/json does. Pages of any other origin, this machine's too, get none
// of it, and so their browsers let them neither ask nor hear.
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/http/head.h"
#include "runtime/http/server.h"
#include "runtime/streamable/guard.h"

namespace snapgen::streamable {

// An origin as browsers write it: scheme and host in lower case, and no port that is the scheme's own.
// Errors: invalid_argument (no browser sends such an origin).
Result<std::string> parse_origin(std::string_view text);

// The lines that every answer to this request has; none if its Origin was not named.
std::string cors_fields(const http::Head& head, const Access& access);

// The answer to a browser that asks for leave, beside those lines: it sends no token yet. Nothing: this is no
// such question, or the page gets no leave.
std::optional<http::Denial> preflight_answer(const http::Head& head, const Access& access);

}  // namespace snapgen::streamable

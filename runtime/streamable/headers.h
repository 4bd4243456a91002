#pragma once
// Checks the header fields of stateless requests (2026-07-28), which repeat parts of the body for proxies
// that route requests.
#include <optional>
#include <string>

#include "runtime/http/head.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/server.h"

namespace snapgen::streamable {

// Returns an error about the first header field that is missing or differs from the body, or nullopt.
std::optional<std::string> header_mismatch_sentence(const http::RequestHead& head,
                                                    const mcp::Message& message, const mcp::Server& server);

// Decodes a field's value: `=?base64?...?=` is base64, everything else is literal. Returns nullopt if the
// base64 is invalid.
std::optional<std::string> decoded_field_value(std::string_view value);

}  // namespace snapgen::streamable

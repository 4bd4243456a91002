#pragma once
// What a stateless request (2026-07-28) says twice: in its body, and in header fields for whoever routes it.
// Both must say the same.
#include <optional>
#include <string>

#include "runtime/http/head.h"
#include "runtime/mcp/message.h"
#include "runtime/mcp/server.h"

namespace snapgen::streamable {

// A sentence about the first field that is missing, or says something else than the body.
std::optional<std::string> header_mismatch(const http::Head& head, const mcp::Message& message,
                                           const mcp::Server& server);

// What a field's value stands for: `=?base64?...?=` is decoded, everything else is meant literally. Nothing:
// the encoding is broken.
std::optional<std::string> decoded_field(std::string_view value);

}  // namespace snapgen::streamable

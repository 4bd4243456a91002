#pragma once
// Failures are errors in this family's form, with the bridge's own codes. An Error carries the whole form in
// its details, by which bridge_error() recognizes it.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "schemas/bridge/command_error.h"
#include "schemas/bridge/failure.h"

namespace snapgen::tools::bridge {

// `details` is a JSON object or empty.
Error failure(BridgeFailureCode code, std::string message, std::string details = {},
              std::vector<std::string> suggestions = {});

// Converts a browser's error for the host, with its details and recovery suggestions.
Error failure_of(const CommandError& error);
BridgeFailureCode code_of(CommandErrorCode code);

// Adds the session that the failed command was sent to; empty: none. Leaves errors that are not from
// failure() unchanged.
Error of_session(Error error, const std::string& session_id);

// Returns the code of an error from failure(), or else the code that bridge_error() shows.
BridgeFailureCode code_of(const Error& error);

// The error for an answer that violates its schema, with the violations.
Error invalid_response(const json::Reader& in);

}  // namespace snapgen::tools::bridge

#pragma once
// Failures: errors in this family's form, with the bridge's own codes. They travel as an Error whose details
// are the whole form; bridge_error() knows them by that.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "schemas/bridge/command_error.h"
#include "schemas/bridge/failure.h"

namespace snapgen::tools::bridge {

// `details`: a JSON object, or empty.
Error failure(BridgeFailureCode code, std::string message, std::string details = {},
              std::vector<std::string> suggestions = {});

// What a browser answered, for the host: its recovery suggestions and details are kept.
Error failure_of(const CommandError& error);
BridgeFailureCode code_of(CommandErrorCode code);

// The code of an error that failure() made; of any other what bridge_error() shows.
BridgeFailureCode code_of(const Error& error);

// An answer that does not fit, and how.
Error invalid_response(const json::Reader& in);

}  // namespace snapgen::tools::bridge

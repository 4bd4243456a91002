#pragma once
// Failures are errors of the bridge tools, with the bridge's own codes as family_code. Their details have the
// members `details`, `recovery_suggestions` and `session_id`, as far as they are known.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "schemas/bridge/command_error.h"
#include "schemas/bridge/failure.h"

namespace snapgen::tools::bridge {

// Makes an error with a code of the bridge. `details` is a JSON object or empty.
Error failure(BridgeFailureCode code, std::string message, std::string_view details = {},
              const std::vector<std::string>& suggestions = {});

// Converts a browser's error for the host, with its details and recovery suggestions.
Error failure_of(const CommandError& error);
BridgeFailureCode code_of(CommandErrorCode code);

// Adds the session to which the failed command was sent, unless it is empty. Errors that failure() did not
// make are unchanged.
Error with_session(Error error, const std::string& session_id);

// Returns the code of an error from failure(), or else the code that bridge_error() shows.
BridgeFailureCode code_of(const Error& error);
// Returns an error as a client gets it.
BridgeFailure to_failure(const Error& error);

// Whether a sentence may quote values that a page sent.
enum class Quotes : std::uint8_t { nothing, values };

// Returns the error for a message of a browser that violates its schema, or for the part of a message at
// `pointer`. Its sentence and the `violations` of its details name the members that are wrong, and what the
// schema expects.
Error mismatch(const json::Reader& in, std::string_view pointer = {}, Quotes quotes = Quotes::nothing);
// Returns the error of the command whose response has this mismatch().
Error invalid_response(const Error& mismatch);

// Whether a name that a page chose may be quoted: it is short, and too simple to be a sentence that someone
// should read.
bool is_word(std::string_view name);
// Returns the JSON Pointer up to the first name that no schema of the bridge could have, such as a sentence
// that a page chose in order to be read.
std::string quotable(std::string_view pointer);

}  // namespace snapgen::tools::bridge

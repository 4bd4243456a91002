#pragma once
// error_with_hint: makes errors with a code of the facade, for its answers and for calls that are rejected
// before a handler runs.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

// Makes an error with a code of schemas/facade/failure.json and a hint. `more` are further details.
Error error_with_hint(ErrorCode code, std::string_view family_code, std::string message,
                      std::string_view hint, const ErrorDetails& more = {});

}  // namespace snapgen::tools

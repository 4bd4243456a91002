#pragma once
// failed: errors that say a code of their own, for the facade's answers and what is refused before any
// handler.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::tools {

// An error with a code of schemas/facade/failure.json, and what to do.
Error failed(ErrorCode code, std::string_view family_code, std::string message, std::string_view hint);
// The same with further members of the details, ",\"retry_after_ms\":5".
Error failed(ErrorCode code, std::string_view family_code, std::string message, std::string_view hint,
             std::string_view members);

}  // namespace snapgen::tools

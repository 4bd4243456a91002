#pragma once
// The codes of the substrate's errors.
#include "runtime/base/result.h"

namespace snapgen::tools {

// Returns the code that the client receives for an error.
ErrorCode substrate_code_of(const Error& error);

}  // namespace snapgen::tools

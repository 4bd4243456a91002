#pragma once
// Writes the details of errors as JSON.
#include <string>

#include "runtime/base/error_details.h"

namespace snapgen::json {

// Returns the details of an error as a JSON object; empty if there are none.
std::string object_text(const ErrorDetails& details);

}  // namespace snapgen::json

#pragma once
// Converts errors to the form of the facade's tools.
#include "runtime/base/result.h"
#include "schemas/facade/failure.h"

namespace snapgen::tools {

// Returns the failure that a client gets for an error: its code, its hint and the members of its details. The
// time stamp is the current time.
FacadeFailure to_facade_failure(const Error& error);

}  // namespace snapgen::tools

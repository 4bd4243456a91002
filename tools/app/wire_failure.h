#pragma once
// Errors of the wire tools: the line and the summary that a client gets for an error.
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "schemas/lines.h"

namespace snapgen::tools {

// Adds the line's error code, and the form that the call requested, to an error. `advice` tells what to do
// next. If it is empty, that is the error's hint, or follows from the code.
Error with_failure_details(Error error, std::optional<lines::Failure> code, bool compact,
                           std::string advice = {});

// An error as wire tools answer it.
struct WireFailure {
  lines::FailureLine line;
  std::string summary;   // What is wrong, and what to do.
  bool compact = false;  // The call requested the line without labels.
};

WireFailure to_wire_failure(const Error& error);

}  // namespace snapgen::tools

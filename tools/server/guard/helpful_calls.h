#pragma once
// Proposes calls after a failed call of the facade, and writes the hint of an error about the tier. They name
// only tools that the server's profile and the tier allow.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/tool.h"
#include "tools/app/next_actions.h"

namespace snapgen::tools {

// Arguments that are longer, in bytes, are not repeated in a proposed call.
inline constexpr std::size_t repeated_bytes_max = 2000;

struct FailedCall {
  const mcp::Tool& tool;
  const Error& error;
  std::string_view arguments;  // A JSON object, perhaps not valid for the tool; empty if it is unknown.
};

// Returns the calls that help after this failure: at most five, the best first.
std::vector<NextAction> helpful_calls(App& app, const FailedCall& call);

// Returns the hint of a call that was rejected because the tier is too low: first what does the same in this
// profile and tier, then how to change the tier. `settings_fault` is the reason why the settings were
// ignored, or empty.
std::string tier_hint(const App& app, const mcp::Tool& tool, const std::string& settings_fault);

}  // namespace snapgen::tools

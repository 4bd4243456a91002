#pragma once
// What helps after a failed call of the facade: the calls that an error proposes, and the hint of an error
// about the tier. Only calls that the server's profile and the tier allow are named.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mcp/tool.h"
#include "tools/app/next_actions.h"

namespace snapgen::tools {

// Longer arguments, in bytes, are not proposed again.
inline constexpr std::size_t repeated_bytes_max = 2000;

struct FailedCall {
  const mcp::Tool& tool;
  const Error& error;
  std::string_view arguments;  // A JSON object, perhaps not one of the tool's schema; empty: unknown.
};

// The calls that help after this failure, at most five, the best first.
std::vector<NextAction> helpful_calls(App& app, const FailedCall& call);

// The hint of a rejected call whose tier is too low: what does the same in this profile and tier, then how to
// change the tier. `settings_fault`: why the settings were ignored; empty: they were not.
std::string tier_hint(const App& app, const mcp::Tool& tool, const std::string& settings_fault);

}  // namespace snapgen::tools

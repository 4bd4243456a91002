#include "tools/app/wire_failure.h"

#include <string_view>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {
namespace {

using lines::Failure;

constexpr Failure all_wire_failures[] = {
    Failure::no_task,      Failure::snapshot_not_found, Failure::invalid_mode, Failure::validation_failed,
    Failure::repo_changed, Failure::permission_denied,  Failure::unavailable,  Failure::internal};
constexpr std::size_t wire_message_bytes_max = 360;

struct WireErrorDetails {
  bool compact = false;
  std::string advice;  // The advice of the handler. If it is empty, the advice follows from the code.
  // An argument has an unknown value: `mode`, or else `action` or `topic`.
  bool of_mode = false;
  bool of_choice = false;
};

void read_argument_violation(json::Reader& in, WireErrorDetails& found) {
  std::string keyword, pointer;
  json::read_members(in, "keyword", keyword, "pointer", pointer);
  if (keyword != "enum") return;
  found.of_mode = found.of_mode || pointer == "/mode";
  found.of_choice = found.of_choice || pointer == "/action" || pointer == "/topic";
}

WireErrorDetails wire_error_details(const ErrorDetails& details) {
  WireErrorDetails found{.compact = details.json("compact") == "true",
                         .advice = std::string(details.text("advice"))};
  const std::string_view violations = details.json("violations");
  json::Reader list(violations);
  if (!violations.empty() && list.begin_array())
    while (list.next_element()) read_argument_violation(list, found);
  return found;
}

Failure wire_failure_code(const Error& error, const WireErrorDetails& details) {
  for (const Failure each : all_wire_failures)
    if (lines::text(each) == error.family_code) return each;
  switch (error.code) {
    case ErrorCode::invalid_argument:
      return details.of_mode || details.of_choice ? Failure::invalid_mode : Failure::validation_failed;
    case ErrorCode::repo_changed:
    case ErrorCode::stale_lease: return Failure::repo_changed;
    case ErrorCode::permission_denied: return Failure::permission_denied;
    case ErrorCode::internal: return Failure::internal;
    case ErrorCode::not_found:
    case ErrorCode::too_large:
    case ErrorCode::cancelled:
    case ErrorCode::unavailable:
    case ErrorCode::unsupported: break;
  }
  return Failure::unavailable;
}

// Returns the kind of error in a few words, for programs. The sentence for readers is in the summary.
std::string_view wire_reason_of(Failure code, const WireErrorDetails& details) {
  switch (code) {
    case Failure::no_task: return "no such open task";
    case Failure::snapshot_not_found: return "unknown snapshot";
    case Failure::invalid_mode: return details.of_mode ? "unknown mode" : "unknown choice";
    case Failure::validation_failed: return "wrong arguments";
    case Failure::repo_changed: return "files changed";
    case Failure::permission_denied: return "access denied";
    case Failure::unavailable: return "not possible now";
    case Failure::internal: return "internal error";
  }
  return "";
}

std::string_view wire_advice(Failure code, const WireErrorDetails& details) {
  if (!details.advice.empty()) return details.advice;
  switch (code) {
    case Failure::no_task: return "Begin one with snap, mode start.";
    case Failure::snapshot_not_found: return "snap_fix with action list returns the known snapshots.";
    case Failure::invalid_mode:
      if (details.of_mode) return "snap_help with topic modes explains them.";
      [[fallthrough]];
    case Failure::validation_failed: return "Correct the arguments and call again.";
    case Failure::repo_changed: return "Call again.";
    case Failure::permission_denied: return "Omit that file, or ask the user.";
    case Failure::unavailable: return "Report the error to the user.";
    case Failure::internal: return "Try again once, then report the error to the user.";
  }
  return "";
}

}  // namespace

Error with_failure_details(Error error, std::optional<lines::Failure> code, bool compact,
                           std::string advice) {
  for (const char* member : {"advice", "hint"})
    if (advice.empty()) advice = error.details.text(member);
  error.details = ErrorDetails().add_json("compact", compact ? "true" : "false");
  if (!advice.empty()) error.details.add("advice", advice);
  if (code) error.family_code = lines::text(*code);
  return error;
}

WireFailure to_wire_failure(const Error& error) {
  const WireErrorDetails details = wire_error_details(error.details);
  const Failure code = wire_failure_code(error, details);
  return {.line = {.code = code, .reason = std::string(wire_reason_of(code, details))},
          .summary = "Error: " + core::shortened(error.message, wire_message_bytes_max) + " " +
                     std::string(wire_advice(code, details)),
          .compact = details.compact};
}

}  // namespace snapgen::tools

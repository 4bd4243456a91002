// Writes errors in the form of the substrate tools.
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/base/json_object.h"

namespace snapgen::tools {
namespace {

// Returns the code that the client receives. The specification has no code for `unavailable` (git is missing,
// the disk is full, a timeout), which the caller did not cause. The message says what to do.
ErrorCode code_of(const Error& error) {
  bool foreign = error.code == ErrorCode::unavailable || error.code == ErrorCode::cancelled;
  return foreign ? ErrorCode::internal : error.code;
}

}  // namespace

void substrate_error(std::string& out_text, const Error& error) {
  core::JsonObject out;
  out.add("code", text(code_of(error)));
  if (!error.details.empty()) out.add_json("details", error.details);
  out_text += core::JsonObject().add_json("error", out.add("message", error.message).finish()).finish();
}

}  // namespace snapgen::tools

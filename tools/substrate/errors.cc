// Writes errors in the form of the substrate tools.
#include "tools/substrate/errors.h"

#include <string>

#include "runtime/json/details.h"
#include "tools/engine/base/json_object.h"

namespace snapgen::tools {

// The specification has no code for `unavailable` (git is missing, the disk is full, a timeout), which the
// caller did not cause. The message says what to do.
ErrorCode substrate_code_of(const Error& error) {
  bool foreign = error.code == ErrorCode::unavailable || error.code == ErrorCode::cancelled;
  return foreign ? ErrorCode::internal : error.code;
}

void substrate_error(std::string& out_text, const Error& error) {
  core::JsonObject out;
  out.add("code", text(substrate_code_of(error)));
  if (!error.details.empty()) out.add_json("details", json::object_text(error.details));
  out_text += core::JsonObject().add_json("error", out.add("message", error.message).finish()).finish();
}

}  // namespace snapgen::tools

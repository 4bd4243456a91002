// Writes errors in the form of the substrate tools.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/json/writer.h"

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
  json::Writer out(out_text);
  out.text("{\"error\":{\"code\":");
  out.string(text(code_of(error)));
  if (!error.details.empty()) {
    out.text(",\"details\":");
    out.text(error.details);
  }
  out.text(",\"message\":");
  out.string(error.message);
  out.text("}}");
}

}  // namespace snapgen::tools

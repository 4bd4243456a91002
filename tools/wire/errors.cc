// Writes an error as a line, which is the form of the wire tools.
#include <string>

#include "runtime/base/result.h"
#include "tools/wire/common.h"

namespace snapgen::tools {

void wire_error(std::string& text, const Error& error) {
  const WireFailure failure = to_wire_failure(error);
  text = answer(failure.line, failure.compact, failure.summary).text;
}

}  // namespace snapgen::tools

#include "tools/app/error_with_hint.h"

#include <utility>

namespace snapgen::tools {

Error error_with_hint(ErrorCode code, std::string_view family_code, std::string message,
                      std::string_view hint, const ErrorDetails& more) {
  ErrorDetails details;
  details.add("code", family_code).add("hint", hint).add_all(more);
  Error error(code, std::move(message), std::move(details));
  error.family_code = family_code;
  return error;
}

}  // namespace snapgen::tools

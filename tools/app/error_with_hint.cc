#include "tools/app/error_with_hint.h"

#include <utility>

#include "runtime/json/writer.h"

namespace snapgen::tools {

Error error_with_hint(ErrorCode code, std::string_view family_code, std::string message,
                      std::string_view hint, std::string_view members) {
  std::string details = "{\"code\":" + json::quoted(family_code) + ",\"hint\":" + json::quoted(hint);
  details.append(members).append("}");
  Error error(code, std::move(message), std::move(details));
  error.family_code = family_code;
  return error;
}

}  // namespace snapgen::tools

#include "tools/cli/path_words.h"

#include "runtime/json/reader.h"
#include "tools/core/encoding.h"

namespace snapgen::tools {

std::string shown_path(std::string_view text) {
  const Result<std::string> bytes = core::bytes_of_text(text);
  const bool is_text = bytes && json::valid_utf8(*bytes) && !bytes->starts_with(core::base64_prefix);
  return is_text ? *bytes : std::string(text);
}

}  // namespace snapgen::tools

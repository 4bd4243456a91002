#include "tools/app/path_lines.h"

#include "tools/engine/base/encoding.h"

namespace snapgen::tools {

PathLines path_lines_of(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const bool has_lines = colon != std::string_view::npos && colon + 1 < text.size() &&
                         text.find_first_not_of("0123456789-", colon + 1) == std::string_view::npos &&
                         text.substr(0, colon + 1) != core::base64_prefix;
  if (!has_lines) return {.path = std::string(text), .lines = {}};
  return {.path = std::string(text.substr(0, colon)), .lines = std::string(text.substr(colon + 1))};
}

}  // namespace snapgen::tools

#pragma once
// Recorded output of programs, from the folder recorded/; their workspace is /home/user/shop.
#include <string>
#include <string_view>

#include "tools/insight/check/read/parse.h"

namespace snapgen::core {

inline const OutputPathResolver shop{
    .root = "/home/user/shop", .base_folder = "", .module = "example.com/shop"};

// Returns the content of one recording.
std::string recorded(std::string_view name);

// Formats "2 errors, 1 warning; 1 passed, 1 failed, 0 skipped" and a line for each finding.
std::string parsed_text(const ParsedOutput& parsed);

inline std::string parsed_text(OutputFormat format, std::string_view name) {
  return parsed_text(parse_output(format, recorded(name), shop));
}

}  // namespace snapgen::core

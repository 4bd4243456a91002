#pragma once
// PathLines: a path that may end with lines, as in "src/a.c:12-14".
#include <string>
#include <string_view>

namespace snapgen::tools {

struct PathLines {
  std::string path;
  std::string lines;  // Such as "12" or "12-14"; empty: the whole file.
};

// Divides a text at its last colon if only digits and dashes follow. The colon of "base64:" is a part of the
// path, so a name that ends as lines do can be written in base64.
PathLines path_lines_of(std::string_view text);

}  // namespace snapgen::tools

#pragma once
// Parses TOML into the tree that json::Document has.
#include <string_view>

#include "runtime/json/document.h"

namespace snapgen::core {

// Tables become objects, with their keys in byte order; dates and times become null. Offsets are those of the
// text, except that keys and values beyond column 4096 have that of the line's start. A syntax error is the
// only problem; the root is then an object without members.
json::Document parse_toml(std::string_view text);

}  // namespace snapgen::core

#pragma once
// Parses TOML into the tree that json::Document has.
#include <string_view>

#include "runtime/json/document.h"

namespace snapgen::core {

// Parses a TOML document. Tables become objects, with their keys in byte order; dates and times become null.
// Offsets are those of the text, except that keys and values beyond column 4096 have that of the line's
// start. After a syntax error, the document's only problem is that error, and its root an object without
// members.
json::Document parse_toml(std::string_view text);

}  // namespace snapgen::core

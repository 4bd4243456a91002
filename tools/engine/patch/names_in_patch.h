#pragma once
// The names of the files that a patch of any form mentions, before it is known for which tree it is.
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// Returns the names in the headers of a unified diff, or of a patch that begins with `*** Begin Patch`, each
// once. They are relative, without a prefix such as `a/`, or absolute. Those of invalid parts count, too, if
// they can be read.
std::vector<std::string> names_in_patch(std::string_view text);

}  // namespace snapgen::core

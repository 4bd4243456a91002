#pragma once
// Expected files in the tree, for the tests of what is generated.
#include <string>

namespace snapgen::codegen {

// Fails if `text` is not what stands at `path`, seen from the project's root; with --update it is written
// there.
void compare_expected(const std::string& path, const std::string& text);

}  // namespace snapgen::codegen

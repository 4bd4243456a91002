#pragma once
// Expected files in the tree, for the tests of what is generated.
#include <string>

#include "codegen/compile.h"

namespace snapgen::codegen {

// Fails if `text` is not what stands at `path`, seen from the project's root; with --update it is written
// there.
void compare_expected(const std::string& path, const std::string& text);

// A schema file of a message with these members.
SourceText message_file(const std::string& path, const std::string& members);

// Whether what was compiled has a file of that name with `text` in it.
bool has_text(const Compiled& compiled, const std::string& file, const std::string& text);

}  // namespace snapgen::codegen

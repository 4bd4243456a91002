#pragma once
// Compares generated text with expected files, for tests.
#include <string>

#include "codegen/emit/compile.h"

namespace snapgen::codegen {

// Fails if `text` differs from the file at `path`, relative to the project's root. With --update, writes
// it.
void compare_expected(const std::string& path, const std::string& text);

// Returns a schema file of a message with these members.
SourceText message_file(const std::string& path, const std::string& members);

// Returns whether the compiler's output has a file with this name that contains `text`.
bool has_text(const CompiledFiles& compiled, const std::string& file, const std::string& text);

}  // namespace snapgen::codegen

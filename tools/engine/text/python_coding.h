#pragma once
// The encoding that a Python source declares (peps.python.org/pep-0263).
#include <optional>
#include <string_view>

#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {

// Returns the encoding that a comment in the first two lines declares, such as `# -*- coding: latin-1 -*-`;
// nullopt if there is none, it is an unknown one, or `path` is not that of a Python source.
std::optional<TextEncoding> python_coding(std::string_view path, std::string_view bytes);

}  // namespace snapgen::core

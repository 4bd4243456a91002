#pragma once
// The language of a source file, as far as imports differ.
#include <cstdint>
#include <string_view>

namespace snapgen::core {

enum class Language : std::uint8_t {
  none,
  javascript,  // Includes TypeScript.
  python,
  c,  // Includes C++, Objective-C and CUDA.
  go,
  rust,
};

// Determines the language from the file name's ending.
Language language_of(std::string_view path);

}  // namespace snapgen::core

#pragma once
// The languages whose imports are scanned.
#include <cstdint>
#include <string_view>

namespace snapgen::core {

enum class Language : std::uint8_t {
  none,
  javascript,  // JavaScript and TypeScript.
  python,
  c,  // C, C++, Objective-C and CUDA.
  go,
  rust,
};

// Returns the language by the ending of the file's name.
Language language_of(std::string_view path);

}  // namespace snapgen::core

#pragma once
// Which language a source file is written in, as far as imports go.
#include <cstdint>
#include <string_view>

namespace snapgen::core {

enum class Language : std::uint8_t {
  none,
  javascript,  // and TypeScript
  python,
  c,  // and C++, Objective-C, CUDA
  go,
  rust,
};

// By the ending of its name.
Language language_of(std::string_view path);

}  // namespace snapgen::core

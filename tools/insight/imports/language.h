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
  component,  // Vue, Svelte and Astro: markup with scripts in JavaScript.
};

// Returns the language by the ending of the file's name.
Language language_of(std::string_view path);

// Returns whether the file belongs to the tests of its package in Go.
inline bool is_go_test(std::string_view path) { return path.ends_with("_test.go"); }

// Returns the language whose files a file of this kind can import, if its imports are not scanned; otherwise
// `none`.
Language unscanned_importer_of(std::string_view path);

}  // namespace snapgen::core

#pragma once
// The parser toml++, without exceptions. The target of a source that includes this header needs the
// dependency tomlplusplus.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_UNRELEASED_FEATURES 1  // TOML 1.1.
// toml++ asserts that a key begins where it expects one. Input such as "[!" violates that, and toml++ then
// reports a regular error, so the assertion is disabled.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#pragma once
// Macros for fuzz targets. FUZZ_TARGET(name) begins a target's function with the parameters `data` and
// `size`. FUZZ_EXPECT prints a violated condition and ends the process, in every build.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace snapgen::fuzz {

[[noreturn]] inline void broken(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: violated: %s\n", file, line, what);
  std::abort();
}

}  // namespace snapgen::fuzz

#define FUZZ_EXPECT(condition) \
  if (!(condition)) snapgen::fuzz::broken(#condition, __FILE__, __LINE__)

#ifdef SNAPGEN_FUZZ_TARGETS
// replay_main.cc contains all targets.
#define FUZZ_TARGET(name)                                      \
  int fuzz_##name(const std::uint8_t* data, std::size_t size); \
  int fuzz_##name(const std::uint8_t* data, std::size_t size)
#else
// A libFuzzer program has one target, under the name that libFuzzer calls.
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#endif

#pragma once
// EXPECT for fuzz targets: ends the process, in every build, with the sentence of what does not hold.
#include <cstdio>
#include <cstdlib>

namespace snapgen::fuzz {

[[noreturn]] inline void broken(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  std::abort();
}

}  // namespace snapgen::fuzz

#define FUZZ_EXPECT(condition) \
  if (!(condition)) snapgen::fuzz::broken(#condition, __FILE__, __LINE__)

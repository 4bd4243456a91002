#pragma once
// Chance: random input for tests of searches. SNAPGEN_SEARCH_SEED=N repeats one run.
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>

namespace snapgen::core {

inline unsigned search_seed() {
  const char* given = std::getenv("SNAPGEN_SEARCH_SEED");
  return given == nullptr ? 1 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

class Chance {
 public:
  explicit Chance(unsigned seed = search_seed()) : random_(seed) {}
  int below(int bound) { return std::uniform_int_distribution(0, bound - 1)(random_); }
  template <std::size_t N>
  std::string one_of(const char* const (&choices)[N]) {
    return choices[below(static_cast<int>(N))];
  }
  // Draws from all 256 bytes, or only from letters and the bytes after them.
  std::string bytes(int size, int kinds) {
    std::string out;
    for (int i = 0; i < size; ++i) out += static_cast<char>(kinds == 256 ? below(256) : 'A' + below(kinds));
    return out;
  }

 private:
  std::mt19937 random_;
};

}  // namespace snapgen::core

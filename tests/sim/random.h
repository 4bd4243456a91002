#pragma once
// Random: equal numbers from equal seeds on every machine and with every compiler (splitmix64).
#include <cstddef>
#include <cstdint>

namespace snapgen::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }
  // Returns a number from 0 to count - 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  // Returns a number from first to last, inclusive.
  std::size_t between(std::size_t first, std::size_t last) { return first + below(last - first + 1); }
  bool one_in(std::size_t count) { return below(count) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace snapgen::sim

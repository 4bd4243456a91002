#pragma once
// RandomWalk: random steps through the states of a repository, as shell scripts for Scratch.
#include <random>
#include <string>
#include <vector>

namespace snapgen::core {

class RandomWalk {
 public:
  explicit RandomWalk(unsigned seed) : random_(seed) {}

  // Returns the next step, as a shell script that may fail.
  std::string step();

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  template <std::size_t size>
  std::string any(const char* const (&values)[size]) {
    return values[below(size)];
  }
  std::string name();
  std::string folder();
  std::string path();
  std::string content();
  std::string rule();
  std::string attribute();
  std::string flag();
  std::string setting();

  std::mt19937 random_;
};

// The seeds in SNAPGEN_GIT_SEEDS (<first>-<last>), by default two, or six in a soak.
std::vector<unsigned> walk_seeds();
// The number in SNAPGEN_GIT_STEPS, by default 30.
int walk_steps();

}  // namespace snapgen::core

#pragma once
// RandomWalk: random steps through the states of a repository, as shell scripts for Scratch.
#include <random>
#include <string>
#include <vector>

namespace snapgen::core {

class RandomWalk {
 public:
  explicit RandomWalk(unsigned seed) : random_(seed) {}

  // One step, as a shell script that may fail.
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

// SNAPGEN_GIT_SEEDS=<first>-<last>, else a handful.
std::vector<unsigned> walk_seeds();
// SNAPGEN_GIT_STEPS, else 30.
int walk_steps();

}  // namespace snapgen::core

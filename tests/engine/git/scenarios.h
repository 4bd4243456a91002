#pragma once
// Repository states as scripts. In a script, `new` creates a repository, `save` commits everything, `put FILE
// TEXT` writes a file and its folders, `age` sets every time in the work tree to 2020.
#include <string>
#include <vector>

namespace snapgen::core {

// The engine that must compute the state. `none`: the server rejects a state that git accepts without a
// check.
enum class By : unsigned char { any, own, git, none };

struct Scenario {
  const char* sentence;
  By engine = By::own;
  const char* script;
  std::string needs = {};  // a script that fails if the machine cannot build the state
};

std::vector<Scenario> change_scenarios();
std::vector<Scenario> path_scenarios();
std::vector<Scenario> rename_scenarios();
std::vector<Scenario> untracked_scenarios();
std::vector<Scenario> conversion_scenarios();
std::vector<Scenario> repository_scenarios();
std::vector<Scenario> submodule_scenarios();

}  // namespace snapgen::core

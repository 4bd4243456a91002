#include "tools/engine/git/repository/repository.h"

#include "runtime/base/environment.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core {

Environment Environment::of_process() {
  return {.home = environment_variable("HOME").value_or(""),
          .xdg_config_home = environment_variable("XDG_CONFIG_HOME").value_or(""),
          .path_variable = environment_variable("PATH").value_or("")};
}

Result<Repository> Repository::open(std::string_view directory, Environment environment) {
  git::RepositoryLayout layout = TRY(git::discover(std::string(directory), environment));
  auto state = std::make_unique<State>();
  state->layout = std::move(layout);
  state->environment = std::move(environment);
  return Repository(std::move(state));
}

Repository::Repository(std::unique_ptr<State> state) : state_(std::move(state)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository& Repository::operator=(Repository&&) noexcept = default;
Repository::~Repository() = default;

bool Repository::is_git() const { return state_->layout.is_git; }
const std::string& Repository::root() const { return state_->layout.root; }
const std::string& Repository::git_dir() const { return state_->layout.git_dir; }
const std::string& Repository::common_dir() const { return state_->layout.common_dir; }

}  // namespace snapgen::core

#include "tools/engine/git/repository/head_branch.h"

#include "tools/engine/git/repository/state.h"

namespace snapgen::core {

std::string head_branch(const Repository& repository, const std::stop_token& stop) {
  if (!repository.is_git()) return {};
  const Result<std::shared_ptr<const git::LoadedConfig>> config = git::load_config(repository.state(), stop);
  if (!config) return {};
  Result<git::Head> head = git::load_head(repository.state(), (*config)->format, stop);
  return head ? std::move(head->branch) : std::string();
}

}  // namespace snapgen::core

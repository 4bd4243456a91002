#include "tools/engine/git/repository/position.h"

#include <utility>
#include <vector>

#include "tools/engine/files/folder_names.h"
#include "tools/engine/git/repository/state.h"

namespace snapgen::core {

Result<RepositoryPosition> read_position(const Repository& repository, const std::stop_token& stop) {
  Repository::State& state = repository.state();
  const std::shared_ptr<const git::LoadedConfig> config = TRY(git::load_config(state, stop));
  git::Head head = TRY(git::load_head(state, config->format, stop));
  RepositoryPosition position{.head = head.commit ? head.commit->hex() : std::string(),
                              .branch = std::move(head.branch),
                              .branches = {},
                              .index = {}};
  position.branches = TRY(git::load_branches(state, config->format, stop));
  const std::shared_ptr<const git::LoadedIndex> index = TRY(git::load_index(state, config->format, stop));
  position.index = index->index;
  return position;
}

Branches branches_of_other_trees(const Repository& repository) {
  const std::string& common_dir = repository.common_dir();
  std::vector<std::string> folders{common_dir};
  for (const std::string& name : names_in_folder(common_dir + "/worktrees").names)
    folders.push_back(common_dir + "/worktrees/" + name);
  Branches found;
  for (const std::string& folder : folders) {
    if (folder == repository.git_dir()) continue;
    const Result<git::Head> head = git::read_head(folder, common_dir, git::packed_refs(repository.state()));
    if (head && !head->branch.empty()) found.emplace(head->branch, head->commit.value_or(git::Oid()));
  }
  return found;
}

}  // namespace snapgen::core

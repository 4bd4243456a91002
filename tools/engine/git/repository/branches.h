#pragma once
// The local branches of a repository, cached. For use in git/ only.
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"
#include "tools/engine/git/repository/position.h"

namespace snapgen::core::git {

struct RepositoryFormat;

struct KnownBranches {
  std::shared_ptr<const Branches> branches;
  // The stats of packed-refs, and of the files and folders below refs/heads, by path.
  std::map<std::string, std::optional<FileStat>> sources;
  bool is_stable = false;  // Equal stats prove equal branches.
};

// Returns the branches, from the cache of `state` if it is current. Runs git if our reader cannot read them.
// Errors: unavailable, cancelled.
Result<std::shared_ptr<const Branches>> load_branches(Repository::State& state,
                                                      const RepositoryFormat& format,
                                                      const std::stop_token& stop);

}  // namespace snapgen::core::git

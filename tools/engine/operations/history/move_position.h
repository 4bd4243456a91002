#pragma once
// PositionMove moves a git repository back to a recorded position: HEAD, the local branches and the index. It
// first saves the present commits as references below refs/snapgen/undo/.
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/position.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {

class Workspace;

class PositionMove {
 public:
  // Compares two recorded positions, of which `present` is that of the repository. Errors: as
  // read_branches() and read_index().
  static Result<PositionMove> plan(Workspace& workspace, const GitPosition& recorded,
                                   const GitPosition& present, const std::stop_token& stop);

  // What differs, such as "HEAD moved from 1a2b3c4 (main) to 9f8e7d6 (main)"; empty: nothing.
  std::vector<std::string> moved() const;
  // Branches that are not moved back, with the reasons.
  std::vector<std::string> unmoved() const;

  // Checks that run() can move the repository. Errors: invalid_argument (git is in the middle of a merge or
  // the like, or another work tree has checked out the branch); not_found (git has pruned an object);
  // unavailable (another git process uses the repository).
  Result<Unit> check(Workspace& workspace, const std::stop_token& stop) const;

  // Moves the repository. `name` is the folder of the saved references, such as "m12-20261128T140321Z"; `why`
  // is for the reflog. Errors: as check(); repo_changed (the repository has changed since it was compared).
  Result<Unit> run(Workspace& workspace, std::string_view name, const std::string& why,
                   const std::stop_token& stop) const;

 private:
  struct Side {
    std::string head;
    std::string branch;
    Branches branches;
    git::IndexPtr index;
  };
  // A branch that differs; nullopt: it does not exist.
  struct MovedBranch {
    std::string name;
    std::optional<git::Oid> recorded, present;
  };

  static Result<Side> read_side(Workspace& workspace, const GitPosition& position, HashKind kind);
  bool moves_head() const;
  std::size_t count_index_changes() const;
  Result<Unit> check_objects(const Workspace& workspace, const std::stop_token& stop) const;
  std::string save_commands(std::string_view name) const;
  std::string move_commands() const;

  Side recorded_, present_;
  std::vector<MovedBranch> branches_;  // Those that are moved back.
  std::vector<MovedBranch> unmoved_;   // Those that other work trees have checked out.
  bool is_branch_elsewhere_ = false;   // Another work tree has checked out the recorded branch of HEAD.
};

}  // namespace snapgen::core

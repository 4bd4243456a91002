#include "tools/engine/operations/history/move_position.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/index_lock.h"
#include "tools/engine/git/repository/tree.h"
#include "tools/engine/store/history/recorded_position.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t short_digits = 7;
constexpr std::size_t named_branches_max = 20;
constexpr std::string_view undo_folder = "refs/snapgen/undo/";

std::string short_id(std::string_view hex) { return std::string(hex.substr(0, short_digits)); }

std::string short_name(std::string_view branch) {
  take_prefix(branch, "refs/heads/");
  return std::string(branch);
}

// The reference that saves HEAD before the move with this name, or a branch.
std::string saved_head(std::string_view name) {
  return std::string(undo_folder) + std::string(name) + "/HEAD";
}
std::string saved_branch(std::string_view name, std::string_view branch) {
  return std::string(undo_folder) + std::string(name) + "/heads/" + short_name(branch);
}

std::string head_phrase(const std::string& head, const std::string& branch) {
  return (head.empty() ? "no commit" : short_id(head)) + " (" +
         (branch.empty() ? "detached" : short_name(branch)) + ")";
}

Result<git::GitAnswer> run_git(const Workspace& workspace, const std::vector<std::string>& arguments,
                               std::string_view input, const std::stop_token& stop) {
  const Repository& repository = workspace.repository();
  return git::run_git(repository.git_dir(), repository.root(), workspace.environment(), arguments,
                      "git moves its position back", stop, input);
}

// Runs a git command that must succeed.
Result<Unit> do_git(const Workspace& workspace, const std::vector<std::string>& arguments,
                    std::string_view input, const std::stop_token& stop) {
  const git::GitAnswer answer = TRY(run_git(workspace, arguments, input, stop));
  if (answer.exit_code == 0) return Unit{};
  return git::git_command_error("git " + arguments.front(), answer);
}

// What git is in the middle of; empty if it is not.
std::string unfinished_operation(const std::string& git_dir) {
  for (const auto& [file, operation] : {std::pair("MERGE_HEAD", "merge"),
                                        {"rebase-merge", "rebase"},
                                        {"rebase-apply", "rebase"},
                                        {"CHERRY_PICK_HEAD", "cherry-pick"},
                                        {"REVERT_HEAD", "revert"}})
    if (git::lstat_of(git_dir + "/" + file)) return operation;
  return {};
}

bool is_same_entry(const git::IndexEntry& a, const git::IndexEntry& b) {
  return a.path == b.path && a.oid == b.oid && a.mode == b.mode && a.stage == b.stage &&
         a.assume_unchanged == b.assume_unchanged && a.skip_worktree == b.skip_worktree &&
         a.intent_to_add == b.intent_to_add;
}

// Calls `take` with the entries of an index that another one does not have.
template <class Take>
void for_each_other_entry(const git::Index& index, const git::Index& other, const Take& take) {
  for (const git::IndexEntry& entry : index.entries()) {
    bool is_found = false;
    for (std::size_t i = other.lower_bound(entry.path);
         !is_found && i < other.entries().size() && other.entries()[i].path == entry.path; ++i)
      is_found = is_same_entry(entry, other.entries()[i]);
    if (!is_found) take(entry);
  }
}

// Copies the log of a branch to the reference that saves the branch: git deletes the log with the branch, and
// with it what retains the earlier commits. Without a log there is nothing to copy.
Result<Unit> save_log(const std::string& common_dir, const std::string& branch, const std::string& saved) {
  const std::string log = common_dir + "/logs/" + branch;
  const std::filesystem::path copy = common_dir + "/logs/" + saved;
  if (!git::lstat_of(log)) return Unit{};
  std::error_code error;
  std::filesystem::create_directories(copy.parent_path(), error);
  if (!error) std::filesystem::copy_file(log, copy, error);
  if (!error) return Unit{};
  return Error(ErrorCode::unavailable,
               "The log of the branch " + short_name(branch) + " cannot be saved: " + error.message() + ".");
}

}  // namespace

Result<PositionMove::Side> PositionMove::read_side(Workspace& workspace, const GitPosition& position,
                                                   HashKind kind) {
  Side side{.head = position.head, .branch = position.branch, .branches = {}, .index = {}};
  side.branches = TRY(read_branches(workspace.blobs(), *position.branches));
  side.index = TRY(read_index(workspace.blobs(), *position.index, kind));
  return side;
}

Result<PositionMove> PositionMove::plan(Workspace& workspace, const GitPosition& recorded,
                                        const GitPosition& present, const std::stop_token& stop) {
  PositionMove move;
  const HashKind kind = TRY(hash_kind_of(workspace.repository(), stop));
  move.recorded_ = TRY(read_side(workspace, recorded, kind));
  move.present_ = TRY(read_side(workspace, present, kind));
  std::map<std::string, MovedBranch> all;
  for (const auto& [name, oid] : move.recorded_.branches) all[name].recorded = oid;
  for (const auto& [name, oid] : move.present_.branches) all[name].present = oid;
  const Branches elsewhere = branches_of_other_trees(workspace.repository());
  for (auto& [name, branch] : all) {
    branch.name = name;
    if (branch.recorded == branch.present) continue;
    (elsewhere.contains(name) ? move.unmoved_ : move.branches_).push_back(std::move(branch));
  }
  move.is_branch_elsewhere_ = move.moves_head() && elsewhere.contains(recorded.branch);
  return move;
}

bool PositionMove::moves_head() const {
  return recorded_.head != present_.head || recorded_.branch != present_.branch;
}

std::size_t PositionMove::count_index_changes() const {
  std::set<std::string_view> paths;
  const auto add = [&](const git::IndexEntry& entry) { paths.insert(entry.path); };
  for_each_other_entry(*recorded_.index, *present_.index, add);
  for_each_other_entry(*present_.index, *recorded_.index, add);
  return paths.size();
}

std::vector<std::string> PositionMove::moved() const {
  std::vector<std::string> texts;
  if (moves_head())
    texts.push_back("HEAD moved from " + head_phrase(recorded_.head, recorded_.branch) + " to " +
                    head_phrase(present_.head, present_.branch));
  std::size_t unnamed = 0;
  for (const MovedBranch& branch : branches_) {
    if (branch.name == recorded_.branch && branch.name == present_.branch) continue;  // HEAD moved with it.
    const std::string name = short_name(branch.name);
    if (texts.size() > named_branches_max) {
      ++unnamed;
    } else if (!branch.present) {
      texts.push_back("branch " + name + " was deleted at " + short_id(branch.recorded->hex()));
    } else if (!branch.recorded) {
      texts.push_back("branch " + name + " was created at " + short_id(branch.present->hex()));
    } else {
      texts.push_back("branch " + name + " moved from " + short_id(branch.recorded->hex()) + " to " +
                      short_id(branch.present->hex()));
    }
  }
  if (unnamed > 0) texts.push_back(count_with_noun(static_cast<std::int64_t>(unnamed), "more branch change"));
  if (const std::size_t files = count_index_changes(); files > 0)
    texts.push_back("the index changed in " + count_with_noun(static_cast<std::int64_t>(files), "file"));
  return texts;
}

std::vector<std::string> PositionMove::unmoved() const {
  std::vector<std::string> texts;
  for (const MovedBranch& branch : unmoved_)
    texts.push_back("branch " + short_name(branch.name) + " is checked out in another work tree");
  return texts;
}

Result<Unit> PositionMove::check(Workspace& workspace, const std::stop_token& stop) const {
  const Repository& repository = workspace.repository();
  const std::string operation = unfinished_operation(repository.git_dir());
  if (!operation.empty())
    return Error(ErrorCode::invalid_argument, "git is in the middle of a " + operation +
                                                  ", so its position cannot move. Finish or abort the " +
                                                  operation + ", or rewind the files alone.");
  if (is_branch_elsewhere_)
    return Error(ErrorCode::invalid_argument,
                 "Another work tree has checked out " + short_name(recorded_.branch) +
                     ", so HEAD cannot return to it. Switch that work tree to another branch, or rewind the "
                     "files alone.");
  std::vector<std::string> locks{repository.git_dir() + "/index.lock", repository.git_dir() + "/HEAD.lock",
                                 repository.common_dir() + "/packed-refs.lock"};
  for (const MovedBranch& branch : branches_)
    locks.push_back(repository.common_dir() + "/" + branch.name + ".lock");
  for (const std::string& lock : locks)
    if (git::lstat_of(lock)) return git::used_repository_error(lock);
  return check_objects(workspace, stop);
}

// Errors: not_found, with the first object that git has pruned.
Result<Unit> PositionMove::check_objects(const Workspace& workspace, const std::stop_token& stop) const {
  std::map<std::string, std::string> uses;  // By object id.
  if (recorded_.branch.empty() && moves_head()) uses.emplace(recorded_.head, "the commit of HEAD");
  for (const MovedBranch& branch : branches_)
    if (branch.recorded)
      uses.emplace(branch.recorded->hex(), "the commit of the branch " + short_name(branch.name));
  for_each_other_entry(*recorded_.index, *present_.index, [&](const git::IndexEntry& entry) {
    if ((entry.mode & git::mode_type_mask) != git::mode_gitlink)
      uses.emplace(git::Oid::from_bytes(entry.oid).hex(),
                   "the content of " + path_in_sentence(entry.path) + " in the index");
  });
  if (uses.empty()) return Unit{};
  std::string input;
  for (const auto& [oid, use] : uses) input += oid + "\n";
  const git::GitAnswer answer = TRY(run_git(workspace, {"cat-file", "--batch-check"}, input, stop));
  if (answer.exit_code != 0) return git::git_command_error("git cat-file", answer);
  constexpr std::string_view missing = " missing";
  std::string_view rest = answer.output;
  for (std::string_view line; next_line(rest, line);) {
    if (!line.ends_with(missing)) continue;
    line.remove_suffix(missing.size());
    const auto found = uses.find(std::string(line));
    return Error(ErrorCode::not_found, "git has pruned the object " + short_id(line) +
                                           (found == uses.end() ? "" : ", " + found->second) +
                                           ", so its position cannot move back. Rewind the files alone.");
  }
  return Unit{};
}

// Input of git update-ref: references to the present commits, and the deletion of branches that are newer.
std::string PositionMove::save_commands(std::string_view name) const {
  std::string text;
  if (!present_.head.empty() && (moves_head() || !branches_.empty()))
    text += "update " + saved_head(name) + " " + present_.head + "\n";
  for (const MovedBranch& branch : branches_) {
    if (!branch.present) continue;
    const std::string oid = branch.present->hex();
    text += "update " + saved_branch(name, branch.name) + " " + oid + "\n";
    if (!branch.recorded) text += "delete " + branch.name + " " + oid + "\n";
  }
  return text;
}

std::string PositionMove::move_commands() const {
  std::string text;
  for (const MovedBranch& branch : branches_) {
    if (!branch.recorded) continue;
    const std::string oid = branch.recorded->hex();
    text += "update " + branch.name + " " + oid + " " +
            (branch.present ? branch.present->hex() : std::string(oid.size(), '0')) + "\n";
  }
  if (recorded_.branch.empty() && moves_head())
    text += "option no-deref\nupdate HEAD " + recorded_.head + "\n";
  return text;
}

Result<Unit> PositionMove::run(Workspace& workspace, std::string_view name, const std::string& why,
                               const std::stop_token& stop) const {
  TRY(check(workspace, stop));
  const Repository& repository = workspace.repository();
  git::IndexLock lock = TRY(git::IndexLock::acquire(repository.git_dir()));
  const RepositoryPosition now = TRY(read_position(repository, stop));
  const bool is_unchanged =
      now.head == present_.head && now.branch == present_.branch && *now.branches == present_.branches;
  if (!is_unchanged)
    return Error(ErrorCode::repo_changed, "Another process has moved HEAD or a branch meanwhile; try again.");
  for (const MovedBranch& branch : branches_)
    if (branch.present && !branch.recorded)
      TRY(save_log(repository.common_dir(), branch.name, saved_branch(name, branch.name)));
  // From here on nothing stops it, so that a cancelled call leaves no half of a move.
  for (const std::string& commands : {save_commands(name), move_commands()})
    if (!commands.empty()) TRY(do_git(workspace, {"update-ref", "-m", why, "--stdin"}, commands, {}));
  if (!recorded_.branch.empty() && recorded_.branch != present_.branch)
    TRY(do_git(workspace, {"symbolic-ref", "-m", why, "HEAD", recorded_.branch}, {}, {}));
  if (count_index_changes() == 0) return Unit{};
  TRY(lock.replace_index(*recorded_.index, *now.index));
  // The refresh fails if files differ from the index, which is no error here.
  static_cast<void>(run_git(workspace, {"update-index", "-q", "--refresh"}, {}, stop));
  return Unit{};
}

}  // namespace snapgen::core

#include "tools/server/trees/confine.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tools/engine/files/durable.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/operations/history/store_copy.h"
#include "tools/insight/check/run/trust.h"

namespace snapgen::tools {
namespace {

void add_folder(std::vector<std::string>& folders, const std::string& folder) {
  const bool is_covered = std::ranges::any_of(
      folders, [&](const std::string& each) { return core::is_at_or_below_folder(folder, each); });
  if (!is_covered) folders.push_back(folder);
}

}  // namespace

std::vector<std::string> writable_folders_of(const std::vector<std::string>& trees) {
  std::vector<std::string> folders;
  for (const std::string& tree : trees) {
    add_folder(folders, tree);
    const Result<core::git::RepositoryLayout> layout =
        core::git::discover(tree, core::Environment::of_process());
    if (!layout || !layout->is_git) continue;
    add_folder(folders, layout->git_dir);
    add_folder(folders, layout->common_dir);
  }
  return folders;
}

Confinement confinement_of(const std::vector<std::string>& trees) {
  Confinement out{.writable_folders = writable_folders_of(trees), .writable_files = {"/dev/null"}};
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  // A check writes its report to a temporary folder, which this process creates and deletes.
  if (!error) out.deletable_folders.push_back(temporary.string());
  if (trees.empty()) return out;
  // The trust folder has the user's decisions, and the other one what `snap recover` restores from. Both are
  // outside of the workspace, and must exist now, because a rule for a missing folder has no effect. Without
  // the first, decisions last as long as the process; without the second, there is no copy.
  const std::string trust = core::trust_store_path();
  if (!trust.empty() && core::make_folders(trust)) out.writable_folders.push_back(trust);
  const std::string copies = core::user_copies_folder();
  if (!copies.empty() && core::make_folders(copies)) out.writable_folders.push_back(copies);
  return out;
}

Confinement program_confinement_of(const std::string& tree) {
  Confinement out{.writable_folders = writable_folders_of({tree}),
                  .deletable_folders = {},
                  .writable_files = {"/dev/null"}};
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  if (!error) out.writable_folders.push_back(temporary.string());
  return out;
}

std::string confinement_sentence(const Confinement& confinement) {
  std::string list;
  for (const std::string& each : confinement.writable_folders)
    list += (list.empty() ? "" : ", ") + core::path_in_sentence(each);
  return "Confined by Landlock (ABI " + std::to_string(landlock_abi()) + "): this server writes " +
         (list.empty() ? "nothing" : "only below " + list) + ".";
}

}  // namespace snapgen::tools

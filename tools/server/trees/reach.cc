#include "tools/server/trees/reach.h"

#include <algorithm>

#include <sys/stat.h>

#include "tools/engine/files/path.h"
#include "tools/server/trees/confine.h"

namespace snapgen::tools {

void Reach::confine_to(const std::vector<std::string>& trees) {
  has_bounds_ = true;
  if (bound_ == Enforcement::none) return log_.write(Severity::info, "Not confined: --no-confine.");
  const Confinement confinement = confinement_of(trees);
  for (const std::string& each : writable_folders_of(trees))
    folders_.push_back({.path = each, .identity = identity_of(each)});
  is_bounded_ = bound_ == Enforcement::always;
  if (landlock_abi() == 0)
    return log_.write(Severity::info, "Not confined: this kernel has no Landlock (ABI 2 or later).");
  if (!confines_process_) return;
  const Result<Unit> done = confine(confinement);
  if (!done)
    return log_.write(Severity::warning, "Not confined: " + done.error().message + " " + done.error().cause);
  is_bounded_ = is_confined_ = true;
  log_.write(Severity::info, confinement_sentence(confinement));
}

Reach::Covered Reach::covers(const std::string& tree) const {
  Covered covered = Covered::yes;
  for (const std::string& each : writable_folders_of({tree})) {
    const auto around = std::ranges::find_if(
        folders_, [&](const BoundFolder& folder) { return core::is_at_or_below_folder(each, folder.path); });
    if (around == folders_.end()) return Covered::no;
    if (is_confined_ && identity_of(around->path) != around->identity) covered = Covered::replaced;
  }
  return covered;
}

Result<Unit> Reach::admit(const std::string& tree, const std::vector<std::string>& named) {
  if (!has_bounds_) confine_to(named);
  const Covered covered = is_bounded_ ? covers(tree) : Covered::yes;
  if (covered == Covered::yes) return Unit{};
  if (covered == Covered::replaced)
    return Error(ErrorCode::unavailable,
                 "The workspace " + core::path_in_sentence(tree) +
                     " cannot be served: its folder was replaced after this server was confined to it. "
                     "Restart the server, or start it with --no-confine.",
                 {}, std::string(unreachable_workspace_cause));
  std::string list;
  for (const BoundFolder& each : folders_)
    list += (list.empty() ? "" : ", ") + core::path_in_sentence(each.path);
  return Error(ErrorCode::unavailable,
               "The workspace " + core::path_in_sentence(tree) +
                   " cannot be served: this server was started " +
                   (list.empty() ? std::string("outside of any workspace") : "for " + list) +
                   ". Restart it in that workspace, or start it with --no-confine.",
               {}, std::string(unreachable_workspace_cause));
}

std::optional<FolderIdentity> identity_of(const std::string& path) {
  struct stat st;
  if (::stat(path.c_str(), &st) != 0) return std::nullopt;
  return FolderIdentity{.device = st.st_dev, .inode = st.st_ino};
}

}  // namespace snapgen::tools

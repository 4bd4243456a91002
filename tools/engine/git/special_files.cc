#include "tools/engine/git/special_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/git/discover.h"
#include "tools/engine/git/disk.h"

namespace snapgen::core::git {
namespace {

namespace fs = std::filesystem;

constexpr int alternates_depth_max = 5;        // Git's limit.
constexpr std::size_t walked_max = 2'000'000;  // Files; the walk of a larger folder stops here.

// Returns true if opening the file may block. Symlinks are followed, as open(2) does. A socket cannot be
// opened at all; git's file system monitor listens on one. /dev/null is excluded: reading it never blocks,
// and it often serves as an empty configuration.
bool is_special_file(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return false;
  constexpr unsigned memory_major = 1;
  constexpr unsigned null_minor = 3;
  const bool is_device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  return S_ISFIFO(status.st_mode) || (is_device && status.st_rdev != makedev(memory_major, null_minor));
}

bool is_special_file(const fs::directory_entry& entry) {
  std::error_code gone;
  const bool is_usual = entry.is_regular_file(gone) || entry.is_directory(gone);
  return !is_usual && is_special_file(entry.path().string());
}

std::string first_line_of_file(const std::string& path) {
  const FileBytes file = read_file(path);
  return file.error == 0 ? file.bytes.substr(0, file.bytes.find_first_of("\r\n")) : std::string();
}

std::string common_dir(const std::string& git_dir) {
  const std::string named = first_line_of_file(git_dir + "/commondir");
  return named.empty() ? git_dir : joined_unless_absolute(git_dir, named);
}

// Returns a special file directly in `folder`.
std::string special_file_in(const std::string& folder) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (is_special_file(*at)) return at->path().string();
  return {};
}

// Returns a special file below `folder`, among the files whose names begin with `prefix`. Folders with the
// name `left_out` are not entered.
std::string special_file_below(const std::string& folder, std::string_view prefix,
                               std::string_view left_out) {
  std::error_code failed;
  std::size_t walked = 0;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && at != end && walked < walked_max; ++walked) {
    const std::string name = at->path().filename().string();
    if (name == left_out) {
      at.disable_recursion_pending();
    } else if (name.starts_with(prefix) && is_special_file(*at)) {
      return at->path().string();
    }
    at.increment(failed);
  }
  return {};
}

}  // namespace

Error special_file_error(const std::string& path) {
  const std::optional<FileStat> stat = stat_of(path);
  const bool is_fifo = stat && S_ISFIFO(stat->mode);
  return Error(ErrorCode::unavailable, path + (is_fifo ? " is a FIFO" : " is a device") +
                                           ", and git expects a regular file there. Remove it, or put the "
                                           "regular file back.");
}

std::string special_git_file(const std::string& git_dir, const Environment& environment) {
  const std::string common = common_dir(git_dir);
  std::vector<std::string> paths = user_config_paths(environment);
  for (const char* name : {"/HEAD", "/index", "/commondir", "/config.worktree", "/info/sparse-checkout"})
    paths.push_back(git_dir + name);
  for (const char* name : {"/config", "/packed-refs", "/shallow", "/info/exclude", "/info/attributes",
                           "/info/grafts", "/objects/info/alternates", "/objects/info/commit-graph"})
    paths.push_back(common + name);
  constexpr std::string_view names_branch = "ref: ";
  const std::string head = first_line_of_file(git_dir + "/HEAD");
  if (head.starts_with(names_branch)) paths.push_back(common + "/" + head.substr(names_branch.size()));
  for (const std::string& path : paths)
    if (is_special_file(path)) return path;
  return special_file_in(common + "/objects/pack");
}

std::string special_git_file_by_walk(const std::string& git_dir, const std::string& root) {
  for (const std::string& folder : {git_dir, common_dir(git_dir)}) {
    std::string found = special_file_below(folder, {}, "snapgen");
    if (!found.empty()) return found;
  }
  return special_file_below(root, ".git", ".git");
}

SpecialObjectFiles::SpecialObjectFiles(const std::string& folder) { add(folder, 0); }

void SpecialObjectFiles::add(const std::string& path, int depth) {
  const auto same = [&](const Folder& one) { return one.path == path; };
  if (depth > alternates_depth_max || std::any_of(folders_.begin(), folders_.end(), same)) return;
  folders_.push_back({.path = path});
  const std::string alternates = path + "/info/alternates";
  if (is_special_file(alternates)) special_alternates_ = alternates;
  const FileBytes file = read_file(alternates);
  std::string_view rest = file.bytes, line;
  while (next_line(rest, line))
    if (!line.empty() && !line.starts_with('#')) add(joined_unless_absolute(path, line), depth + 1);
}

std::string SpecialObjectFiles::special_file(const Oid& oid) {
  if (!special_alternates_.empty()) return special_alternates_;
  const std::string hex = oid.hex();
  for (Folder& folder : folders_) {
    std::string loose = folder.path + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
    if (is_special_file(loose)) return loose;
    const std::string packs = folder.path + "/pack";
    const std::optional<FileStat> stat = stat_of(packs);
    if (!stat) continue;
    if (stat->mtime_ns != folder.packs_changed_ns) {
      folder.packs_changed_ns = stat->mtime_ns;
      folder.special_pack = special_file_in(packs);
    }
    if (!folder.special_pack.empty()) return folder.special_pack;
  }
  return {};
}

}  // namespace snapgen::core::git

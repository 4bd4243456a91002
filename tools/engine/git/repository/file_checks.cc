#include "tools/engine/git/repository/file_checks.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/git/repository/discover.h"
#include "tools/engine/git/repository/disk.h"

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
  std::error_code ignored;
  const bool is_usual = entry.is_regular_file(ignored) || entry.is_directory(ignored);
  return !is_usual && is_special_file(entry.path().string());
}

Error special_file_error(const std::string& path) {
  const std::optional<FileStat> stat = stat_of(path);
  const bool is_fifo = stat && S_ISFIFO(stat->mode);
  return Error(ErrorCode::unavailable, path + (is_fifo ? " is a FIFO" : " is a device") +
                                           ", and git expects a regular file there. Remove it, or put the "
                                           "regular file back.");
}

Result<Unit> check_file(const std::string& path, FileLimit limit) {
  if (is_special_file(path)) return special_file_error(path);
  if (is_oversized_file(path, limit)) return oversized_file_error(path, limit);
  return Unit{};
}

// Git before 2.38.3 also reads attributes of a size that later versions ignore.
Result<Unit> check_attributes(const std::string& path) {
  const std::optional<FileStat> stat = stat_of(path);
  const bool is_ignored = stat && S_ISREG(stat->mode) && stat->size >= ignored_attributes_bytes;
  return is_ignored ? Result<Unit>(Unit{}) : check_file(path, limits::rules);
}

std::string first_line_of_file(const std::string& path) {
  const FileBytes file = read_file(path, limits::one_line);
  return file.error == 0 ? file.bytes.substr(0, file.bytes.find_first_of("\r\n")) : std::string();
}

std::string common_dir(const std::string& git_dir) {
  const std::string named = first_line_of_file(git_dir + "/commondir");
  return named.empty() ? git_dir : joined_unless_absolute(git_dir, named);
}

// Checks the files directly in the folder of packs.
Result<Unit> check_packs(const std::string& folder) {
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (is_special_file(*at)) return special_file_error(at->path().string());
  return check_file(folder + "/multi-pack-index", limits::object);
}

// Calls `check` for every file below `folder` whose name begins with `prefix`. Folders with the name
// `left_out` are not entered.
template <class Check>
Result<Unit> check_below(const std::string& folder, std::string_view prefix, std::string_view left_out,
                         const Check& check) {
  std::error_code failed;
  std::size_t walked = 0;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && at != end && walked < walked_max; ++walked) {
    const std::string name = at->path().filename().string();
    if (name == left_out) {
      at.disable_recursion_pending();
    } else if (name.starts_with(prefix)) {
      TRY(check(*at, name));
    }
    at.increment(failed);
  }
  return Unit{};
}

Result<Unit> check_not_special(const fs::directory_entry& entry, std::string_view) {
  if (is_special_file(entry)) return special_file_error(entry.path().string());
  return Unit{};
}

Result<Unit> check_work_tree_file(const fs::directory_entry& entry, std::string_view name) {
  TRY(check_not_special(entry, name));
  const std::string path = entry.path().string();
  if (name == ".gitignore") return check_file(path, limits::rules);
  if (name == ".gitmodules") return check_file(path, limits::config);
  return name == ".gitattributes" ? check_attributes(path) : Result<Unit>(Unit{});
}

}  // namespace

Result<Unit> check_git_files(const std::string& git_dir, const Environment& environment) {
  const std::string common = common_dir(git_dir);
  for (const std::string& path : user_config_paths(environment)) TRY(check_file(path, limits::config));
  for (const char* name : {"/HEAD", "/commondir"}) TRY(check_file(git_dir + name, limits::one_line));
  TRY(check_file(git_dir + "/index", limits::index));
  TRY(check_file(git_dir + "/config.worktree", limits::config));
  TRY(check_file(common + "/config", limits::config));
  TRY(check_file(common + "/packed-refs", limits::packed_refs));
  TRY(check_file(common + "/objects/info/commit-graph", limits::object));
  TRY(check_file(git_dir + "/info/sparse-checkout", limits::rules));
  TRY(check_attributes(common + "/info/attributes"));
  for (const char* name : {"/shallow", "/info/exclude", "/info/grafts", "/objects/info/alternates"})
    TRY(check_file(common + name, limits::rules));
  constexpr std::string_view names_branch = "ref: ";
  const std::string head = first_line_of_file(git_dir + "/HEAD");
  if (head.starts_with(names_branch))
    TRY(check_file(common + "/" + head.substr(names_branch.size()), limits::one_line));
  return check_packs(common + "/objects/pack");
}

Result<Unit> check_git_files_by_walk(const std::string& git_dir, const std::string& root) {
  for (const std::string& folder : {git_dir, common_dir(git_dir)})
    TRY(check_below(folder, {}, "snapgen", check_not_special));
  return check_below(root, ".git", ".git", check_work_tree_file);
}

ObjectFileChecks::ObjectFileChecks(const std::string& folder) { add(folder, 0); }

void ObjectFileChecks::add(const std::string& path, int depth) {
  const auto same = [&](const Folder& one) { return one.path == path; };
  if (depth > alternates_depth_max || std::any_of(folders_.begin(), folders_.end(), same)) return;
  folders_.push_back({.path = path});
  const std::string alternates = path + "/info/alternates";
  Result<Unit> checked = check_file(alternates, limits::rules);
  if (!checked) alternates_unusable_ = std::move(checked).error();
  const FileBytes file = read_file(alternates, limits::rules);
  std::string_view rest = file.bytes, line;
  while (next_line(rest, line))
    if (!line.empty() && !line.starts_with('#')) add(joined_unless_absolute(path, line), depth + 1);
}

Result<Unit> ObjectFileChecks::check(const Oid& oid) {
  if (alternates_unusable_) return *alternates_unusable_;
  const std::string hex = oid.hex();
  for (Folder& folder : folders_) {
    TRY(check_file(folder.path + "/" + hex.substr(0, 2) + "/" + hex.substr(2), limits::object));
    const std::string packs = folder.path + "/pack";
    const std::optional<FileStat> stat = stat_of(packs);
    if (!stat) continue;
    if (stat->mtime_ns != folder.packs_changed_ns) {
      folder.packs_changed_ns = stat->mtime_ns;
      Result<Unit> checked = check_packs(packs);
      folder.packs_unusable = checked ? std::nullopt : std::optional(std::move(checked).error());
    }
    if (folder.packs_unusable) return *folder.packs_unusable;
  }
  return Unit{};
}

}  // namespace snapgen::core::git

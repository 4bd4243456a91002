#include "tools/engine/git/repository/discover.h"

#include <cerrno>
#include <cstdlib>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tools/engine/git/repository/ascii.h"
#include "tools/engine/git/repository/config.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/git/repository/disk.h"
#include "tools/engine/git/repository/oid.h"

namespace snapgen::core::git {
namespace {

constexpr std::size_t head_bytes = 255;  // Git decides by these whether a file is a HEAD.

std::string_view without_line_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// Returns true if git accepts `path` as a HEAD: a symlink or "ref:" into refs/, or an object id.
bool is_head(const std::string& path) {
  const std::optional<FileStat> stat = lstat_of(path);
  if (!stat) return false;
  if (S_ISLNK(stat->mode)) {
    const std::optional<std::string> target = read_link_at(AT_FDCWD, path.c_str());
    return target && target->starts_with("refs/");
  }
  const FileBytes file = read_beginning_of_file(path, head_bytes);
  if (file.error != 0) return false;
  std::string_view text = file.bytes;
  if (text.starts_with("ref:")) {
    text.remove_prefix(4);
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    return text.starts_with("refs/");
  }
  return Oid::from_hex(text.substr(0, 40)).has_value() || Oid::from_hex(text.substr(0, 64)).has_value();
}

// Returns the folder with objects and branches: `git_dir`, or the target of its `commondir` file. Errors:
// unavailable (that file is too large).
Result<std::string> common_dir_of(const std::string& git_dir) {
  const std::string named = git_dir + "/commondir";
  const FileBytes file = read_file(named, limits::one_line);
  if (file.error == EFBIG) return oversized_file_error(named, limits::one_line);
  if (file.error != 0) return git_dir;
  const std::string path = joined_unless_absolute(git_dir, without_line_end(file.bytes));
  return real_path(path).value_or(path);
}

bool is_git_dir(const std::string& path) {
  if (!is_head(path + "/HEAD")) return false;
  const Result<std::string> common = common_dir_of(path);
  if (!common) return true;  // Whoever uses the folder gets the error.
  return access((*common + "/objects").c_str(), X_OK) == 0 && access((*common + "/refs").c_str(), X_OK) == 0;
}

enum class DotGitKind : std::uint8_t { absent, not_a_file, unreadable, invalid, dangling, good };

// Reads a `.git` file ("gitdir: <path>") and sets `target` to its git dir, with symlinks resolved.
DotGitKind read_git_file(const std::string& path, std::string& target) {
  const std::optional<FileStat> stat = stat_of(path);
  if (!stat) return DotGitKind::absent;
  if (!S_ISREG(stat->mode)) return DotGitKind::not_a_file;
  const FileBytes file = read_file(path, limits::one_line);
  if (file.error == EFBIG) return DotGitKind::invalid;
  if (file.error != 0) return DotGitKind::unreadable;
  const std::string_view text = without_line_end(file.bytes);
  if (!text.starts_with("gitdir: ") || text.size() < 9) return DotGitKind::invalid;
  const std::string named = joined_unless_absolute(path.substr(0, path.rfind('/')), text.substr(8));
  if (!is_git_dir(named)) return DotGitKind::dangling;
  target = real_path(named).value_or(named);
  return DotGitKind::good;
}

bool is_own(const std::string& path) {
  struct stat status{};
  if (fstatat(AT_FDCWD, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  uid_t user = geteuid();
  if (user == 0) {
    if (status.st_uid == 0) return true;
    // With sudo, root may read the files of the user who called sudo.
    const char* const caller = std::getenv("SUDO_UID");
    char* end = nullptr;
    errno = 0;
    const unsigned long id = caller != nullptr && *caller != '\0' ? std::strtoul(caller, &end, 10) : 0;
    if (end != nullptr && *end == '\0' && errno == 0) user = static_cast<uid_t>(id);
  }
  return status.st_uid == user;
}

// Implements git's rule since 2.35.2 (safe.directory): only system and user configuration count.
bool is_declared_safe(const std::string& path, const Environment& environment) {
  Config config;
  const Config::Folders folders{.git_dir = {}, .home = environment.home};
  config.add_file(system_config_path(find_program("git", environment.path_variable)), folders);
  for (const std::string& file : user_config_paths(environment)) config.add_file(file, folders);
  bool safe = false;
  for (const ConfigEntry& entry : config.entries()) {
    if (entry.key != "safe.directory") continue;
    if (!entry.value || entry.value->empty()) {
      safe = false;
      continue;
    }
    const std::string value = config_path(*entry.value, environment.home).value_or(*entry.value);
    const bool below = value.ends_with("/*") && path.starts_with(value.substr(0, value.size() - 1));
    safe |= value == "*" || value == path || below;
  }
  return safe;
}

Error not_owner_error(const std::string& path) {
  return Error(ErrorCode::permission_denied,
               "The repository at " + path +
                   " belongs to another user, so git refuses to use it; run `git config "
                   "--global --add safe.directory " +
                   path + "` to allow it.");
}

Error bare_repository_error(const std::string& path) {
  return Error(ErrorCode::invalid_argument,
               "The folder " + path +
                   " is not in a work tree: the repository is bare. Use a folder of one of its work trees.");
}

}  // namespace

Result<RepositoryFormat> read_repository_format(const RepositoryLayout& layout) {
  RepositoryFormat format{.root = layout.folder, .fallback_reason = {}};
  if (!layout.is_git) return format;
  Config config;
  config.add_format_file(layout.common_dir + "/config");
  if (config.error()) return *config.error();
  const std::int64_t version = config.integer("core.repositoryformatversion", 0);
  const bool versioned = config.last_entry("core.repositoryformatversion") != nullptr;
  if (version > 1) format.fallback_reason = "the repository has a newer format";
  for (const ConfigEntry& entry : config.entries()) {
    if (!versioned || !entry.key.starts_with("extensions.")) continue;
    const std::string name = entry.key.substr(11);
    if (name == "noop" || name == "preciousobjects") {
      continue;
    } else if (name == "partialclone") {
      format.partial_clone = true;
    } else if (name == "worktreeconfig") {
      format.worktree_config = config.boolean(entry.key, false);
    } else if (name == "objectformat" && version == 1 && entry.value == "sha1") {
      format.kind = HashKind::sha1;
    } else if (name == "objectformat" && version == 1 && entry.value == "sha256") {
      format.kind = HashKind::sha256;
    } else if (version >= 1 || name == "objectformat" || name == "noop-v1") {
      format.fallback_reason = "the repository uses the extension " + name;
    }
  }
  if (!config.fallback_reason().empty()) format.fallback_reason = config.fallback_reason();
  // A linked work tree does not inherit core.bare and core.worktree from the main one.
  Config own;
  if (layout.common_dir == layout.git_dir) own = config;
  if (format.worktree_config) own.add_format_file(layout.git_dir + "/config.worktree");
  if (own.error()) return *own.error();
  if (own.boolean("core.bare", false)) return bare_repository_error(layout.folder);
  const ConfigEntry* const work_tree = own.last_entry("core.worktree");
  if (work_tree != nullptr && work_tree->value) {
    const std::optional<std::string> real =
        real_path(joined_unless_absolute(layout.git_dir, *work_tree->value));
    const std::optional<FileStat> stat = real ? stat_of(*real) : std::nullopt;
    if (!stat || !S_ISDIR(stat->mode)) {
      return Error(ErrorCode::not_found,
                   "The work tree that core.worktree names does not exist: " + *work_tree->value +
                       ". Correct it in the repository's config file.");
    }
    format.root = *real;
  }
  if (!own.fallback_reason().empty()) format.fallback_reason = own.fallback_reason();
  return format;
}

namespace {

Result<RepositoryLayout> with_root(RepositoryLayout layout) {
  RepositoryFormat format = TRY(read_repository_format(layout));
  layout.root = std::move(format.root);
  return layout;
}

}  // namespace

Result<RepositoryLayout> discover(const std::string& directory, const Environment& environment) {
  const std::optional<std::string> start = real_path(directory);
  const std::optional<FileStat> start_stat = start ? stat_of(*start) : std::nullopt;
  if (!start_stat)
    return Error(ErrorCode::not_found,
                 "The folder " + directory + " does not exist. Name an existing folder.");
  if (!S_ISDIR(start_stat->mode))
    return Error(ErrorCode::not_found, directory + " is not a folder. Name a folder.");
  RepositoryLayout layout;
  for (std::string folder = *start;;) {
    const std::string dot_git = folder == "/" ? "/.git" : folder + "/.git";
    std::string git_dir;
    const DotGitKind git_file = read_git_file(dot_git, git_dir);
    switch (git_file) {
      case DotGitKind::unreadable:
      case DotGitKind::invalid:
        return Error(
            ErrorCode::invalid_argument,
            "The file " + dot_git +
                " is not a valid .git file. Restore it, or delete it if the folder is not a work tree.");
      case DotGitKind::dangling:
        return Error(ErrorCode::invalid_argument,
                     "The file " + dot_git +
                         " names no git repository. If that one was moved, run git worktree repair there.");
      case DotGitKind::not_a_file:
        if (is_git_dir(dot_git)) git_dir = dot_git;
        break;
      case DotGitKind::absent:
      case DotGitKind::good: break;
    }
    if (!git_dir.empty()) {
      const bool own = is_own(folder) && is_own(git_dir) && (git_file != DotGitKind::good || is_own(dot_git));
      if (!own && !is_declared_safe(folder, environment)) return not_owner_error(folder);
      layout.is_git = true;
      layout.folder = folder;
      layout.git_dir = real_path(git_dir).value_or(git_dir);
      layout.common_dir = TRY(common_dir_of(layout.git_dir));
      return with_root(std::move(layout));
    }
    if (is_git_dir(folder)) return bare_repository_error(*start);
    if (folder == "/") break;
    const std::size_t slash = folder.rfind('/');
    folder.resize(slash == 0 ? 1 : slash);
    const std::optional<FileStat> stat = stat_of(folder);
    if (!stat || stat->device != start_stat->device) break;
  }
  layout.folder = *start;
  layout.root = *start;
  return layout;
}

Result<std::optional<RepositoryLayout>> layout_at(const std::string& folder) {
  const std::string dot_git = folder + "/.git";
  std::string git_dir;
  const DotGitKind git_file = read_git_file(dot_git, git_dir);
  if (git_file == DotGitKind::not_a_file && is_git_dir(dot_git)) git_dir = dot_git;
  if (git_dir.empty()) return std::optional<RepositoryLayout>();
  RepositoryLayout layout;
  layout.is_git = true;
  layout.folder = real_path(folder).value_or(folder);
  layout.git_dir = real_path(git_dir).value_or(git_dir);
  layout.common_dir = TRY(common_dir_of(layout.git_dir));
  RepositoryLayout whole = TRY(with_root(std::move(layout)));
  return std::optional<RepositoryLayout>(std::move(whole));
}

bool is_repository_root(const std::string& folder) {
  const std::string dot_git = folder + "/.git";
  const std::optional<FileStat> stat = stat_of(dot_git);
  return stat && (S_ISREG(stat->mode) || is_git_dir(dot_git));
}

bool has_repository(int root_fd, const std::string& folder) {
  // The functions above take paths, but the root of the work tree is a descriptor, so use /proc.
  const std::string dot_git = "/proc/self/fd/" + std::to_string(root_fd) + "/" + folder + ".git";
  std::string target;
  switch (read_git_file(dot_git, target)) {
    case DotGitKind::good:
    case DotGitKind::unreadable: return true;
    case DotGitKind::not_a_file: return is_git_dir(dot_git);
    case DotGitKind::absent:
    case DotGitKind::invalid:
    case DotGitKind::dangling: return false;
  }
  return false;
}

std::optional<std::string> git_dir_of_git_file(const std::string& path) {
  const FileBytes file = read_file(path, limits::one_line);
  const std::string_view text = without_line_end(file.bytes);
  if (file.error != 0 || !text.starts_with("gitdir: ") || text.size() < 9) return std::nullopt;
  return joined_unless_absolute(path.substr(0, path.rfind('/')), text.substr(8));
}

std::string system_config_path(const std::string& program) {
  constexpr std::string_view tail = "/bin/git";
  if (!program.ends_with(tail)) return "/etc/gitconfig";
  const std::string prefix = program.substr(0, program.size() - tail.size());
  return prefix.empty() || prefix == "/usr" ? "/etc/gitconfig" : prefix + "/etc/gitconfig";
}

std::vector<std::string> user_config_paths(const Environment& environment) {
  std::vector<std::string> paths;
  if (!environment.xdg_config_home.empty()) {
    paths.push_back(environment.xdg_config_home + "/git/config");
  } else if (!environment.home.empty()) {
    paths.push_back(environment.home + "/.config/git/config");
  }
  if (!environment.home.empty()) paths.push_back(environment.home + "/.gitconfig");
  return paths;
}

}  // namespace snapgen::core::git

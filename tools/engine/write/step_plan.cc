#include "tools/engine/write/step_plan.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/files/path.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/parent_folders.h"

namespace snapgen::core {
namespace {

using Kind = TreeChange::Kind;

bool is_deeper(const std::string& a, const std::string& b) {
  auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  return depth(a) != depth(b) ? depth(a) > depth(b) : a < b;
}

class StepPlanner {
 public:
  StepPlanner(const Root& root, const std::vector<TreeWrite>& writes, const WriteOptions& options,
              const std::string& transaction, std::uint64_t staging_mount)
      : root_(root),
        parents_(root),
        writes_(writes),
        options_(options),
        transaction_(transaction),
        staging_mount_(staging_mount) {
    for (const TreeWrite& write : writes) {
      if (write.change.kind == Kind::remove) taken_.insert(write.change.path);
    }
  }

  Result<StepPlan> run() {
    for (std::size_t i = 0; i < writes_.size(); ++i) {
      TRY(add(i));
    }
    if (options_.prune_empty_folders) {
      TRY(prune());
    }
    StepPlan layout;
    auto append = [&layout](Step step, const TreeWrite* write) {
      layout.steps.push_back(std::move(step));
      layout.writes.push_back(write);
    };
    for (auto& [step, write] : takes_) append(std::move(step), write);
    std::vector<std::string> dropped;
    for (const auto& [path, step] : drops_) dropped.push_back(path);
    std::sort(dropped.begin(), dropped.end(), is_deeper);
    for (const std::string& path : dropped) append(drops_.at(path), nullptr);
    for (const std::string& path : new_folders_)
      append(
          {.kind = Step::Kind::make_folder, .path = path, .mode = options_.privacy.allowed_permissions(path)},
          nullptr);
    for (auto& [step, write] : moves_) append(std::move(step), write);
    return layout;
  }

 private:
  Error not_as_expected_error(const std::string& path) {
    return Error(
        ErrorCode::repo_changed,
        path_in_sentence(path) + " changed while the write was being prepared; nothing was written.");
  }

  // Whether this change removes a file above `path`, because a folder must take its place.
  bool is_below_taken(std::string_view path) {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
      if (taken_.contains(above)) return true;
    }
    return false;
  }

  void need_folders_above(std::string_view path) {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above))
      needed_.emplace(above);
  }

  struct PathState {
    std::optional<FileStat> stat;       // The path's stat; nullopt if nothing exists there.
    std::optional<std::string> beside;  // See Step::outside_staging_folder.
  };

  // The mount of the folder above `path`; `folder` is its descriptor.
  std::uint64_t mount_above(std::string_view path, int folder) {
    auto [known, fresh] = mounts_.emplace(parent_path(path), 0);
    if (fresh) known->second = mount_id_of(folder);
    return known->second;
  }

  // The highest folder above `path` on the same mount, which this change certainly does not remove.
  std::string top_of_mount(std::string_view path, std::uint64_t mount) {
    std::string_view top = parent_path(path);
    while (!top.empty()) {
      Result<int> folder = parents_.open_parent_of(top);
      if (!folder || mount_above(top, *folder) != mount) break;
      top = parent_path(top);
    }
    return std::string(top);
  }

  // Checks before any change that the file system accepts the names in `path`, starting at offset `from`.
  // They need not exist; `folder` is a folder on the same file system.
  static Result<Unit> check_names(int folder, const std::string& path, std::size_t from) {
    while (from < path.size()) {
      const std::size_t end = std::min(path.find('/', from), path.size());
      struct stat st;
      const int found = ::fstatat(folder, path.substr(from, end - from).c_str(), &st, AT_SYMLINK_NOFOLLOW);
      if (found != 0 && errno == ENAMETOOLONG) return system_error(errno, "write", path);
      from = end + 1;
    }
    return Unit{};
  }

  // Examines the path of a write: its stat, and whether it is on another mount than the staging folder. Adds
  // missing parent folders to new_folders_.
  Result<PathState> inspect(const std::string& path) {
    PathState state;
    std::string_view missing_path = path;  // The path, or its topmost missing parent folder.
    while (is_below_taken(missing_path)) {
      missing_path = parent_path(missing_path);
      new_folders_.emplace(missing_path);
    }
    while (true) {
      Result<int> folder = parents_.open_parent_of(missing_path);
      if (folder) {
        std::uint64_t mount = mount_above(missing_path, *folder);
        if (missing_path.size() == path.size()) {
          std::optional<FileStat> stat = TRY(stat_at(*folder, std::string(base_name(path)), path));
          state.stat = stat;
        }
        if (!state.stat) {
          TRY(check_names(*folder, path, missing_path.size() - base_name(missing_path).size()));
        }
        if (mount != staging_mount_) state.beside = top_of_mount(missing_path, mount);
        return state;
      }
      if (folder.error().code != ErrorCode::not_found) return std::move(folder).error();
      missing_path = parent_path(missing_path);
      new_folders_.emplace(missing_path);
    }
  }

  Result<Unit> add(std::size_t index) {
    const TreeWrite& write = writes_[index];
    const std::string& path = write.change.path;
    bool removes = write.change.kind == Kind::remove || write.change.kind == Kind::remove_folder;
    if (!removes) need_folders_above(path);
    PathState inspected = TRY(inspect(path));
    const std::optional<FileStat>& stat = inspected.stat;
    bool folder = stat && S_ISDIR(stat->mode);
    if (write.change.kind == Kind::remove_folder) {
      if (!folder) return not_as_expected_error(path);
      drop(path, *stat, true);
      return Unit{};
    }
    if (write.existing ? !stat || *stat != write.existing->stat : stat && !folder)
      return not_as_expected_error(path);
    if (removes && (folder || !write.existing)) return not_as_expected_error(path);
    if (folder) drop(path, *stat, true);

    std::string number = transaction_ + "-" + std::to_string(index);
    Step step{.path = path,
              .staged_name = inspected.beside ? ".snapgen-" + number : number,
              .outside_staging_folder = inspected.beside,
              .before = write.existing};
    if (write.change.kind == Kind::remove) {
      step.kind = Step::Kind::move_to_staging;
      takes_.emplace_back(std::move(step), &write);
      return Unit{};
    }
    step.kind = write.existing ? Step::Kind::exchange : Step::Kind::move_from_staging;
    step.mode = options_.privacy.allowed_permissions(path);
    if (write.change.kind == Kind::chmod) {
      step.kind = Step::Kind::chmod;
      step.mode = write.change.permissions.value_or(permissions_for_mode(stat->mode, write.change.mode));
    }
    moves_.emplace_back(std::move(step), &write);
    return Unit{};
  }

  void drop(const std::string& path, const FileStat& stat, bool required) {
    Step step{
        .kind = Step::Kind::remove_folder, .path = path, .required = required, .mode = stat.mode & 07777};
    auto [known, fresh] = drops_.emplace(path, step);
    if (!fresh) known->second.required |= required;
  }

  // Plans to remove the folders that may become empty: those above removed files, unless they are still
  // needed.
  Result<Unit> prune() {
    std::set<std::string, std::less<>> seen;
    for (const std::string& path : taken_) {
      for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
        if (!seen.emplace(above).second) break;
        if (needed_.contains(above)) continue;
        Result<FileStat> stat = root_.lstat(above);
        if (stat && S_ISDIR(stat->mode)) drop(std::string(above), *stat, false);
      }
    }
    return Unit{};
  }

  const Root& root_;
  ParentFolders parents_;
  const std::vector<TreeWrite>& writes_;
  const WriteOptions& options_;
  std::string transaction_;
  std::uint64_t staging_mount_;
  std::set<std::string, std::less<>> taken_;   // Files that are removed.
  std::set<std::string, std::less<>> needed_;  // Folders above new files.
  std::set<std::string> new_folders_;          // Sorted, so a folder precedes its subfolders.
  std::map<std::string, Step> drops_;
  std::map<std::string, std::uint64_t, std::less<>> mounts_;  // The mount of each folder.
  std::vector<std::pair<Step, const TreeWrite*>> takes_, moves_;
};

}  // namespace

std::uint64_t mount_id_of(int fd) {
  struct statx st;
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &st) != 0) return 0;
  if ((st.stx_mask & STATX_MNT_ID) != 0) return st.stx_mnt_id;
  return (std::uint64_t{st.stx_dev_major} << 32) | st.stx_dev_minor;
}

Result<StepPlan> plan_steps(const Root& root, const std::vector<TreeWrite>& writes,
                            const WriteOptions& options, const std::string& transaction,
                            std::uint64_t staging_mount) {
  return StepPlanner(root, writes, options, transaction, staging_mount).run();
}

}  // namespace snapgen::core

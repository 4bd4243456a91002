#include "tools/engine/write/sync.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/write/content.h"
#include "tools/engine/write/parent_folders.h"
#include "tools/engine/write/step_plan.h"

namespace snapgen::core {
namespace {

// Above this number of files, syncing the whole file system is faster.
constexpr std::size_t synced_alone_max = 4000;
constexpr std::size_t syncs_per_block = 4;  // Files that one thread syncs at a time.

// A file of a step, or the folder that it is in.
struct SyncTarget {
  const Step* step;
  std::string name;  // The file's name; empty: the folder.
};

// Opens the folder of a step's file; nullopt: it was removed, and so was the file.
using FolderOf = std::function<Result<std::optional<int>>(ParentFolders& parents, const Step& step)>;

Result<Unit> synced(int result, std::string_view path) {
  if (result == 0) return Unit{};
  return write_error(errno, path);
}

Result<Unit> sync_place(ParentFolders& parents, const SyncTarget& target, const FolderOf& folder_of) {
  std::optional<int> folder = TRY(folder_of(parents, *target.step));
  if (!folder) return Unit{};
  if (target.name.empty()) return synced(::fsync(*folder), target.step->path);
  Fd fd(::openat(*folder, target.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd && (errno == ENOENT || errno == ELOOP)) return Unit{};  // Another process has replaced it since.
  // An unreadable file can only be synced with its whole file system.
  if (!fd && errno == EACCES) return synced(::syncfs(*folder), target.step->path);
  struct stat st;
  if (!fd || ::fstat(fd.get(), &st) != 0) return write_error(errno, target.step->path);
  return S_ISREG(st.st_mode) ? synced(::fsync(fd.get()), target.step->path) : Unit{};
}

Result<Unit> sync_mounts(const Root& root, const std::vector<SyncTarget>& places, const FolderOf& folder_of) {
  ParentFolders parents(root);
  std::set<std::uint64_t> mounts;
  for (const SyncTarget& target : places) {
    std::optional<int> folder = TRY(folder_of(parents, *target.step));
    if (!folder || !mounts.insert(mount_id_of(*folder)).second) continue;
    TRY(synced(::syncfs(*folder), target.step->path));
  }
  return Unit{};
}

// Syncs all `places` in parallel. If several syncs fail, returns one of the errors.
Result<Unit> sync_all(const Root& root, const std::vector<SyncTarget>& places, const FolderOf& folder_of) {
  if (places.size() > synced_alone_max) return sync_mounts(root, places, folder_of);
  std::mutex mutex;
  std::optional<Error> failed;
  in_parallel_on_disk(places.size(), syncs_per_block, [&](std::size_t begin, std::size_t end) {
    ParentFolders parents(root);
    for (std::size_t i = begin; i < end; ++i) {
      Result<Unit> done = sync_place(parents, places[i], folder_of);
      if (done) continue;
      std::lock_guard lock(mutex);
      if (!failed) failed = std::move(done).error();
    }
  });
  if (failed) return *std::move(failed);
  return Unit{};
}

}  // namespace

Result<Unit> sync_staged(const Root& root, int staging, const std::vector<Step>& steps) {
  std::vector<SyncTarget> places;
  std::set<std::optional<std::string>> folders;
  for (const Step& step : steps) {
    bool moves = step.kind == Step::Kind::move_from_staging || step.kind == Step::Kind::exchange;
    if (!moves || step.content) continue;
    // A symlink's target is in its folder's entry or its inode, both of which the folder's sync covers.
    if (!S_ISLNK(step.after.mode)) places.push_back({.step = &step, .name = step.staged_name});
    if (folders.insert(step.outside_staging_folder).second) places.push_back({.step = &step, .name = {}});
  }
  return sync_all(
      root, places, [staging](ParentFolders& parents, const Step& step) -> Result<std::optional<int>> {
        if (!step.outside_staging_folder) return std::optional(staging);
        int folder = TRY(parents.open_parent_of(joined_path(*step.outside_staging_folder, step.staged_name)));
        return std::optional(folder);
      });
}

Result<Unit> sync_done(const Root& root, const std::vector<Step>& steps) {
  std::vector<SyncTarget> places;
  std::set<std::string_view> folders;
  for (const Step& step : steps) {
    bool has_content = step.kind == Step::Kind::move_from_staging || step.kind == Step::Kind::exchange;
    if (step.kind == Step::Kind::chmod || (has_content && !S_ISLNK(step.after.mode)))
      places.push_back({.step = &step, .name = std::string(base_name(step.path))});
    if (folders.insert(parent_path(step.path)).second) places.push_back({.step = &step, .name = {}});
  }
  return sync_all(root, places, [](ParentFolders& parents, const Step& step) -> Result<std::optional<int>> {
    Result<int> folder = parents.open_parent_of(step.path);
    // The folder may have been removed by the same change or another process.
    if (!folder) return std::optional<int>();
    return std::optional(*folder);
  });
}

}  // namespace snapgen::core

#include "tools/engine/operations/delete_path.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/stat.h>

#include "tools/engine/files/folder_names.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/step_plan.h"
#include "tools/engine/write/write_rules.h"
#include "tools/engine/write/write_target.h"

namespace snapgen::core {
namespace {

class DeletionPlanner {
 public:
  DeletionPlanner(Workspace& workspace, const DeleteQuery& query, const std::stop_token& stop)
      : root_(workspace.root()), checks_(workspace.writer().rules()), query_(query), stop_(stop) {}

  Result<ProposedChange<DeleteAnswer>> run() {
    WriteTarget target = TRY(find_write_target(root_, query_.path, false));
    const std::string& path = target.path;
    FileStat stat = TRY(root_.lstat(path));
    // Protected files remain when a folder above is deleted, but naming one is an error.
    if (is_log_path(path) || checks_.protects(path)) return checks_.check(path).error();
    if (kind_of(stat) != FileKind::folder) {
      add_file(path, stat);
    } else {
      OpenedPath above = TRY(root_.open_folder(parent_path(path)));
      TRY(add_folder(path, mount_id_of(above.fd.get()), true));
    }
    for (const std::string& link : target.followed_symlinks) {
      Result<FileRecord> record = observe_file(root_, link, stop_);
      if (!record) return changed_while_read_error(link);
      plan_.inspected_files.push_back(*std::move(record));
    }
    plan_.undo = {.is_wanted = !query_.discard_contents, .message = "before deleting " + path};
    std::sort(answer_.deleted.begin(), answer_.deleted.end());
    std::sort(answer_.remaining.begin(), answer_.remaining.end(),
              [](const RemainingPath& a, const RemainingPath& b) { return a.path < b.path; });
    return ProposedChange<DeleteAnswer>{.answer = std::move(answer_), .plan = std::move(plan_)};
  }

 private:
  void add_file(const std::string& path, const FileStat& stat) {
    plan_.writes.push_back(
        {.change = {.kind = TreeChange::Kind::remove, .path = path},
         .existing = FileRecord{.path = path, .stat = stat, .seen_ns = now_ns(), .blob = {}},
         .source = {}});
    answer_.deleted.push_back(path);
  }

  // Returns whether the whole folder will be deleted. `mount`: mount_id_of() the folder above.
  Result<bool> add_folder(const std::string& path, std::uint64_t mount, bool named) {
    if (stop_.stop_requested()) return Error(ErrorCode::cancelled, "Cancelled; nothing was deleted.");
    OpenedPath opened = TRY(root_.open_folder(path));
    if (!opened.followed_symlinks.empty() || opened.path != path) return changed_while_read_error(path);
    if (mount_id_of(opened.fd.get()) != mount) {
      return Error(ErrorCode::permission_denied,
                   "Another file system is mounted at " + path_in_sentence(path) +
                       ", and no tool deletes a mount point; nothing was deleted. Unmount it first.");
    }
    const FolderNames found = names_in_folder(opened.fd.get());
    if (found.error != 0) return system_error(found.error, "read the folder", opened.path);
    const std::vector<std::string>& names = found.names;
    if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return is_dot_git(name); })) {
      if (named) {
        return Error(ErrorCode::permission_denied, path_in_sentence(path) +
                                                       " is a nested repository or a submodule, which no "
                                                       "tool deletes; nothing was deleted. Delete it "
                                                       "in a terminal.");
      }
      answer_.remaining.push_back({.path = path, .reason = RemainingPath::Reason::nested_repository});
      return false;
    }
    if (named && !query_.recursive && !names.empty()) {
      return Error(ErrorCode::invalid_argument,
                   path_in_sentence(path) +
                       " is a folder that is not empty; pass recursive to delete it with " +
                       "everything in it.");
    }
    bool emptied = true;
    for (const std::string& name : names) {
      bool removed = TRY(add_entry(opened, mount, joined_path(path, name), name));
      emptied = emptied && removed;
    }
    if (!emptied) return false;
    plan_.writes.push_back(
        {.change = {.kind = TreeChange::Kind::remove_folder, .path = path}, .existing = {}, .source = {}});
    answer_.deleted.push_back(path);
    return true;
  }

  Result<bool> add_entry(const OpenedPath& folder, std::uint64_t mount, const std::string& path,
                         const std::string& name) {
    if (is_reserved_path(path) || is_log_path(path) || checks_.protects(path)) {
      answer_.remaining.push_back({.path = path, .reason = RemainingPath::Reason::reserved});
      return false;
    }
    struct stat st;
    if (::fstatat(folder.fd.get(), name.c_str(), &st, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return changed_while_read_error(path);
      return system_error(errno, "examine", path);
    }
    if (S_ISDIR(st.st_mode)) return add_folder(path, mount, false);
    add_file(path, file_stat(st));
    return true;
  }

  const Root& root_;
  WriteChecks checks_;
  const DeleteQuery& query_;
  std::stop_token stop_;
  ChangePlan plan_;
  DeleteAnswer answer_;
};

}  // namespace

Result<ChangeResult<DeleteAnswer>> delete_path(Workspace& workspace,
                                               const std::optional<std::string>& lease_id,
                                               const DeleteQuery& query, const std::stop_token& stop) {
  return change_worktree(workspace, lease_id, stop, [&](MissingPaths& missed) {
    Result<ProposedChange<DeleteAnswer>> proposal = DeletionPlanner(workspace, query, stop).run();
    if (!proposal && proposal.error().code == ErrorCode::not_found) missed.push_back(query.path);
    return proposal;
  });
}

}  // namespace snapgen::core

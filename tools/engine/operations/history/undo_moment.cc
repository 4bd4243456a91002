#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <sys/stat.h>

#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/operations/history/foreign_lines.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/operations/history/rewind.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/engine/write/inspected_worktree.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {
namespace {

constexpr std::size_t named_paths_max = 3;

bool is_snapshot_id(std::string_view text) {
  return text.starts_with("snap_") || text.starts_with("sha256:");
}

bool is_named(const UndoMomentQuery& query, std::string_view path) {
  return query.paths.empty() || std::ranges::any_of(query.paths, [&](const UndoPath& each) {
           return is_at_or_below_folder(path, each.path);
         });
}

// Returns the change that an undo snapshot undoes. Errors: invalid_argument (another snapshot); not_found
// (the history does not have all of the change).
Result<std::vector<MomentChange>> change_before(Workspace& workspace, const Timeline& timeline,
                                                const std::string& id) {
  const std::shared_ptr<const Snapshot> snapshot = TRY(workspace.snapshots().load(id));
  const std::optional<SnapshotNote> note = workspace.snapshots().note(snapshot->hex);
  if (!note || !note->is_undo)
    return Error(
        ErrorCode::invalid_argument,
        snapshot->alias() + " is a state and not a change, so it cannot be undone. Restore it instead.");
  UndoneChanges undone = TRY(changes_undone_by(workspace, timeline, *snapshot, *note));
  if (!undone.missing.empty())
    return Error(ErrorCode::not_found,
                 "The history does not show what the change of " + snapshot->alias() + " made of " +
                     some_of(undone.missing, named_paths_max) +
                     ", because other changes followed at once. Restore the snapshot instead.");
  std::vector<MomentChange> changes;
  for (auto& [path, found] : undone.found) changes.push_back(std::move(found.change));
  return changes;
}

// Plans the undo of changes from the present files.
class UndoPlanner {
 public:
  UndoPlanner(Workspace& workspace, const UndoMomentQuery& query, const std::vector<MomentChange>& changes,
              const std::stop_token& stop)
      : blobs_(workspace.blobs()),
        root_(workspace.root()),
        query_(query),
        changes_(changes),
        checks_(workspace.writer().rules()),
        tree_(root_, stop) {}

  Result<ProposedChange<UndoMomentAnswer>> run() {
    // Removals are first, because the change may have replaced a file by a folder, or a folder by a file.
    for (const bool removes : {true, false})
      for (const MomentChange& change : changes_) {
        if (change.before.has_value() == removes || !is_named(query_, change.path)) continue;
        TRY(undo(change));
      }
    std::ranges::sort(answer_.files, {}, &UndoneFile::path);
    std::ranges::sort(answer_.conflicts, {}, &UndoConflict::path);
    ProposedChange<UndoMomentAnswer> proposal{.answer = std::move(answer_), .plan = {}};
    const bool writes = !query_.dry_run && (query_.partial || proposal.answer.conflicts.empty());
    proposal.answer.is_done = writes && !writes_.empty();
    if (writes) {
      for (const TreeChange& each : writes_) {
        TRY(checks_.check(each));
      }
      proposal.plan.writes = tree_.writes_of(std::move(writes_));
      proposal.plan.options.prune_empty_folders = true;
    }
    proposal.plan.inspected_files = tree_.inspected_files();
    proposal.plan.undo = {.is_wanted = true, .message = "before undoing " + query_.target};
    return proposal;
  }

 private:
  using Kind = RestoredPath::Kind;

  // The lines of the file that the query names; empty: all.
  std::vector<LineSpan> wanted_lines(const std::string& path) const {
    std::vector<LineSpan> lines;
    for (const UndoPath& each : query_.paths) {
      if (!is_at_or_below_folder(path, each.path)) continue;
      if (!each.lines) return {};
      lines.push_back(*each.lines);
    }
    return lines;
  }

  void refuse(const std::string& path, std::string reason, std::vector<LineSpan> lines = {}) {
    answer_.conflicts.push_back({.path = path, .lines = std::move(lines), .reason = std::move(reason)});
  }

  void write(Kind kind, TreeChange change) {
    if (kind == Kind::deleted) removed_.insert(change.path);
    answer_.files.push_back({.path = change.path, .kind = kind});
    writes_.push_back(std::move(change));
  }

  // Returns what is at the path after the planned removals.
  Result<TreeNode> node_after_removals(const std::string& path) {
    for (std::string_view above = parent_path(path); !above.empty(); above = parent_path(above)) {
      if (removed_.contains(above)) return TreeNode{};
      const TreeNode node = TRY(tree_.node_at(above));
      if (node.kind != TreeNode::Kind::missing && node.kind != TreeNode::Kind::folder)
        return TreeNode{.kind = TreeNode::Kind::other};
    }
    if (removed_.contains(path)) return TreeNode{};
    const TreeNode node = TRY(tree_.node_at(path));
    if (node.kind != TreeNode::Kind::folder) return node;
    std::vector<TreeChange> folders;
    const bool is_empty = TRY(is_emptied(path, folders));
    if (!is_empty) return node;
    std::ranges::move(folders, std::back_inserter(writes_));
    return TreeNode{};
  }

  // Whether the planned removals leave no file in the folder. Adds the removals of it and of those in it.
  Result<bool> is_emptied(const std::string& folder, std::vector<TreeChange>& folders) {
    const std::vector<std::string> names = TRY(tree_.names_in(folder));
    for (const std::string& name : names) {
      const std::string path = joined_path(folder, name);
      if (removed_.contains(path)) continue;
      const TreeNode node = TRY(tree_.node_at(path));
      if (node.kind != TreeNode::Kind::folder) return false;
      const bool is_empty = TRY(is_emptied(path, folders));
      if (!is_empty) return false;
    }
    folders.push_back({.kind = TreeChange::Kind::remove_folder, .path = folder});
    return true;
  }

  Result<Unit> undo(const MomentChange& change) {
    const std::string& path = change.path;
    const auto is_left_out = [](const std::optional<HistoryFile>& file) {
      return file && file->is_left_out();
    };
    if (is_left_out(change.before) || is_left_out(change.after)) {
      refuse(path,
             "The history has no content of it, because it is too large or unreadable, or changes too much.");
      return Unit{};
    }
    const TreeNode node = TRY(node_after_removals(path));
    if (node.kind == TreeNode::Kind::other || node.kind == TreeNode::Kind::folder) {
      refuse(path, "Something that is no file is in its place now.");
      return Unit{};
    }
    if (node.kind == TreeNode::Kind::missing) return undo_in_missing(change);
    const std::string now = TRY(tree_.read(path));
    const FileStat stat = TRY(root_.lstat(path));
    return undo_in_file(change, now, stat);
  }

  // The file does not exist now.
  Result<Unit> undo_in_missing(const MomentChange& change) {
    if (change.after) {
      // Deleted since. If the change created it, there is nothing left to undo.
      if (change.before) refuse(change.path, "The file was deleted since.");
      return Unit{};
    }
    TRY(put_back(change, Kind::created));
    return Unit{};
  }

  // Writes the file as it was before the change.
  Result<Unit> put_back(const MomentChange& change, Kind kind) {
    TreeChange write_change = change_to(*change.before, change.path);
    write_change.bytes = TRY(blobs_.get(change.before->blob));
    write(kind, std::move(write_change));
    return Unit{};
  }

  static TreeChange change_to(const HistoryFile& file, const std::string& path) {
    const FileMode mode = mode_of(FileStat{.mode = file.mode});
    TreeChange change{.path = path, .mode = mode};
    if (mode != FileMode::symlink) change.permissions = file.mode & recorded_permissions;
    return change;
  }

  Result<Unit> undo_in_file(const MomentChange& change, const std::string& now, const FileStat& stat) {
    const std::string& path = change.path;
    const BlobId blob = blob_id_of(now);
    const auto is_now = [&](const std::optional<HistoryFile>& file) {
      return file && file->blob == blob && (file->mode & S_IFMT) == (stat.mode & S_IFMT);
    };
    if (!change.after) {
      // Deleted by the change, and created again since.
      if (!is_now(change.before)) refuse(path, "Another file was created in its place since.");
      return Unit{};
    }
    if (!change.before) {
      if (is_now(change.after)) {
        write(Kind::deleted, {.kind = TreeChange::Kind::remove, .path = path});
      } else {
        refuse(path, "The change created the file, and it was changed since.");
      }
      return Unit{};
    }
    const bool is_same_content = change.before->blob == change.after->blob;
    if (is_same_content) return undo_mode(change, stat);
    if (is_now(change.after) && wanted_lines(path).empty()) return put_back_with_mode(change, stat);
    if (is_now(change.before)) return undo_mode(change, stat);
    const bool are_files = S_ISREG(change.before->mode) && S_ISREG(change.after->mode) && S_ISREG(stat.mode);
    const std::string before = TRY(blobs_.get(change.before->blob));
    const std::string after = TRY(blobs_.get(change.after->blob));
    if (!are_files || looks_binary(before) || looks_binary(after) || looks_binary(now)) {
      refuse(path, "The file was changed since, and is no text whose lines can be compared.");
      return Unit{};
    }
    UndoneLines undone = TRY(undo_lines(before, after, now, wanted_lines(path)));
    if (!undone.conflicts.empty())
      refuse(path, "These lines were changed again since.", std::move(undone.conflicts));
    if (undone.undone == 0 || undone.text == now) return Unit{};
    TreeChange merged{.path = path, .mode = mode_of(stat)};
    merged.bytes = std::move(undone.text);
    write(Kind::replaced, std::move(merged));
    return Unit{};
  }

  // The permissions after the undo: those before the change, unless they were changed again.
  static std::uint32_t permissions_after(const MomentChange& change, const FileStat& stat) {
    const bool is_changed_again =
        (stat.mode & recorded_permissions) != (change.after->mode & recorded_permissions);
    return (is_changed_again ? stat.mode : change.before->mode) & recorded_permissions;
  }

  Result<Unit> put_back_with_mode(const MomentChange& change, const FileStat& stat) {
    TRY(put_back(change, Kind::replaced));
    if (writes_.back().permissions) writes_.back().permissions = permissions_after(change, stat);
    return Unit{};
  }

  Result<Unit> undo_mode(const MomentChange& change, const FileStat& stat) {
    if (S_ISLNK(stat.mode)) return Unit{};
    const std::uint32_t permissions = permissions_after(change, stat);
    if (permissions == (stat.mode & recorded_permissions)) return Unit{};
    TreeChange chmod{.kind = TreeChange::Kind::chmod, .path = change.path};
    chmod.mode = (permissions & S_IXUSR) != 0 ? FileMode::executable : FileMode::plain;
    chmod.permissions = permissions;
    write(Kind::mode_changed, std::move(chmod));
    return Unit{};
  }

  BlobStore& blobs_;
  const Root& root_;
  const UndoMomentQuery& query_;
  const std::vector<MomentChange>& changes_;
  WriteChecks checks_;
  InspectedWorktree tree_;
  std::vector<TreeChange> writes_;
  std::set<std::string, std::less<>> removed_;  // The paths of planned removals.
  UndoMomentAnswer answer_;
};

}  // namespace

Result<WithLease<UndoMomentAnswer>> undo_moment(Workspace& workspace, MomentTaker& taker,
                                                const UndoMomentQuery& query, const std::stop_token& stop) {
  const auto held = taker.hold();
  const TakenMoment before = TRY(taker.take(MomentCause::before, MomentPace::normal, stop));
  const Timeline timeline = TRY(taker.log().read());
  std::vector<MomentChange> changes;
  if (is_snapshot_id(query.target)) {
    changes = TRY(change_before(workspace, timeline, query.target));
  } else {
    const HistoryTarget target =
        TRY(find_history_target(timeline, query.target, workspace.now() / 1'000'000));
    if (target.is_time())
      return Error(ErrorCode::invalid_argument,
                   "A time is no change that can be undone. Name a moment (m12) or a turn (t12), or rewind "
                   "to the time.");
    changes = TRY(changes_of(timeline, workspace.blobs(), target, stop));
  }
  for (const UndoPath& each : query.paths) {
    const bool is_changed = std::ranges::any_of(
        changes, [&](const MomentChange& change) { return is_at_or_below_folder(change.path, each.path); });
    if (!is_changed)
      return Error(ErrorCode::not_found, "The change of " + query.target + " has no " +
                                             path_in_sentence(each.path) + ". Omit the path.");
  }
  ChangeResult<UndoMomentAnswer> done =
      TRY(change_worktree(workspace, std::nullopt, stop,
                          [&](MissingPaths&) { return UndoPlanner(workspace, query, changes, stop).run(); }));
  WithLease<UndoMomentAnswer> answer{.value = std::move(done.value), .lease = std::move(done.lease)};
  if (done.undo) answer.value.undo_snapshot_id = done.undo->snapshot_id;
  if (answer.value.is_done) {
    const Result<TakenMoment> after = taker.take(MomentCause::after, MomentPace::normal, {});
    if (after && after->number > before.number) answer.value.undo_with = before.number + 1;
  }
  return answer;
}

}  // namespace snapgen::core

// Diffs whose newer side is the work tree.
#include <algorithm>
#include <map>

#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/live_files.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

DiffSide live_side(Workspace& workspace, LiveView& view, const std::string& path, std::uint32_t mode,
                   std::int64_t size) {
  DiffSide side{.mode = mode, .size = size, .oid = {}, .read = {}};
  FileKind kind = (mode & git::mode_type_mask) == git::mode_symlink ? FileKind::symlink : FileKind::file;
  side.read = [&workspace, &view, path, kind]() -> Result<std::string> {
    LiveContent content = TRY(read_live(workspace, view, path, kind));
    return std::move(content.bytes);
  };
  return side;
}

// Compares the work tree with HEAD or the index.
class GitComparison {
 public:
  GitComparison(Workspace& workspace, LiveView& view, const TrackedDiff& tracked, const DiffQuery& query)
      : workspace_(workspace), view_(view), tracked_(tracked), query_(query), scope_(query.paths) {}

  Result<DiffAnswer> run() {
    Result<Unit> done = check_paths();
    if (done) done = add_tracked();
    if (!done) return std::move(done).error();
    DiffBuilder report(query_, HashKind::sha1, view_.stop());
    count_left_out(report.answer());
    for (const auto& [path, made] : pairs_) {
      if (report.is_full()) {
        report.answer().truncated = true;
        break;
      }
      done = report.add(made.pair, made.unmerged);
      if (!done && done.error().code == ErrorCode::permission_denied) {
        ++report.answer().skipped.unreadable;
        continue;
      }
      if (!done) return std::move(done).error();
    }
    return report.finish();
  }

 private:
  struct Made {
    DiffPair pair;
    bool unmerged = false;
  };

  Result<Unit> check_paths() const {
    for (const std::string& path : scope_.paths()) {
      std::string whole = workspace_.to_repository_path(path);
      bool known = tracked_.tracks(whole) || std::any_of(tracked_.changes().begin(), tracked_.changes().end(),
                                                         [&](const TrackedChange& change) {
                                                           return is_at_or_below_folder(change.path, whole);
                                                         });
      if (known) continue;
      Result<FileStat> stat = workspace_.root().lstat(path);
      if (!stat) return view_.record_missing(path, std::move(stat).error());
    }
    return Unit{};
  }

  std::optional<std::string> wanted(const std::string& repository_path) const {
    std::optional<std::string> path = workspace_.to_workspace_path(repository_path);
    if (path && (!scope_.contains(*path) || is_reserved_path(*path))) path.reset();
    return path;
  }

  Result<Unit> add_tracked() {
    for (const TrackedChange& change : tracked_.changes()) {
      std::optional<std::string> path = wanted(change.path);
      if (!path) continue;
      Made made{.pair = {.path = *path,
                         .before = side_of(workspace_.repository(), change.before),
                         .after = {},
                         .binary = {}},
                .unmerged = change.unmerged};
      std::optional<bool> binary = TRY(tracked_.binary_attribute(change.path));
      made.pair.binary = binary;
      made.pair.after = TRY(after_of(change, *path));
      pairs_[*path] = std::move(made);
    }
    return Unit{};
  }

  Result<DiffSide> after_of(const TrackedChange& change, const std::string& path) {
    using Now = TrackedChange::AfterState;
    if (change.after_state == Now::missing) return DiffSide{};
    if (change.after_state == Now::indexed) {
      Result<FileStat> stat = workspace_.root().lstat(path);
      if (stat) view_.mark_touched(FileRecord{.path = path, .stat = *stat, .seen_ns = now_ns(), .blob = {}});
      return side_of(workspace_.repository(), change.after);
    }
    if (change.after_state == Now::submodule) {
      DiffSide side = side_of(workspace_.repository(), change.after);
      side.read = [&change] {
        return Result<std::string>("Subproject commit " + change.after.oid.hex() +
                                   (change.submodule_dirty ? "-dirty\n" : "\n"));
      };
      return side;
    }
    Result<FileStat> stat = workspace_.root().lstat(path);
    if (!stat) return changed_while_read_error(path);
    DiffSide side = live_side(workspace_, view_, path, change.after.mode, stat->size);
    if ((change.after.mode & git::mode_type_mask) == git::mode_regular) {
      side.read = [this, read = std::move(side.read), &change]() -> Result<std::string> {
        std::string bytes = TRY(read());
        return tracked_.cleaned_content(change.path, std::move(bytes));
      };
    }
    return side;
  }

  // Handles untracked files: adds them as new ones or counts them.
  void count_left_out(DiffAnswer& answer) {
    for (const std::string& found : tracked_.untracked()) {
      std::optional<std::string> path = wanted(found);
      if (!path) continue;
      Result<FileStat> stat = workspace_.root().lstat(*path);
      if (!query_.show_untracked || !stat) {
        ++answer.omitted_untracked_files;
        continue;
      }
      // HEAD may have a file that is no longer in the index; the untracked file is then its new version.
      DiffPair& pair = pairs_[*path].pair;
      pair.path = *path;
      pair.after = live_side(workspace_, view_, *path, git_mode(mode_of(*stat)), stat->size);
    }
    for (const SkippedPath& one : tracked_.skipped()) {
      if (std::optional<std::string> path = wanted(one.path))
        add(answer.skipped, {.path = *std::move(path), .reason = one.reason});
    }
  }

  Workspace& workspace_;
  LiveView& view_;
  const TrackedDiff& tracked_;
  const DiffQuery& query_;
  PathScope scope_;
  std::map<std::string, Made> pairs_;
};

}  // namespace

Result<DiffAnswer> diff_live_with_snapshot(Workspace& workspace, const Snapshot& before, LiveView& view,
                                           const DiffQuery& query) {
  TRY(workspace.snapshots().check_same_folder(before));
  HashKind kind = TRY(hash_kind_of(workspace.repository(), view.stop()));
  PathScope scope(query.paths);
  std::vector<LivePair> pairs = TRY(pair_with_live(workspace, view, scope, before.entries));
  auto known = [&](std::string_view path) {
    auto [first, last] = range_below(before.entries, path);
    return first != last;
  };
  SkippedCounts skipped = TRY(skipped_in(view, scope, known));
  skipped.not_captured = remove_uncaptured(workspace.snapshots().captured_scope(before), pairs);
  std::vector<LiveFile*> wanted;
  for (LivePair& pair : pairs) {
    if (pair.before == nullptr || !pair.after || sizes_differ(workspace, *pair.before, *pair.after)) continue;
    if ((pair.before->mode == FileMode::symlink) == (pair.after->mode == FileMode::symlink))
      wanted.push_back(&*pair.after);
  }
  TRY(set_blobs(workspace, wanted, view.stop()));

  DiffBuilder report(query, kind, view.stop());
  report.answer().skipped = skipped;
  std::vector<std::string> unreadable;
  for (const LivePair& pair : pairs) {
    if (pair.is_hidden) {
      unreadable.push_back(pair.before->path);
      continue;
    }
    if (pair.after) mark_touched(view, *pair.after);
    bool same = pair.before != nullptr && pair.after && pair.after->blob == pair.before->blob &&
                pair.after->mode == pair.before->mode;
    if (same) continue;
    if (report.is_full()) {
      report.answer().truncated = true;
      continue;
    }
    DiffPair made{
        .path = pair.after ? pair.after->path : pair.before->path, .before = {}, .after = {}, .binary = {}};
    if (pair.before != nullptr) made.before = side_of(workspace, *pair.before);
    if (pair.after) {
      made.after = live_side(workspace, view, made.path, git_mode(pair.after->mode), pair.after->stat.size);
    }
    Result<Unit> done = report.add(made);
    if (!done && done.error().code == ErrorCode::permission_denied) {
      unreadable.push_back(made.path);
    } else if (!done) {
      return std::move(done).error();
    }
  }
  report.answer().skipped.unreadable += count_unlisted_unreadable(view, unreadable);
  report.answer().unreadable = std::move(unreadable);
  return report.finish();
}

Result<DiffAnswer> diff_live_with_git(Workspace& workspace, GitBase base, LiveView& view,
                                      const DiffQuery& query) {
  TRY(view.read_status_first());
  TrackedDiff tracked = TRY(TrackedDiff::read(workspace.repository(), base, view.stop()));
  if (!tracked.fallback_reason().empty())
    return diff_by_git(workspace, base, view, query, tracked.fallback_reason());
  return GitComparison(workspace, view, tracked, query).run();
}

}  // namespace snapgen::core

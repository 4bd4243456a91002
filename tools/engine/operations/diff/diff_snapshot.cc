// Diffs whose newer side is a snapshot.
#include <algorithm>
#include <atomic>
#include <map>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/parallel.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t comparisons_per_block = 16;  // Files that one thread compares at a time.

Result<std::vector<NamedGitFile>> base_files(Workspace& workspace, const Snapshot& snapshot, GitBase base,
                                             const std::stop_token& stop) {
  const Repository& repository = workspace.repository();
  if (const std::optional<SnapshotNote> note = workspace.snapshots().note(snapshot.hex);
      note && note->is_undo) {
    return Error(
        ErrorCode::invalid_argument,
        "The snapshot " + snapshot.alias() +
            " has only the files of one change and belongs to no commit. Compare the work tree with it: "
            "pass it as against, and omit snapshot_id.");
  }
  const std::string& name =
      base == GitBase::head ? snapshot.fingerprint.head_oid : snapshot.fingerprint.index_oid;
  if (!repository.is_git() || (name.empty() && base == GitBase::index)) {
    return Error(ErrorCode::invalid_argument,
                 "The snapshot " + snapshot.alias() + " was taken without " +
                     (repository.is_git() ? "an index that could be committed" : "git") +
                     ". Pass another snapshot as against.");
  }
  if (name.empty()) return std::vector<NamedGitFile>();  // HEAD had no commit, and thus no files.
  std::optional<git::Oid> oid = git::Oid::from_hex(name);
  if (!oid || oid->size != 20) {
    return Error(ErrorCode::unavailable,
                 "Objects of a SHA-256 repository cannot be read. Pass another snapshot as against.");
  }
  std::optional<std::vector<NamedGitFile>> files =
      TRY(base == GitBase::head ? files_of_commit(repository, *oid, stop)
                                : files_of_tree(repository, *oid, stop));
  if (files) return *std::move(files);
  if (base == GitBase::index) {
    // git writes the index as a tree only when it commits. If it is still the index of the snapshot, its
    // entries are what that tree would contain.
    GitStatus status = TRY(workspace.status(stop));
    if (status.fingerprint.index_oid == name) return files_of_index(repository, stop);
  }
  return Error(ErrorCode::not_found, std::string(base == GitBase::head ? "The commit " : "The index ") +
                                         name +
                                         ", on which the snapshot was taken, is no longer in the repository. "
                                         "Pass another snapshot as against.");
}

// The files of the commit or index that are in the scope, by paths of the workspace.
std::map<std::string, GitFile> in_scope(const Workspace& workspace, std::vector<NamedGitFile> files,
                                        const PathScope& scope) {
  std::map<std::string, GitFile> out;
  for (NamedGitFile& file : files) {
    std::optional<std::string> path = workspace.to_workspace_path(file.path);
    if (path && scope.contains(*path) && !is_reserved_path(*path)) out.emplace(*std::move(path), file.file);
  }
  return out;
}

Error neither_side_has_error(std::string_view path) {
  return Error(ErrorCode::not_found, "Neither side has " + path_in_sentence(path) + ".");
}

// Sets `oids` to the git object ids of the captured contents, on several threads. Cached ids are free.
Result<Unit> find_oids(Workspace& workspace, const std::vector<const ManifestEntry*>& entries,
                       const std::stop_token& stop, std::vector<git::Oid>& oids) {
  oids.resize(entries.size());
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::optional<Error> failure;
  in_parallel(entries.size(), comparisons_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !failed && !stop.stop_requested(); ++i) {
      Result<git::Oid> oid = workspace.oid_of(entries[i]->blob);
      if (oid) {
        oids[i] = *oid;
        continue;
      }
      std::lock_guard lock(mutex);
      failure = cannot_compare_error(*entries[i], std::move(oid).error());
      failed = true;
    }
  });
  if (stop.stop_requested()) return cancelled_call_error();
  if (failure) return *std::move(failure);
  return Unit{};
}

}  // namespace

Result<DiffAnswer> diff_snapshots(Workspace& workspace, const Snapshot& before, const Snapshot& after,
                                  const DiffQuery& query, const std::stop_token& stop) {
  HashKind kind = TRY(hash_kind_of(workspace.repository(), stop));
  ChangesQuery changed{.paths = query.paths, .changes_max = before.entries.size() + after.entries.size()};
  ChangesAnswer changes = TRY(changes_between(workspace, before, after, changed, stop));
  DiffBuilder report(query, kind, stop);
  report.answer().skipped = changes.skipped;
  for (const FileChange& change : changes.changes) {
    if (report.is_full()) {
      report.answer().truncated = true;
      break;
    }
    auto side_in = [&](const Snapshot& snapshot) {
      auto [first, last] = range_below(snapshot.entries, change.path);
      bool there = first != last && snapshot.entries[first].path == change.path;
      return there ? side_of(workspace, snapshot.entries[first]) : DiffSide{};
    };
    DiffPair pair{.path = change.path, .before = side_in(before), .after = side_in(after), .binary = {}};
    TRY(report.add(pair));
  }
  return report.finish();
}

Result<DiffAnswer> diff_snapshot_with_git(Workspace& workspace, const Snapshot& snapshot, GitBase base,
                                          const DiffQuery& query, const std::stop_token& stop) {
  TRY(workspace.snapshots().check_same_folder(snapshot));
  std::vector<NamedGitFile> listed = TRY(base_files(workspace, snapshot, base, stop));
  PathScope scope(query.paths);
  std::map<std::string, GitFile> files = in_scope(workspace, std::move(listed), scope);
  for (const std::string& path : scope.paths()) {
    auto [first, last] = range_below(snapshot.entries, path);
    auto at = files.lower_bound(path);
    // Files below `path` may begin later: a path like `path-x` may sort before them.
    bool held =
        std::any_of(at, files.end(), [&](const auto& one) { return is_at_or_below_folder(one.first, path); });
    if (first == last && !held && !path.empty()) return neither_side_has_error(path);
  }
  std::vector<const ManifestEntry*> entries = scope.select(snapshot.entries);
  // Only files that git has at the same path can be equal, so only these need an object id.
  std::vector<const ManifestEntry*> both;
  for (const ManifestEntry* entry : entries) {
    if (files.contains(entry->path)) both.push_back(entry);
  }
  std::vector<git::Oid> oids;
  TRY(find_oids(workspace, both, stop, oids));

  std::map<std::string, DiffPair> pairs;
  for (const ManifestEntry* entry : entries) {
    if (files.contains(entry->path)) continue;
    pairs[entry->path] = {
        .path = entry->path, .before = {}, .after = side_of(workspace, *entry), .binary = {}};
  }
  DiffBuilder report(query, HashKind::sha1, stop);
  for (std::size_t i = 0; i < both.size(); ++i) {
    auto file = files.find(both[i]->path);
    if (file->second.oid != oids[i] || file->second.mode != git_mode(both[i]->mode)) {
      DiffPair pair{.path = both[i]->path,
                    .before = side_of(workspace.repository(), file->second),
                    .after = side_of(workspace, *both[i]),
                    .binary = {}};
      pair.after.oid = oids[i];
      pairs[both[i]->path] = std::move(pair);
    }
    files.erase(file);
  }
  const SnapshotScope captured = workspace.snapshots().captured_scope(snapshot);
  for (const auto& [path, file] : files) {
    if ((file.mode & git::mode_type_mask) == git::mode_gitlink) {
      ++report.answer().skipped.nested_repository;
    } else if (!captured.covers(path)) {
      ++report.answer().skipped.not_captured;
    } else {
      pairs[path] = {
          .path = path, .before = side_of(workspace.repository(), file), .after = {}, .binary = {}};
    }
  }
  for (const auto& [path, pair] : pairs) {
    if (report.is_full()) {
      report.answer().truncated = true;
      break;
    }
    TRY(report.add(pair));
  }
  return report.finish();
}

}  // namespace snapgen::core

#pragma once
// Workspace: an open workspace and the data that the snapshot.* and workspace.* tools store for it. Opened by
// the first call that needs it; lives until its work tree is closed (server/trees/served_trees.h).
//
// Internal state is in `<git common dir>/snapgen/`, or `.snapback/store/` without git:
//   blobs/       contents by hash (blob_store.h)
//   snapshots/   by id (snapshot_store.h)
//   trees/<x>/   data of this folder alone, because linked work trees share the rest: leases/ (lease.h),
//                the stat cache (stat_cache.h), trigram filters of searched contents
//                (trigram_filter_cache.h), and writes/, where changes of the tree are staged (writer.h)
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/tree.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/patch/rejected_patches.h"
#include "tools/engine/search/trigram_filter_cache.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/caches/known_contents.h"
#include "tools/engine/store/caches/recent_contents.h"
#include "tools/engine/store/caches/stat_cache.h"
#include "tools/engine/store/leases/lease.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/folder_modes_cache.h"
#include "tools/engine/workspace/last_whole_snapshot.h"
#include "tools/engine/workspace/own_writes.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

// Thread-safe.
class Workspace {
 public:
  // Opens the workspace `folder` and recovers what a crashed server left in it. Errors: as
  // Repository::open(), Root::open() and Writer::recover().
  static Result<std::unique_ptr<Workspace>> open(const std::string& folder,
                                                 Environment environment = Environment::of_process(),
                                                 LeaseStore::Clock clock = &now_ns);
  Workspace(Workspace&&) = delete;

  const Root& root() const { return root_; }
  BlobStore& blobs() { return *blobs_; }
  SnapshotStore& snapshots() { return snapshots_; }
  LeaseStore& leases() { return leases_; }
  StatCache& stat_cache() { return stats_; }
  KnownContents& known_contents() { return known_contents_; }
  RecentContents& recent_contents() { return recent_contents_; }
  RejectedPatches& rejected_patches() { return rejected_patches_; }
  LastWholeSnapshot& last_whole_snapshot() { return last_whole_snapshot_; }
  OwnWrites& own_writes() { return own_writes_; }
  FolderModesCache& folder_modes() { return folder_modes_; }
  TrigramFilterCache& trigram_filters() { return trigram_filters_; }
  Writer& writer() { return writer_; }
  // The lock that orders calls. A call locks it exclusively from its check of a lease until the lease has its
  // new base, and shared to compare a lease, or what was read, with the tree.
  std::shared_mutex& gate_mutex() { return gate_mutex_; }
  std::int64_t now() const { return clock_(); }
  const std::string& store_folder() const { return store_folder_; }
  // The part of the store that belongs to this work tree alone.
  const std::string& tree_folder() const { return tree_folder_; }

  const WorkTrees& work_trees() const { return work_trees_; }

  // As core::other_trees_of().
  std::vector<std::optional<OtherTree>> other_trees_of(const std::vector<SnapshotNote>& notes) const {
    return core::other_trees_of(store_folder_, snapshots_.origin(), work_trees_.own_name(), notes);
  }
  // Opens another work tree of the repository by its name, at the same folder within it. Errors: not_found
  // (there is none, or it was removed); as open().
  Result<std::unique_ptr<Workspace>> open_other_tree(const std::string& name) const;

  // The git status of the whole repository. Errors: as read_status(); unavailable if the folder was moved.
  Result<GitStatus> status(const std::stop_token& stop) const;
  // The time until which the watch has reported all writes; it may not have reported later ones yet. In
  // nanoseconds since 1970; the maximum without a watch.
  std::int64_t events_complete_until_ns() const;
  // Examines the files in `unreported`, which are paths of the workspace, and returns whether the repository
  // still has `fingerprint`.
  Result<bool> confirms_fingerprint(const Fingerprint& fingerprint,
                                    const std::vector<std::string>& unreported,
                                    const std::stop_token& stop) const;
  // Starts watching the tree (live_tree.h), also for other processes. Called once, before any other use.
  void allow_watching(WatchOptions options);
  LiveTree& live_tree() const { return live_tree_; }
  // The files of the workspace; paths are relative to it. Errors: as list_files().
  Result<LiveFiles> files(const std::stop_token& stop) const { return live_tree_.files(stop); }
  // Status and files; without a watch, from a single walk. Errors: as status() and files().
  Result<StatusAndLiveFiles> status_and_files(const std::stop_token& stop) const;
  // Converts a path of the repository to one of the workspace; nullopt if it is outside.
  std::optional<std::string> to_workspace_path(std::string_view repository_path) const;
  // Converts a path of the workspace to one of the repository.
  std::string to_repository_path(std::string_view path) const;
  const Repository& repository() const { return repository_; }
  const Environment& environment() const { return environment_; }
  // A content that the file has had, if the client lately read or wrote it or the store has it.
  std::optional<std::string> known_content(std::string_view path, const BlobId& blob);
  // The git object id that a blob would have in this repository. Errors: as BlobStore::get().
  Result<git::Oid> oid_of(const BlobId& blob);
  // Whether git would ignore an untracked file or folder at `path`.
  Result<bool> ignores(std::string_view path, bool is_folder) const;
  // Whether a sparse checkout omits the path, which the index has; false if that cannot be read.
  bool is_not_checked_out(std::string_view path) const;

  // Returns memory to the system after work on very many files.
  void release_memory();

  // Must be called before anything is written. Makes a store in `.snapback/` invisible to git, and records
  // the workspace's location in the store. Errors: unavailable; permission_denied.
  Result<Unit> prepare_store();

 private:
  Workspace(Root root, Repository repository, Environment environment, std::string store_folder,
            const WorkspaceLocation& location, LeaseStore::Clock clock);
  Result<Unit> make_store_folders();  // A part of prepare_store().

  Root root_;
  Repository repository_;
  mutable LiveTree live_tree_;
  Environment environment_;
  std::string prefix_;  // The workspace's path within the repository, with a final slash; mostly empty.
  std::string store_folder_;
  WorkTrees work_trees_;
  std::string tree_folder_;
  std::atomic<bool> is_location_recorded_ = false;
  LeaseStore::Clock clock_;
  std::unique_ptr<BlobStore> blobs_;
  SnapshotStore snapshots_;
  LeaseStore leases_;
  StatCache stats_;
  KnownContents known_contents_;
  RecentContents recent_contents_;
  RejectedPatches rejected_patches_;
  LastWholeSnapshot last_whole_snapshot_;
  OwnWrites own_writes_;
  FolderModesCache folder_modes_;
  TrigramFilterCache trigram_filters_;
  std::mutex oids_mutex_;
  std::unordered_map<BlobId, git::Oid, BlobIdHash> oids_;  // Never outdated, because contents never change.
  Writer writer_;
  std::shared_mutex gate_mutex_;
};

}  // namespace snapgen::core

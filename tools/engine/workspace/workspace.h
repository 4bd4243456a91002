#pragma once
// Workspace: one workspace and all that the snapshot.* and workspace.* tools keep of it. Opened at the first
// call that needs it; lives as long as the server.
//
// Internal state is in `<git common dir>/snapgen/`, or `.snapback/store/` where there is no git:
//   blobs/       contents by hash (blob_store.h)
//   snapshots/   by id (snapshot_store.h)
//   trees/<x>/   what belongs to this folder alone, for linked work trees share the rest: leases/ (lease.h),
//                the stat cache (stat_cache.h), trigram filters of what was searched
//                (trigram_filter_cache.h), and writes/, where changes of the tree are staged (writer.h)
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/fingerprint.h"
#include "tools/engine/git/tree.h"
#include "tools/engine/store/blob_store.h"
#include "tools/engine/store/known_contents.h"
#include "tools/engine/store/lease.h"
#include "tools/engine/store/snapshot_store.h"
#include "tools/engine/store/stat_cache.h"
#include "tools/engine/store/trigram_filter_cache.h"
#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/work_trees.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

// Thread-safe.
class Workspace {
 public:
  // `folder`: the workspace. Recovers what a crashed server left half written in it. Errors: as
  // Repository::open(), Root::open() and Writer::recover().
  static Result<std::unique_ptr<Workspace>> open(const std::string& folder,
                                                 Environment environment = Environment::of_process(),
                                                 LeaseStore::Clock clock = &now_ns);
  Workspace(Workspace&&) = delete;

  const Root& root() const { return root_; }
  BlobStore& blobs() { return *blobs_; }
  SnapshotStore& snapshots() { return snapshots_; }
  LeaseStore& leases() { return leases_; }
  StatCache& stats() { return stats_; }
  KnownContents& contents() { return contents_; }
  TrigramFilterCache& trigram_filters() { return trigram_filters_; }
  Writer& writer() { return writer_; }
  // Held alone by a call of this process from its check of a lease until the lease has moved with what it
  // wrote; shared by those that compare a lease with the tree, or the tree with what they read of it.
  std::shared_mutex& gate() { return gate_; }
  std::int64_t now() const { return clock_(); }
  const std::string& store_folder() const { return store_folder_; }
  // Of this work tree alone, within it.
  const std::string& tree_folder() const { return tree_folder_; }

  // Of the whole repository, as git tells it. Errors: as read_status(); unavailable if the folder was moved.
  Result<Status> status(const std::stop_token& stop) const;
  // A file that was changed at this time or later may have been written under the eyes of the watch without
  // that having been told yet. In nanoseconds since 1970; without a watch, the end of time.
  std::int64_t events_complete_until_ns() const;
  // Whether the repository's state is still `fingerprint` when such files, of what an answer is made from,
  // are looked at again. Paths of the workspace.
  Result<bool> confirms(const Fingerprint& fingerprint, const std::vector<std::string>& unreported,
                        const std::stop_token& stop) const;
  // Lets the tree be watched (live_tree.h). Called once, before anything is asked.
  void watch(WatchOptions options) { tree_.watch(std::move(options)); }
  LiveTree& tree() const { return tree_; }
  // Of the workspace; paths are relative to it. Errors: as list_files().
  Result<LiveFiles> files(const std::stop_token& stop) const { return tree_.files(stop); }
  // Both, of one walk where nobody watches. Errors: of both.
  Result<StatusAndLiveFiles> status_and_files(const std::stop_token& stop) const;
  // A path of the repository as one of the workspace; none if it stands outside.
  std::optional<std::string> in_workspace(std::string_view repository_path) const;
  // The reverse.
  std::string in_repository(std::string_view path) const;
  const Repository& repository() const { return repository_; }
  const Environment& environment() const { return environment_; }
  // The name that git would give to a blob of ours, were it a file's content in this repository. Errors: as
  // BlobStore::get().
  Result<git::Oid> oid_of(const BlobId& blob);
  // Whether git would ignore what stands at `path`, were it untracked.
  Result<bool> ignores(std::string_view path, bool is_folder) const;

  // Gives memory back to the system: after work on very many files.
  void rest();

  // Must be called before anything is written: makes `.snapback/`, and the store in it, invisible to git,
  // where the store lives there, and notes in the store where the workspace is. Errors: unavailable.
  Result<Unit> prepare_store();

 private:
  Workspace(Root root, Repository repository, Environment environment, std::string store_folder,
            const WorkspaceLocation& place, LeaseStore::Clock clock);

  Root root_;
  Repository repository_;
  mutable LiveTree tree_;
  Environment environment_;
  std::string prefix_;  // The workspace's path within the repository, with a final slash; mostly empty.
  std::string store_folder_;
  WorkTrees work_trees_;
  std::string tree_folder_;
  std::atomic<bool> place_noted_ = false;
  LeaseStore::Clock clock_;
  std::unique_ptr<BlobStore> blobs_;
  SnapshotStore snapshots_;
  LeaseStore leases_;
  StatCache stats_;
  KnownContents contents_;
  TrigramFilterCache trigram_filters_;
  std::mutex oids_mutex_;
  std::unordered_map<BlobId, git::Oid, BlobIdHash> oids_;  // Contents never change, so these never do.
  Writer writer_;
  std::shared_mutex gate_;
};

}  // namespace snapgen::core

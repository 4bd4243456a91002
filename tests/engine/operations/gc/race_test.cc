// Processes capture and read while another one collects.
#include <random>

#include <signal.h>
#include <sys/wait.h>

#include "tests/engine/operations/gc/store.h"

namespace snapgen::core {
namespace {

constexpr int capturers = 3;
constexpr int snapshots_each = 12;

// The work of a server: it captures contents that other processes also capture, and immediately reads every
// snapshot back.
int capture_and_read(const std::string& folder, int who) {
  auto blobs = *open_segment_store(folder + "/blobs");
  SnapshotStore snapshots(folder + "/snapshots", {}, *blobs);
  std::mt19937 random(static_cast<unsigned>(who));
  for (int i = 0; i < snapshots_each; ++i) {
    std::vector<unsigned> seeds(8);
    for (unsigned& seed : seeds) seed = random() % 24;
    Result<std::shared_ptr<const Snapshot>> saved = Error(ErrorCode::repo_changed, {});
    for (int tries = 0; tries < 1000 && !saved; ++tries) {
      std::vector<ManifestEntry> entries;
      for (std::size_t f = 0; f < seeds.size(); ++f) {
        Result<BlobId> id = blobs->put(prose(2000, seeds[f]));
        if (!id) return 2;
        entries.push_back({.path = "f" + std::to_string(f), .blob = *id});
      }
      saved =
          snapshots.save({.head_oid = std::to_string(who), .index_oid = std::to_string(i), .status_hash = {}},
                         std::move(entries), now_ns() / 1'000'000);
      if (!saved && saved.error().code != ErrorCode::repo_changed) return 3;
    }
    if (!saved) return 4;
    // Reads once with a newly opened reader, and once with one whose cache is outdated.
    for (BlobStore* reader : {open_segment_store(folder + "/blobs")->release(), blobs.get()}) {
      std::unique_ptr<BlobStore> owned(reader == blobs.get() ? nullptr : reader);
      for (std::size_t f = 0; f < seeds.size(); ++f) {
        Result<std::string> read = reader->get((*saved)->entries[f].blob);
        if (!read || *read != prose(2000, seeds[f])) return 5;
      }
    }
  }
  return 0;
}

TEST(Race, CapturesReadsAndCollectionsDoNotInterfere) {
  Store store;
  store.write("f", "some");
  store.snapshot();
  std::string folder = store.opened->store_folder();
  std::vector<pid_t> children;
  for (int who = 0; who < capturers; ++who) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(capture_and_read(folder, who));
    children.push_back(child);
  }
  // All snapshots are retained. A collection deletes blobs without a snapshot, and copies segments.
  int collections = 0;
  int removed = 0;
  std::size_t alive = children.size();
  while (alive > 0) {
    Result<CollectResult> done = store.collected(1000000);
    ASSERT_TRUE(done) << done.error().message << done.error().cause;
    ++collections;
    removed += static_cast<int>(done->segments_removed);
    int status = 0;
    while (alive > 0 && ::waitpid(-1, &status, WNOHANG) > 0) {
      EXPECT_TRUE(WIFEXITED(status));
      EXPECT_EQ(WEXITSTATUS(status), 0);
      --alive;
    }
  }
  EXPECT_GT(collections, 0);
  ASSERT_TRUE(store.collected(1000000));
  Result<VerifyResult> found = verify_store(*store.opened, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_sound());
  EXPECT_EQ(found->snapshot_count, capturers * snapshots_each + 1);
  EXPECT_EQ(store_usage(*store.opened, {})->reclaimable_bytes, 0);
  RecordProperty("segments_removed", removed);
}

TEST(Race, OnlyOneCollectorRuns) {
  Store store;
  for (unsigned i = 0; i < 6; ++i) {
    store.write("f", prose(30000, i));
    store.snapshot();
  }
  std::vector<pid_t> children;
  for (int who = 0; who < 4; ++who) {
    pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Result<CollectResult> done = store.collected(1);
      ::_exit(done ? 0 : done.error().code == ErrorCode::unavailable ? 1 : 2);
    }
    children.push_back(child);
  }
  int done = 0;
  for (pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_LE(WEXITSTATUS(status), 1);
    done += WEXITSTATUS(status) == 0;
  }
  EXPECT_GT(done, 0);
  EXPECT_EQ(store_usage(*store.opened, {})->snapshot_count, 1);
  EXPECT_TRUE(verify_store(*store.opened, {})->is_sound());
}

}  // namespace
}  // namespace snapgen::core

// Tests which snapshots a collection deletes, and that it deletes nothing else.
#include <fstream>
#include <random>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "runtime/base/fd.h"
#include "tests/engine/operations/gc/store.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/gc/sweep.h"
#include "tools/engine/write/journal.h"

namespace snapgen::core {
namespace {

TEST(Collect, DeletesOldSnapshotsAndKeepsOthersComplete) {
  Store store;
  std::vector<std::string> made;
  store.write("same", prose(50000, 1));
  for (unsigned i = 0; i < 5; ++i) {
    store.write("changes", prose(50000, 10 + i));
    made.push_back(store.snapshot());
  }
  Result<StoreUsage> before = store_usage(*store.opened, {});
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->snapshot_count, 5);
  EXPECT_EQ(before->reclaimable_bytes, 0);

  Result<CollectResult> would = store.collected(2, true);
  ASSERT_TRUE(would) << would.error().message;
  ASSERT_EQ(would->removed.size(), 3u);
  EXPECT_EQ(would->removed.front().hex, made[2]) << "the latest deleted snapshot is named first";
  EXPECT_GT(would->bytes_freed, 0u);
  for (const std::string& hex : made) EXPECT_TRUE(store.reads_whole(hex)) << "a dry run changes nothing";

  Result<CollectResult> done = store.collected(2);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->removed.size(), 3u);
  EXPECT_EQ(done->retained_snapshots, 2);
  EXPECT_GT(done->bytes_freed, 0u);
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(store.reads_whole(made[i]), i >= 3);
    Result<std::shared_ptr<const Snapshot>> loaded = store.opened->snapshots().load("sha256:" + made[i]);
    EXPECT_EQ(bool(loaded), i >= 3) << "a deleted snapshot is not answered from memory";
  }
  Result<StoreUsage> after = store_usage(*store.opened, {});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->snapshot_count, 2);
  EXPECT_LT(after->stored_bytes, before->stored_bytes);
  EXPECT_EQ(after->reclaimable_bytes, 0);
  EXPECT_TRUE(verify_store(*store.opened, {})->is_sound());
  EXPECT_TRUE(store.collected(2)->removed.empty());
}

TEST(Collect, KeepsYoungSnapshotsBeyondTheCount) {
  Store store;
  std::vector<SnapshotNote> notes;
  std::int64_t day_ms = day_ns / 1'000'000;
  for (int age = 0; age < 10; ++age)
    notes.push_back(
        {.hex = std::to_string(age), .message = {}, .latest_ms = (100 - age) * day_ms, .stats = {}});
  EXPECT_EQ(expired_snapshots(notes, {.keep_days = 5, .keep_count = 1}, 100 * day_ms).size(), 5u);
  EXPECT_EQ(expired_snapshots(notes, {.keep_days = 0, .keep_count = 7}, 100 * day_ms).size(), 3u);
  EXPECT_EQ(expired_snapshots(notes, {.keep_days = 5, .keep_count = 7}, 100 * day_ms).size(), 3u);
  EXPECT_TRUE(expired_snapshots(notes, {}, 100 * day_ms).empty());
}

TEST(Collect, ASnapshotTakenAgainCountsAsYoung) {
  Store store;
  store.write("f", "one");
  std::string first = store.snapshot();
  store.write("f", "two!");
  std::string second = store.snapshot();
  store.write("f", "one");
  EXPECT_EQ(store.snapshot(), first);
  ASSERT_TRUE(store.collected(1));
  EXPECT_TRUE(store.reads_whole(first));
  EXPECT_FALSE(store.reads_whole(second));
}

TEST(Collect, KeepsBlobsOfLeasesAndUnfinishedWrites) {
  Store store;
  BlobStore& blobs = store.opened->blobs();
  BlobId leased = *blobs.put(prose(1000, 1));
  BlobId journaled = *blobs.put(prose(1000, 2));
  BlobId unreferenced = *blobs.put(prose(1000, 3));
  ASSERT_TRUE(blobs.commit());
  FileRecord record{.path = "f", .stat = {}, .seen_ns = 1, .blob = leased};
  const std::string lease = store.opened->leases().issue(
      {.fingerprint = {.head_oid = "", .index_oid = "", .status_hash = "x"}, .status = {}},
      {.records = {record}});
  ASSERT_TRUE(store.opened->leases().use(lease));
  std::string writes = store.opened->store_folder() + "/trees/any/writes";
  ASSERT_TRUE(make_folders(writes));
  Step step{.path = "g", .staged_name = {}, .outside_staging_folder = {}};
  step.before = FileRecord{.path = "g", .stat = {}, .seen_ns = 1, .blob = journaled};
  ASSERT_TRUE(replace_file(writes, "one.journal", encoded_journal({.boot = boot_id(), .steps = {step}}),
                           Durability::process_crash));

  Result<CollectResult> done = store.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(blobs.get(leased));
  EXPECT_TRUE(blobs.get(journaled));
  auto fresh = *open_segment_store(store.blobs());
  EXPECT_TRUE(fresh->get(leased));
  EXPECT_TRUE(fresh->get(journaled));
  EXPECT_FALSE(fresh->get(unreferenced));

  store.clock_offset_ns += 2 * day_ns;
  ASSERT_TRUE(store.collected(1));
  EXPECT_FALSE((*open_segment_store(store.blobs()))->get(leased)) << "the lease has expired";
}

TEST(Collect, SkipsASegmentThatAnotherProcessIsWriting) {
  Store store;
  auto other = *open_segment_store(store.blobs());
  BlobId pending = *other->put(prose(3000, 1));
  Result<CollectResult> done = store.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->segments_in_use, 1u);
  ASSERT_TRUE(other->commit());
  EXPECT_TRUE((*open_segment_store(store.blobs()))->get(pending));
}

// Until a capture is saved, nothing durable refers to the blobs that it uses.
TEST(Collect, ACaptureThatLostBlobsFailsAndSucceedsWhenRepeated) {
  Store store;
  store.write("f", prose(5000, 1));
  std::string old = store.snapshot();
  store.write("f", prose(5000, 2));
  store.snapshot();
  std::shared_ptr<const Snapshot> again = *store.opened->snapshots().load("sha256:" + old);
  auto capturer = *open_segment_store(store.blobs());
  SnapshotStore snapshots(store.opened->store_folder() + "/snapshots", {}, *capturer);
  EXPECT_EQ(*capturer->put(prose(5000, 1)), again->entries.back().blob)
      << "the blob is in the store, so nothing is written";
  ASSERT_TRUE(store.collected(1));
  Result<std::shared_ptr<const Snapshot>> refused = snapshots.save(again->fingerprint, again->entries, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::repo_changed);
  for (const ManifestEntry& entry : again->entries) {
    if (!capturer->contains(entry.blob)) {
      EXPECT_TRUE(capturer->put(prose(5000, 1)));
    }
  }
  EXPECT_TRUE(snapshots.save(again->fingerprint, again->entries, 1));
  EXPECT_TRUE(store.reads_whole(old));
}

// A process with an open store can still read it after a collection.
TEST(Collect, OpenReadersFindMovedBlobs) {
  Store store;
  store.write("large", prose(9 << 20, 4));
  store.write("f", prose(5000, 1));
  store.snapshot();
  store.write("f", prose(5000, 2));
  store.snapshot();
  auto reader = *open_segment_store(store.blobs());
  Result<std::unique_ptr<ByteSource>> source = reader->open(blob_id_of(prose(9 << 20, 4)));
  ASSERT_TRUE(source);
  ASSERT_TRUE((*source)->next());
  ASSERT_EQ(store.collected(1)->segments_removed, 1u);
  std::size_t pieces = 1;
  while (true) {
    Result<std::string_view> piece = (*source)->next();
    ASSERT_TRUE(piece) << piece.error().message;
    if (piece->empty()) break;
    ++pieces;
  }
  EXPECT_GT(pieces, 30u);
  EXPECT_TRUE(reader->get(blob_id_of(prose(5000, 2))));
  reader->generation();
  EXPECT_TRUE(reader->get(blob_id_of(prose(5000, 2))));
  EXPECT_FALSE(reader->contains(blob_id_of(prose(5000, 1))));
}

TEST(Collect, TheQuotaDeletesOldSnapshotsButNotTheLatestTenth) {
  Store store;
  std::vector<std::string> made;
  for (unsigned i = 0; i < 12; ++i) {
    store.write("changes", prose(400'000, 100 + i));
    made.push_back(store.snapshot());
  }
  std::int64_t all = store_usage(*store.opened, {})->stored_bytes;
  Retention retention{.keep_days = 1000, .keep_count = 20, .quota_bytes = all / 2};
  Result<CollectResult> done = collect_garbage(*store.opened, {.retention = retention}, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_LT(store_usage(*store.opened, {})->stored_bytes, all / 2 + 100'000);
  EXPECT_GT(done->retained_snapshots, 2);
  EXPECT_TRUE(store.reads_whole(made.back()));
  EXPECT_FALSE(store.reads_whole(made.front()));
  retention.quota_bytes = all / 5;
  done = collect_garbage(*store.opened, {.retention = retention}, {});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->retained_snapshots, 2);
  EXPECT_FALSE(done->quota_is_too_small);
  EXPECT_TRUE(store.reads_whole(made[10]) && store.reads_whole(made[11]));
}

// The quota cannot be reached by deleting the other snapshots, because one that must not be deleted is larger
// than the quota.
TEST(Collect, NothingIsDeletedIfTheQuotaCannotBeReached) {
  Store store;
  std::vector<std::string> made;
  for (unsigned i = 0; i < 12; ++i) {
    store.write("changes", prose(10'000, 100 + i));
    made.push_back(store.snapshot());
  }
  store.write("large", prose(3'000'000, 1));
  made.push_back(store.snapshot());
  const std::int64_t all = store_usage(*store.opened, {})->stored_bytes;
  Retention retention{.keep_days = 1000, .keep_count = 10, .quota_bytes = all / 2};
  for (const bool dry_run : {true, false}) {
    Result<CollectResult> done =
        collect_garbage(*store.opened, {.retention = retention, .dry_run = dry_run}, {});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(done->quota_is_too_small);
    EXPECT_TRUE(done->removed.empty());
    EXPECT_EQ(done->retained_snapshots, 13);
  }
  for (const std::string& hex : made) EXPECT_TRUE(store.reads_whole(hex));
  Result<SweepResult> swept = sweep(*store.opened, retention, {}, {});
  ASSERT_TRUE(swept);
  EXPECT_TRUE(swept->failure.starts_with("The snapshots that must be kept take more than quota_bytes"))
      << swept->failure;
  EXPECT_EQ(last_sweep(*store.opened)->failure, swept->failure);

  retention.keep_days = 5;
  swept = sweep(*store.opened, retention, {}, {});
  ASSERT_TRUE(swept);
  EXPECT_EQ(swept->removed.size(), 3u) << "expired snapshots are deleted even so";
  EXPECT_FALSE(swept->failure.empty());
}

TEST(Collect, TheQuotaKeepsNamedAndUndoSnapshots) {
  Store store;
  std::vector<std::string> made;
  const auto make = [&](std::string message, std::int64_t later_ns) {
    store.write("changes", prose(400'000, 100 + static_cast<unsigned>(made.size())));
    store.clock_offset_ns += later_ns;
    Result<CreatedSnapshot> created = store.create(std::vector<std::string>{""}, {}, std::move(message));
    ASSERT_TRUE(created);
    made.push_back(created->hex);
  };
  make("", day_ns);
  std::set<std::string> named = {"sha256:" + made[0]};
  const GetSparedSnapshots spared = [&] { return named; };
  make("before restoring snap_0123456789", day_ns);
  for (int i = 0; i < 4; ++i) make("", day_ns);
  make("before restoring snap_0123456789", day_ns / 2);
  for (int i = 0; i < 6; ++i) make("", day_ns / 24);
  const std::int64_t all = store_usage(*store.opened, {})->stored_bytes;
  const Retention retention{.keep_days = 1000, .keep_count = 10, .undo_days = 1, .quota_bytes = all / 4};
  Result<CollectResult> done =
      collect_garbage(*store.opened, {.retention = retention, .spared_snapshots = spared}, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_FALSE(done->quota_is_too_small);
  EXPECT_EQ(done->retained_snapshots, 3);
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_EQ(store.reads_whole(made[i]), i == 0 || i == 6 || i == 12) << i;

  named.clear();
  store.clock_offset_ns += day_ns;
  ASSERT_TRUE(collect_garbage(
      *store.opened,
      {.retention = {.keep_days = 1000, .keep_count = 10, .undo_days = 1, .quota_bytes = all / 8},
       .spared_snapshots = spared},
      {}));
  for (const std::size_t i : {0, 6, 12}) EXPECT_EQ(store.reads_whole(made[i]), i == 12) << i;
}

// A store on a separate disk of 6 MB. Only root can mount one.
class SmallDisk : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can mount a small file system";
    folder_ = store_.opened->store_folder();
    std::filesystem::create_directories(folder_);
    is_mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=6m") == 0;
    if (!is_mounted_) GTEST_SKIP() << "this system does not allow mounts";
    store_.reopen();
  }
  void TearDown() override {
    if (is_mounted_) {
      EXPECT_EQ(::umount2(folder_.c_str(), MNT_DETACH), 0);
    }
  }

  std::uintmax_t room() const {
    store_.opened->blobs().release_memory();
    return std::filesystem::space(folder_).available;
  }
  // Appends to a file until the disk is full.
  static void fill(const std::string& file) {
    Fd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const std::string bytes(4096, 'x');
    while (::write(fd.get(), bytes.data(), bytes.size()) > 0) {
    }
  }

  Store store_;
  std::string folder_;
  bool is_mounted_ = false;
};

TEST_F(SmallDisk, AFileThatDoesNotFitLeavesTheDiskUnchanged) {
  store_.write("f", "small");
  ASSERT_FALSE(store_.snapshot().empty());
  const std::uintmax_t before = room();
  store_.write("large", noise(9 << 20, 1));
  Result<CreatedSnapshot> refused = store_.create(std::vector<std::string>{""});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_GT(room() + 64'000, before);
  std::filesystem::remove(store_.scratch.repo() + "/large");
  EXPECT_FALSE(store_.snapshot().empty());
  EXPECT_EQ(store_.collected(1)->segments_in_use, 0u);
}

// Each of the files fits alone, but not all together.
TEST_F(SmallDisk, CollectsFailedPutsWhileTheServerRuns) {
  for (unsigned i = 0; i < 90; ++i) store_.write(std::to_string(i), noise(100'000, i));
  const std::uintmax_t before = room();
  ASSERT_FALSE(store_.create(std::vector<std::string>{""}));
  EXPECT_LT(room(), before / 2);
  Result<CollectResult> done = store_.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->segments_in_use, 0u);
  EXPECT_GT(room() + 64'000, before);
}

TEST_F(SmallDisk, FreesCrashLeftoversBeforeCollecting) {
  store_.write("f", noise(500'000, 1));
  store_.snapshot();
  store_.write("f", noise(500'000, 2));
  const std::string kept = store_.snapshot();
  fill(store_.blobs() + "/" + store_.segments().front() + ".seg");
  ASSERT_EQ(room(), 0u);
  Result<CollectResult> done = store_.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT(room(), 4'500'000u);
  EXPECT_TRUE(store_.reads_whole(kept));
}

TEST_F(SmallDisk, DeletesWithoutCopyingOnAFullDisk) {
  store_.write("f", noise(500'000, 1));
  store_.snapshot();
  store_.write("f", noise(2'000'000, 2));
  const std::string kept = store_.snapshot();
  {
    auto other = *open_segment_store(store_.blobs());
    ASSERT_TRUE(other->put("keeps the segment"));
    ASSERT_TRUE(store_.opened->blobs().put(noise(1'000'000, 3)));
    ASSERT_TRUE(store_.opened->blobs().commit());
  }
  ASSERT_EQ(store_.segments().size(), 2u);
  fill(folder_ + "/others");
  Result<CollectResult> done = store_.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->segments_removed, 1u);
  EXPECT_GT(room(), 900'000u);
  done = store_.collected(1);
  ASSERT_FALSE(done) << "the remaining segment must be copied, for which there is no space";
  EXPECT_EQ(done.error().code, ErrorCode::unavailable);
  EXPECT_GT(room(), 900'000u) << "no part of the copy remains";
  std::filesystem::remove(folder_ + "/others");
  ASSERT_TRUE(store_.collected(1));
  EXPECT_TRUE(store_.reads_whole(kept));
  EXPECT_TRUE(verify_store(*store_.opened, {})->is_sound());
}

TEST(Sweep, RunsOncePerIntervalAndRecordsDeletedSnapshots) {
  Store store;
  Retention retention{.keep_days = 1, .keep_count = 1, .sweep_hours = 24};
  store.write("f", "one");
  std::string first = store.snapshot();
  EXPECT_FALSE(sweep_is_due(*store.opened, retention)) << "a new store has nothing to collect";
  store.write("f", "two");
  std::string second = store.snapshot();
  store.clock_offset_ns += day_ns;
  ASSERT_TRUE(sweep_is_due(*store.opened, retention));
  Result<SweepResult> swept = sweep(*store.opened, retention, {}, {});
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(swept->removed, std::vector<std::string>{first});
  EXPECT_EQ(last_sweep(*store.opened)->removed, swept->removed);
  EXPECT_FALSE(sweep_is_due(*store.opened, retention));
  EXPECT_TRUE(store.reads_whole(second));
  store.clock_offset_ns += day_ns;
  EXPECT_TRUE(sweep_is_due(*store.opened, retention));
  retention.sweep_hours = 0;
  EXPECT_FALSE(sweep_is_due(*store.opened, retention));
}

TEST(Sweep, IgnoresARecordFromTheFuture) {
  Store store;
  store.write("f", "one");
  store.snapshot();
  const Retention retention{.keep_days = 1, .keep_count = 1, .sweep_hours = 24};
  for (const char* at : {"4102444800000", "-1", "-9223372036854775808"}) {
    std::ofstream(store.opened->store_folder() + "/sweep")
        << R"({"at_ms":)" << at << R"(,"bytes_freed":0,"failure":"","removed":[]})";
    EXPECT_FALSE(sweep_is_due(*store.opened, retention)) << at;
    store.clock_offset_ns += day_ns;
    EXPECT_TRUE(sweep_is_due(*store.opened, retention)) << at;
  }
}

TEST(Sweep, AStoreAboveItsQuotaIsDueWithinAnHour) {
  Store store;
  store.write("f", prose(400'000, 1));
  store.snapshot();
  Retention retention{.quota_bytes = 1000, .sweep_hours = 24};
  EXPECT_TRUE(sweep_is_due(*store.opened, retention));
  ASSERT_TRUE(sweep(*store.opened, retention, {}, {}));
  EXPECT_FALSE(sweep_is_due(*store.opened, retention)) << "a collection was just tried";
  store.clock_offset_ns += day_ns / 12;
  EXPECT_TRUE(sweep_is_due(*store.opened, retention));
}

}  // namespace
}  // namespace snapgen::core

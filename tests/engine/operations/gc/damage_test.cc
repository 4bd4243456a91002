// Damaged stores: errors name the damaged blob, content is never wrong, and undamaged content can be read.
#include <fcntl.h>

#include "tests/engine/operations/gc/store.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/operations/restore.h"

namespace snapgen::core {
namespace {

class Damaged : public testing::Test {
 protected:
  void SetUp() override {
    store_.write("a", prose(4000, 1));
    store_.write("b", prose(4000, 2));
    first_ = store_.snapshot();
    store_.write("b", prose(4000, 3));
    second_ = store_.snapshot();
    ASSERT_EQ(store_.segments().size(), 1u);
    segment_ = store_.blobs() + "/" + store_.segments().front();
    // Writes an index, which every larger store has.
    Result<std::shared_ptr<Segment>> segment = Segment::open(store_.blobs(), store_.segments().front());
    ASSERT_TRUE(segment);
    ASSERT_TRUE((*segment)->write_index());
    store_.reopen();
  }

  BlobLocation place_of(unsigned seed) {
    return *(*Segment::open(store_.blobs(), store_.segments().front()))->find(blob_id_of(prose(4000, seed)));
  }
  void flip(const std::string& path, std::uint64_t offset) {
    Fd fd(::open(path.c_str(), O_RDWR));
    char byte = 0;
    ASSERT_TRUE(read_at(fd.get(), &byte, 1, offset));
    ASSERT_TRUE(write_at(fd.get(), std::string(1, static_cast<char>(byte ^ 4)), offset));
  }
  // Content 1 is in both snapshots, 2 only in the first, 3 only in the second.
  void expect_damage_of(unsigned seed, const std::vector<std::string>& snapshots) {
    store_.reopen();
    BlobId id = blob_id_of(prose(4000, seed));
    Result<std::string> read = store_.opened->blobs().get(id);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find(id.text()), std::string::npos) << read.error().message;
    for (unsigned other : {1u, 2u, 3u}) {
      Result<std::string> rest = store_.opened->blobs().get(blob_id_of(prose(4000, other)));
      EXPECT_EQ(bool(rest), other != seed);
      EXPECT_TRUE(!rest || *rest == prose(4000, other));
    }
    Result<VerifyResult> found = verify_store(*store_.opened, {});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_FALSE(found->is_sound());
    ASSERT_EQ(found->damages.size(), 1u);
    EXPECT_EQ(found->damages[0].blob, id);
    EXPECT_FALSE(found->damages[0].has_sound_copy);
    std::vector<std::string> sorted = snapshots;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(found->damages[0].snapshots, sorted);
    damage_ = found->damages[0];
  }

  Store store_;
  std::string first_;
  std::string second_;
  std::string segment_;
  BlobDamage damage_;
};

TEST_F(Damaged, AFlippedBitInABlobIsReportedWithItsSnapshots) {
  BlobLocation place = place_of(1);
  flip(segment_ + ".seg", place.offset + record_header_bytes + 100);
  expect_damage_of(1, {first_, second_});
  EXPECT_EQ(damage_.segment, store_.segments().front());
  EXPECT_EQ(damage_.offset, place.offset);
}

TEST_F(Damaged, AFlippedBitInAHeaderHidesNoLaterRecord) {
  BlobLocation place = place_of(2);
  flip(segment_ + ".seg", place.offset + 20);
  expect_damage_of(2, {first_});
  EXPECT_EQ(damage_.offset, place.offset);
}

TEST_F(Damaged, AFlippedBitInAHeaderHidesNoLaterRecordWithoutAnIndex) {
  std::filesystem::remove(segment_ + ".idx");
  const BlobLocation place = place_of(1);
  flip(segment_ + ".seg", place.offset + 20);
  store_.reopen();
  EXPECT_TRUE(store_.opened->blobs().get(blob_id_of(prose(4000, 2))));
  EXPECT_FALSE(store_.opened->blobs().get(blob_id_of(prose(4000, 1))));
  const Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->damaged_snapshots.empty() && found->torn_bytes == 0);
  ASSERT_EQ(found->damages.size(), 2u);
  EXPECT_EQ(found->damages[0].offset, place.offset);
  EXPECT_EQ(found->damages[0].why, "no record can be read in " +
                                       std::to_string(record_header_bytes + place.stored_bytes) + " bytes");
  EXPECT_EQ(found->damages[1].blob, blob_id_of(prose(4000, 1)));
  EXPECT_EQ(found->damages[1].snapshots.size(), 2u);
  EXPECT_EQ(found->damages[1].paths, std::vector<std::string>{"a"});
  const Result<CollectResult> dry = store_.collected(2, true, true);
  ASSERT_TRUE(dry);
  EXPECT_TRUE(dry->removed.empty());
  const Result<CollectResult> done = store_.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->segments_damaged, 1u);
  flip(segment_ + ".seg", place.offset + 20);
  EXPECT_TRUE(store_.reads_whole(second_));
  EXPECT_EQ(store_.collected(1)->segments_damaged, 0u);
  EXPECT_TRUE(store_.reads_whole(second_));
}

TEST_F(Damaged, CollectionKeepsRecordsBehindADamagedHeader) {
  const BlobLocation place = place_of(3);
  flip(segment_ + ".seg", place.offset + 20);
  store_.reopen();
  const Result<CollectResult> done = store_.collected(1);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->segments_damaged, 1u);
  flip(segment_ + ".seg", place.offset + 20);
  EXPECT_TRUE(store_.reads_whole(second_));
}

TEST_F(Damaged, StoringABlobAgainRepairsIt) {
  flip(segment_ + ".seg", place_of(3).offset + record_header_bytes + 10);
  store_.reopen();
  BlobStore& blobs = store_.opened->blobs();
  ASSERT_FALSE(blobs.get(blob_id_of(prose(4000, 3))));
  ASSERT_TRUE(blobs.contains(blob_id_of(prose(4000, 3)))) << "the index lists the blob";
  ASSERT_TRUE(blobs.put(prose(4000, 3)) && blobs.commit());
  EXPECT_EQ(*blobs.get(blob_id_of(prose(4000, 3))), prose(4000, 3));
  EXPECT_TRUE(store_.reads_whole(second_));
}

// The index lists the blob, so without the repair the replaced content would be lost.
TEST_F(Damaged, ARestoreFirstRepairsTheBlobsOfFilesThatItReplaces) {
  store_.wait_for_watch();
  store_.snapshot();  // The stat cache knows all files from here on.
  flip(segment_ + ".seg", place_of(3).offset + record_header_bytes + 10);
  store_.reopen();
  store_.clock_offset_ns += day_ns;
  Result<WithLease<RestoreAnswer>> restored =
      restore(*store_.opened, {.snapshot_id = "sha256:" + first_, .paths = {}, .dry_run = false}, {});
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(*read_whole_file(store_.scratch.repo() + "/b", 1 << 20), prose(4000, 2));
  store_.reopen();
  Result<WithLease<RestoreAnswer>> undone =
      restore(*store_.opened,
              {.snapshot_id = *restored->value.safety_snapshot_id, .paths = {}, .dry_run = false}, {});
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(*read_whole_file(store_.scratch.repo() + "/b", 1 << 20), prose(4000, 3));
}

TEST_F(Damaged, CollectionDeletesNothingFromADamagedStore) {
  flip(segment_ + ".seg", place_of(3).offset + record_header_bytes + 10);
  store_.reopen();
  Result<CollectResult> done = store_.collected(2);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE((*open_segment_store(store_.blobs()))->get(blob_id_of(prose(4000, 1))));
}

TEST_F(Damaged, ATruncatedSegmentKeepsCompleteRecords) {
  std::filesystem::resize_file(segment_ + ".seg", place_of(3).offset + record_header_bytes + 50);
  store_.reopen();
  BlobStore& blobs = store_.opened->blobs();
  EXPECT_EQ(*blobs.get(blob_id_of(prose(4000, 1))), prose(4000, 1));
  Result<std::string> cut = blobs.get(blob_id_of(prose(4000, 3)));
  ASSERT_FALSE(cut);
  EXPECT_NE(cut.error().message.find(blob_id_of(prose(4000, 3)).text()), std::string::npos);
  Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_sound());
  EXPECT_TRUE(std::any_of(found->damages.begin(), found->damages.end(), [](const BlobDamage& damage) {
    return damage.blob == blob_id_of(prose(4000, 3));
  }));
  EXPECT_TRUE(store_.reads_whole(first_));
}

TEST_F(Damaged, ReportsEachBlobOfAMissingSegment) {
  store_.write("new", prose(4000, 9));
  auto other = *open_segment_store(store_.blobs());
  auto busy = *open_segment_store(store_.blobs());
  ASSERT_TRUE(busy->put("keeps the first segment"));
  ASSERT_TRUE(other->put(prose(4000, 9)));
  ASSERT_TRUE(other->commit());
  ASSERT_TRUE(busy->commit());
  std::filesystem::remove(segment_ + ".seg");
  store_.reopen();
  EXPECT_TRUE(store_.opened->blobs().get(blob_id_of(prose(4000, 9))));
  Result<std::string> lost = store_.opened->blobs().get(blob_id_of(prose(4000, 1)));
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message.find(blob_id_of(prose(4000, 1)).text()), std::string::npos);
  Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->damaged_snapshots.size(), 2u);
  EXPECT_FALSE(found->damages.empty());
  Result<CollectResult> refused = store_.collected(2);
  ASSERT_FALSE(refused) << "the blobs of the damaged snapshots are unknown";
  EXPECT_EQ(refused.error().code, ErrorCode::internal);
  Result<CollectResult> dropped = store_.collected(2, false, true);
  ASSERT_TRUE(dropped) << dropped.error().message;
  EXPECT_EQ(dropped->removed.size(), 2u);
  std::string again = store_.snapshot();
  EXPECT_TRUE(store_.reads_whole(again)) << "the store accepts new snapshots";
  EXPECT_TRUE(verify_store(*store_.opened, {})->is_sound());
}

TEST_F(Damaged, GarbageAtTheEndIsIgnored) {
  std::ofstream(segment_ + ".seg", std::ios::app) << std::string(1000, 'x');
  store_.reopen();
  Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_sound());
  EXPECT_EQ(found->torn_bytes, 1000u);
  std::string third = store_.snapshot();
  EXPECT_TRUE(store_.reads_whole(third));
  ASSERT_TRUE(store_.collected(3));
  EXPECT_EQ(verify_store(*store_.opened, {})->torn_bytes, 0u);
  EXPECT_TRUE(store_.reads_whole(first_) && store_.reads_whole(third));
}

TEST_F(Damaged, AWrongIndexIsDetectedAndIgnored) {
  std::string index = *read_whole_file(segment_ + ".idx", 1 << 20);
  constexpr std::size_t header = 48;
  constexpr std::size_t entry = 56;
  for (std::size_t at = header; at < index.size(); at += entry) index[at + 33] ^= 1;
  ASSERT_TRUE(
      replace_file(store_.blobs(), store_.segments().front() + ".idx", index, Durability::process_crash));
  store_.reopen();
  for (unsigned seed : {1u, 2u, 3u}) {
    Result<std::string> read = store_.opened->blobs().get(blob_id_of(prose(4000, seed)));
    ASSERT_TRUE(read) << read.error().cause;
    EXPECT_EQ(*read, prose(4000, seed));
  }
  Result<VerifyResult> found = verify_store(*store_.opened, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->damages.empty());
  EXPECT_EQ(found->segments_with_wrong_index, store_.segments());
}

}  // namespace
}  // namespace snapgen::core

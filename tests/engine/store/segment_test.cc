// Damaged segments and indexes: every record that is not damaged must be found.
#include "tools/engine/store/blobs/segment.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/contents.h"
#include "tests/engine/store/store_folder.h"
#include "tools/engine/files/durable.h"
#include "tools/engine/store/blobs/survey.h"

namespace snapgen::core {
namespace {

constexpr std::size_t index_header_bytes = 48;
constexpr std::size_t index_entry_bytes = 56;
constexpr std::size_t stored_bytes_at = 16;  // In the header of a record.

class Segments : public testing::Test {
 protected:
  // Stores the contents in one segment, in this order.
  void keep(const std::vector<std::string>& contents) {
    contents_ = contents;
    auto store = opened(blobs());
    for (const std::string& content : contents) ASSERT_TRUE(store->put(content));
    ASSERT_TRUE(store->commit());
    segment_ = std::filesystem::path(segments_in(blobs()).front()).stem().string();
  }
  void write_index() { ASSERT_TRUE((*Segment::open(blobs(), segment_))->write_index()); }
  std::string blobs() const { return folder_ / "s"; }
  std::string path(const char* suffix) const { return blobs() + "/" + segment_ + suffix; }
  std::string bytes(const char* suffix) const { return *read_whole_file(path(suffix), 1 << 30); }
  void replace(const char* suffix, const std::string& bytes) {
    ASSERT_TRUE(replace_file(blobs(), segment_ + suffix, bytes, Durability::process_crash));
  }
  BlobLocation place_of(const std::string& content) const {
    return *(*Segment::open(blobs(), segment_))->find(blob_id_of(content));
  }
  static std::string flipped(std::string bytes, std::size_t at) {
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    return bytes;
  }
  // Returns the contents that a newly opened store cannot read.
  std::vector<std::string> missing() const {
    auto store = opened(blobs());
    std::vector<std::string> missing;
    for (const std::string& content : contents_) {
      const BlobId id = blob_id_of(content);
      const Result<std::string> got = store->get(id);
      if (!got) missing.push_back(content);
      EXPECT_TRUE(!got || *got == content);
      EXPECT_TRUE(!got || store->size_of(id) == content.size());
    }
    return missing;
  }
  SurveyedSegment survey() const { return *survey_segment(blobs(), segment_); }

  Folder folder_;
  std::vector<std::string> contents_;
  std::string segment_;
};

TEST_F(Segments, AnIndexWithAFlippedBitIsRebuilt) {
  keep({prose(4000, 1), prose(5000, 2), prose(6000, 3)});
  write_index();
  const std::string good = bytes(".idx");
  ASSERT_EQ(good.size(), index_header_bytes + 3 * index_entry_bytes);
  for (std::size_t at = 0; at < good.size(); ++at) {
    replace(".idx", flipped(good, at));
    EXPECT_TRUE(missing().empty()) << at;
    const SurveyedSegment found = survey();
    EXPECT_EQ(found.records.size(), 3u);
    EXPECT_TRUE(found.gaps.empty() && found.torn_bytes == 0) << at;
    const bool is_version = at == 14 || at == 15;
    EXPECT_EQ(found.index_is_wrong, !is_version) << at;
    auto store = opened(blobs());
    ASSERT_TRUE(store->get(blob_id_of(contents_[0])) && store->commit());
    EXPECT_EQ(bytes(".idx"), good) << at;
  }
}

TEST_F(Segments, AnIndexWithoutChecksumsIsRebuilt) {
  keep({prose(4000, 1), prose(5000, 2)});
  write_index();
  const std::string good = bytes(".idx");
  // The layout of version 01: magic, covered bytes, count, a checksum of these, entries. One of the entries
  // is damaged.
  std::string older = "snapgen index 01" + good.substr(16, 16);
  const std::uint64_t check = checksum_of(older);
  older.append(reinterpret_cast<const char*>(&check), sizeof check);
  older += good.substr(index_header_bytes);
  replace(".idx", flipped(older, 40 + 3));
  EXPECT_TRUE(missing().empty());
  EXPECT_FALSE(survey().index_is_wrong) << "this version of the index has no checksum of its entries";
  auto store = opened(blobs());
  ASSERT_TRUE(store->put("one more") && store->commit());
  EXPECT_EQ(bytes(".idx").substr(0, 16), "snapgen index 02");
  EXPECT_TRUE(missing().empty());
}

TEST_F(Segments, ADamagedHeaderLosesOnlyItsRecord) {
  keep({prose(4000, 1), noise(3000, 2), "tiny", prose(9 << 20, 3), prose(5000, 4)});
  const std::string good = bytes(".seg");
  for (const bool indexed : {false, true}) {
    if (indexed) write_index();
    for (const std::string& lost : contents_) {
      replace(".seg", good);
      const BlobLocation place = place_of(lost);
      for (const std::size_t at : {std::size_t{0}, stored_bytes_at, stored_bytes_at + 4, std::size_t{60}}) {
        replace(".seg", flipped(good, place.offset + at));
        EXPECT_EQ(missing(), std::vector<std::string>{lost}) << indexed << " " << place.offset + at;
        const SurveyedSegment found = survey();
        EXPECT_EQ(found.records.size(), contents_.size() - 1);
        const std::uint64_t room = record_header_bytes + place.stored_bytes;
        if (!indexed &&
            lost == contents_.back()) {  // The file ends like one whose last write a crash interrupted.
          EXPECT_EQ(found.torn_bytes, room);
          continue;
        }
        EXPECT_EQ(found.torn_bytes, 0u);
        ASSERT_EQ(found.gaps.size(), 1u);
        EXPECT_EQ(found.gaps[0].offset, place.offset);
        EXPECT_EQ(found.gaps[0].bytes, room);
        EXPECT_EQ(found.gaps[0].lost, indexed ? std::vector{blob_id_of(lost)} : std::vector<BlobId>());
      }
    }
    replace(".seg", good);
  }
  EXPECT_TRUE(missing().empty());
}

TEST_F(Segments, ManyThreadsFindRecordsBehindDamage) {
  std::vector<std::string> contents;
  for (unsigned i = 0; i < 200; ++i) contents.push_back(prose(300, i));
  keep(contents);
  replace(".seg", flipped(bytes(".seg"), segment_header_bytes));
  for (int round = 0; round < 20; ++round) {
    auto store = opened(blobs());
    std::atomic<int> lost = 0;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = 1 + t; i < contents.size(); i += 4) lost += !store->get(blob_id_of(contents[i]));
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(lost, 0);
  }
}

// A stored file may itself be a store, or be crafted to resemble one.
TEST_F(Segments, AFakeRecordInADamagedOneHidesNothing) {
  const std::string inner = noise(500, 1);
  const std::string sound =
      RecordHeader{.codec = Codec::raw, .raw_bytes = 500, .stored_bytes = 500, .id = blob_id_of(inner)}
          .encoded() +
      inner;
  std::string contents = noise(100, 2) + sound;
  // A false header directly after an intact record, at which the search for the next record starts. According
  // to the header, its content is the rest of the segment.
  const RecordHeader greedy{
      .codec = Codec::raw, .raw_bytes = 6000, .stored_bytes = 6000, .id = blob_id_of("x")};
  contents += greedy.encoded() + noise(300, 3);
  const RecordHeader bomb{
      .codec = Codec::zstd, .raw_bytes = std::uint64_t{1} << 50, .stored_bytes = 2000, .id = blob_id_of("y")};
  contents += bomb.encoded() + std::string(record_magic) + noise(300, 4);
  keep({noise(1000, 5), contents, noise(3000, 6), noise(4000, 7)});
  replace(".seg", flipped(bytes(".seg"), place_of(contents).offset + stored_bytes_at));
  EXPECT_EQ(missing(), std::vector<std::string>{contents});
  EXPECT_EQ(*opened(blobs())->get(blob_id_of(inner)), inner);
  auto store = opened(blobs());
  EXPECT_FALSE(store->get(blob_id_of("x")) || store->get(blob_id_of("y")));
}

TEST_F(Segments, RecordsBehindDamageAreStoredAgainBeforeUse) {
  keep({noise(1000, 1), noise(2000, 2)});
  replace(".seg", flipped(bytes(".seg"), place_of(contents_[0]).offset));
  auto store = opened(blobs());
  const BlobId id = blob_id_of(contents_[1]);
  EXPECT_TRUE(store->get(id));
  EXPECT_FALSE(store->contains(id));
  ASSERT_TRUE(store->put(contents_[1]) && store->commit());
  EXPECT_TRUE(store->contains(id));
  EXPECT_EQ(segments_in(blobs()).size(), 2u) << "the damaged segment is not extended";
}

TEST_F(Segments, ADamagedHeaderCannotRequestMuchMemory) {
  keep({"a"});
  const RecordHeader header{
      .codec = Codec::zstd, .raw_bytes = 1, .stored_bytes = 1 << 20, .id = blob_id_of("b")};
  replace(".seg", bytes(".seg") + header.encoded() + std::string(1 << 20, 'x'));
  const Result<std::string> got = opened(blobs())->get(header.id);
  ASSERT_FALSE(got);
  EXPECT_NE(got.error().cause.find("its stored size exceeds what its content can take"), std::string::npos)
      << got.error().cause;
}

}  // namespace
}  // namespace snapgen::core

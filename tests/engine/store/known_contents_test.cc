#include "tools/engine/store/caches/known_contents.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/folder.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t known_since_ns = 1'600'000'000'000'000'000;
constexpr std::size_t known_count = 3000;

std::string known_path(std::size_t index) { return "file" + std::to_string(10'000 + index); }

FileStat known_stat(std::int64_t size) {
  return {.size = size, .mtime_ns = known_since_ns, .ctime_ns = known_since_ns, .mode = 0100644};
}

BlobId known_blob(std::size_t index) { return blob_id_of(known_path(index)); }

std::shared_ptr<FileList> known_files(const std::string& extra) {
  auto files = std::make_shared<FileList>();
  if (!extra.empty()) files->add(extra, known_stat(9), false);
  for (std::size_t i = 0; i < known_count; ++i) files->add(known_path(i), known_stat(1), false);
  return files;
}

class KnownContentsTest : public testing::Test {
 protected:
  KnownContentsTest() {
    std::vector<FileRecord> records;
    for (std::size_t i = 0; i < known_count; ++i)
      records.push_back({.path = known_path(i),
                         .stat = known_stat(1),
                         .seen_ns = known_since_ns + 3'600'000'000'000,
                         .blob = known_blob(i)});
    stats_.remember(records);
  }

  Folder folder_;
  StatCache stats_{folder_.path()};
  KnownContents contents_{stats_};
};

TEST_F(KnownContentsTest, ACallLooksUpOnlyTheFilesThatItNeeds) {
  const std::shared_ptr<const FileList> files = known_files({});
  const std::vector<FileRange> few{{.first = 3, .last = 5}, {.first = 2500, .last = 2502}};
  const auto known = contents_.contents_of(files, few);
  for (std::size_t i = 0; i < known_count; ++i)
    ASSERT_EQ(known->is_known(i), i == 3 || i == 4 || i == 2500 || i == 2501) << i;
  EXPECT_EQ(known->find(4), known_blob(4));
  EXPECT_EQ(known->find(5), std::nullopt);

  const auto more = contents_.contents_of(files, std::vector<FileRange>{{.first = 0, .last = known_count}});
  for (std::size_t i = 0; i < known_count; ++i) ASSERT_EQ(more->find(i), known_blob(i));
  EXPECT_FALSE(known->is_known(0)) << "The contents that an earlier call received do not change.";
}

TEST_F(KnownContentsTest, AChangedFileIsNoLongerKnown) {
  const std::shared_ptr<FileList> files = known_files({});
  const std::vector<FileRange> all{{.first = 0, .last = known_count}};
  contents_.contents_of(files, all);
  const auto changed = std::make_shared<FileList>(*files);
  changed->set_stat(2100, known_stat(2), false);
  const auto known = contents_.contents_of(changed, all);
  for (std::size_t i = 0; i < known_count; ++i) ASSERT_EQ(known->is_known(i), i != 2100) << i;
}

TEST_F(KnownContentsTest, KnownFilesRemainKnownIfAnotherIsCreated) {
  contents_.contents_of(known_files({}), std::vector<FileRange>{{.first = 10, .last = 20}});
  const auto known = contents_.contents_of(known_files("before"), {});
  for (std::size_t i = 0; i <= known_count; ++i) ASSERT_EQ(known->is_known(i), i >= 11 && i < 21) << i;
  EXPECT_EQ(known->find(11), known_blob(10));
}

}  // namespace
}  // namespace snapgen::core

#include "tools/engine/store/caches/stat_cache.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/engine/folder.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t long_ago_ns = 1'600'000'000'000'000'000;

std::vector<FileRecord> records_of_round(int round) {
  std::vector<FileRecord> records;
  for (int i = 100; i < 200; ++i) {
    const FileStat stat{.size = round, .mtime_ns = long_ago_ns, .ctime_ns = long_ago_ns, .mode = 0100644};
    records.push_back({.path = "file" + std::to_string(i),
                       .stat = stat,
                       .seen_ns = long_ago_ns + 3'600'000'000'000,
                       .blob = blob_id_of(std::to_string(i) + " " + std::to_string(round))});
  }
  return records;
}

bool knows_stats(StatCache& cache, const std::vector<FileRecord>& records) {
  return std::all_of(records.begin(), records.end(), [&](const FileRecord& record) {
    return cache.find(record.path, record.stat) == record.blob;
  });
}

// Simulates two servers, which both append to the cache.
TEST(StatCache, FilesThatChangeConstantlyUseBoundedSpace) {
  const Folder folder;
  StatCache one(folder.path());
  StatCache other(folder.path());
  constexpr int rounds = 500;
  std::uintmax_t largest = 0;
  for (int round = 0; round < rounds; ++round) {
    StatCache& learns = round % 2 == 0 ? one : other;
    learns.remember(records_of_round(round));
    ASSERT_TRUE(knows_stats(learns, records_of_round(round)));
    ASSERT_FALSE(knows_stats(learns, records_of_round(round + 1)));
    largest = std::max(largest, std::filesystem::file_size(folder.path() + "/stats"));
  }
  EXPECT_LT(largest, std::uintmax_t{2 << 20});
  StatCache later(folder.path());
  EXPECT_TRUE(knows_stats(later, records_of_round(rounds - 1)));
  one.release_memory();
  EXPECT_TRUE(knows_stats(one, records_of_round(rounds - 1)));
}

}  // namespace
}  // namespace snapgen::core

#include "tools/engine/git/walk/file_list.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

constexpr std::size_t listed_count = 5000;  // The list has more than two blocks of stats.

std::string listed_path(std::size_t index) { return "folder/file" + std::to_string(10'000 + index); }

FileStat listed_stat(std::size_t index, std::int64_t size) {
  return {.size = size,
          .mtime_ns = 1'600'000'000'000'000'000 + static_cast<std::int64_t>(index),
          .ctime_ns = 1'600'000'000'000'000'001,
          .inode = 7 * index,
          .device = index % 2,
          .mode = 0100644};
}

FileList listed_files(std::size_t count) {
  FileList files;
  for (std::size_t i = 0; i < count; ++i) files.add(listed_path(i), listed_stat(i, 1), i % 100 == 0);
  return files;
}

TEST(FileList, ACopyWithOtherStatsLeavesTheOriginalUnchanged) {
  const FileList files = listed_files(listed_count);
  FileList copy = files;
  const std::vector<std::uint32_t> changed{0, 2047, 2048, 4095, 4096, 4999};
  for (const std::uint32_t index : changed) copy.set_stat(index, listed_stat(index, 2), index == 2047);

  EXPECT_TRUE(copy.shares_paths_with(files));
  EXPECT_EQ(copy.indexes_with_another_stat(files), changed);
  EXPECT_TRUE(files.indexes_with_another_stat(files).empty());
  for (std::size_t i = 0; i < listed_count; ++i) {
    const bool is_changed = std::find(changed.begin(), changed.end(), i) != changed.end();
    ASSERT_EQ(files.path(i), listed_path(i));
    ASSERT_EQ(files.stat(i), listed_stat(i, 1));
    ASSERT_EQ(files.is_hard_linked(i), i % 100 == 0);
    ASSERT_EQ(copy.path(i), listed_path(i));
    ASSERT_EQ(copy.stat(i), listed_stat(i, is_changed ? 2 : 1));
    ASSERT_EQ(copy.is_hard_linked(i), is_changed ? i == 2047 : i % 100 == 0);
  }
}

TEST(FileList, AListCanBeAssembledFromPartsOfOthers) {
  const FileList files = listed_files(listed_count);
  FileList joined;
  joined.add("a", listed_stat(3, 5), true);
  joined.append(files, {.first = 2000, .last = 4200});
  joined.append(files, {.first = 4200, .last = 4200});
  joined.append(files, {.first = 4990, .last = listed_count});
  joined.add("z", listed_stat(4, 6), false);

  ASSERT_EQ(joined.size(), 2212U);
  EXPECT_EQ(joined.path(0), "a");
  EXPECT_EQ(joined.stat(0), listed_stat(3, 5));
  for (std::size_t i = 1; i <= 2210; ++i) {
    const std::size_t from = i <= 2200 ? i + 1999 : i + 2789;
    ASSERT_EQ(joined.path(i), listed_path(from));
    ASSERT_EQ(joined.stat(i), listed_stat(from, 1));
    ASSERT_EQ(joined.is_hard_linked(i), from % 100 == 0);
    ASSERT_EQ(joined.find(listed_path(from)), i);
  }
  EXPECT_EQ(joined.path(2211), "z");
  EXPECT_EQ(joined.below("folder").first, 1U);
  EXPECT_EQ(joined.below("folder").last, 2211U);
  EXPECT_FALSE(joined.shares_paths_with(files));
}

}  // namespace
}  // namespace snapgen::core

#include "codegen/front/name.h"

#include <gtest/gtest.h>

#include "codegen/emit/perfect_hash.h"
#include "runtime/base/name_hash.h"

namespace snapgen::codegen {
namespace {

TEST(Name, TypesAreInPascalCase) {
  EXPECT_EQ(type_name("snapshot.create"), "SnapshotCreate");
  EXPECT_EQ(type_name("snapshotCreate"), "SnapshotCreate");
  EXPECT_EQ(type_name("Grid point"), "GridPoint");
  EXPECT_EQ(type_name("RGBColor"), "RGBColor");
  EXPECT_EQ(type_name("json_schema_2020_12"), "JsonSchema202012");
  EXPECT_EQ(type_name("2d"), "T2d");
  EXPECT_EQ(type_name(""), "Key");
  EXPECT_EQ(type_name("NULL"), "NULL_");
}

TEST(Name, MembersAreInSnakeCaseAndNeverAKeywordOfCpp) {
  EXPECT_EQ(member_name("progressToken"), "progress_token");
  EXPECT_EQ(member_name("_meta"), "meta");
  EXPECT_EQ(member_name("$ref"), "ref");
  EXPECT_EQ(member_name("__proto__"), "proto");
  EXPECT_EQ(member_name("a-b"), "a_b");
  EXPECT_EQ(member_name("HTTPServer2Name"), "http_server2_name");
  EXPECT_EQ(member_name("class"), "class_");
  EXPECT_EQ(member_name("co_await"), "co_await_");
  EXPECT_EQ(member_name("errno"), "errno_");
  EXPECT_EQ(member_name("1x"), "key_1x");
  EXPECT_EQ(member_name("..."), "key");
  EXPECT_EQ(member_name("é"), "c3a9");
  EXPECT_EQ(enumerator_name("2025-06-18"), "v2025_06_18");
}

TEST(Name, ATakenNameGetsTheNextNumber) {
  std::set<std::string> taken;
  EXPECT_EQ(unique_name("a", taken), "a");
  EXPECT_EQ(unique_name("a", taken), "a_2");
  EXPECT_EQ(unique_name("a_2", taken), "a_2_2");
  EXPECT_EQ(unique_name("a", taken), "a_3");
}

std::uint16_t look_up(const PerfectHash& table, std::string_view name) {
  const std::uint32_t seed = table.seeds[name_hash(name, 0) & (table.seeds.size() - 1)];
  return table.slots[name_hash(name, seed) & (table.slots.size() - 1)];
}

TEST(PerfectHash, EveryNameIsFoundInItsSlot) {
  for (std::size_t count : {0U, 1U, 2U, 3U, 7U, 60U, 120U, 1000U}) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i)
      names.push_back((i % 2 ? "snapshot.tool_" : "snapshot_tool_") + std::to_string(i / 2));
    const PerfectHash table = perfect_hash(names);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(look_up(table, names[i]), i) << names[i];
    EXPECT_LE(table.slots.size(), std::max<std::size_t>(4 * count, 1));
    EXPECT_EQ(table.seeds, perfect_hash(names).seeds);
  }
}

}  // namespace
}  // namespace snapgen::codegen

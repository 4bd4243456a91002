#include "tools/engine/store/caches/recent_contents.h"

#include <string>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

BlobId put(RecentContents& contents, const std::string& content) {
  const BlobId id = blob_id_of(content);
  contents.put("a.txt", id, content);
  return id;
}

TEST(RecentContents, AreFoundByTheFirstDigitsOfTheirIds) {
  RecentContents contents;
  const std::string hex = put(contents, "one").hex();
  put(contents, "two");
  for (const std::size_t digits : {8, 10, 64}) {
    const auto found = contents.find("a.txt", std::string_view(hex).substr(0, digits));
    ASSERT_NE(found, nullptr) << digits;
    EXPECT_EQ(*found, "one");
  }
  EXPECT_EQ(contents.find("a.txt", blob_id_of("three").hex()), nullptr);
  EXPECT_EQ(contents.find("b.txt", hex), nullptr) << "another file";
}

TEST(RecentContents, TheLeastRecentOnesAreDropped) {
  RecentContents contents;
  const std::size_t half = RecentContents::content_bytes_max / 2;
  const std::string first = put(contents, std::string(half, 'a')).hex();
  const std::string second = put(contents, std::string(half, 'b')).hex();
  for (std::size_t i = 2; i < RecentContents::bytes_max / half; ++i)
    put(contents, std::string(half, static_cast<char>('a' + i)));
  put(contents, std::string(half, 'a'));
  put(contents, "one more");
  EXPECT_NE(contents.find("a.txt", first), nullptr) << "it was put again";
  EXPECT_EQ(contents.find("a.txt", second), nullptr);
  for (std::size_t i = 0; i < RecentContents::contents_max; ++i) put(contents, std::to_string(i));
  EXPECT_EQ(contents.find("a.txt", first), nullptr) << "too many are newer";
}

TEST(RecentContents, DoNotIncludeLargeOnes) {
  RecentContents contents;
  const BlobId large = put(contents, std::string(RecentContents::content_bytes_max + 1, 'x'));
  EXPECT_EQ(contents.find("a.txt", large.hex()), nullptr);
}

}  // namespace
}  // namespace snapgen::core

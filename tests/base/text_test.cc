#include "runtime/base/text.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

std::optional<std::string_view> nearest_of(std::string_view name, std::vector<std::string_view> candidates) {
  return nearest_name(name, candidates);
}

TEST(Nearest, SuggestsTheLikelyName) {
  EXPECT_EQ(nearest_of("pth", {"mode", "path", "paths"}), "path");
  EXPECT_EQ(nearest_of("PATHS", {"path", "paths"}), "paths");
  EXPECT_EQ(nearest_of("lease_di", {"lease_id", "snapshot_id"}), "lease_id");  // A swap is one edit.
  EXPECT_EQ(nearest_of("snapshotId", {"snapshot_id", "lease_id"}), "snapshot_id");
}

TEST(Nearest, SuggestsNothingIfNoNameIsClose) {
  EXPECT_EQ(nearest_of("colour", {"path", "mode"}), std::nullopt);
  EXPECT_EQ(nearest_of("abcdef", {"abcxyz"}), std::nullopt);  // Three edits of six letters.
  EXPECT_EQ(nearest_of("abcdef", {"abcdxy"}), "abcdxy");      // Two are a third.
  EXPECT_EQ(nearest_of("anything", {}), std::nullopt);
}

TEST(Nearest, PrefersTheClosestAndThenTheFirst) {
  EXPECT_EQ(nearest_of("file", {"fila", "file", "filb"}), "file");
  EXPECT_EQ(nearest_of("filx", {"fila", "filb"}), "fila");
}

TEST(EditDistance, CountsSwapsAsOneAndStopsBeyondItsLimit) {
  EXPECT_EQ(edit_distance("grep", "Gerp", 3), 1U);
  EXPECT_EQ(edit_distance("write", "delete", 9), 4U);
  EXPECT_GT(edit_distance("write", "delete", 2), 2U);
  EXPECT_EQ(edit_distance("grep", "Gerp", 3, LetterCase::matters), 2U);
}

TEST(EditDistance, AnExchangeOfNeighbouringCharactersCountsOnce) {
  EXPECT_EQ(edit_distance("express", "express", 2), 0u);
  EXPECT_EQ(edit_distance("exprses", "express", 2), 1u);
  EXPECT_EQ(edit_distance("expres", "express", 2), 1u);
  EXPECT_EQ(edit_distance("lodash", "1odash", 2), 1u);
  EXPECT_EQ(edit_distance("abcdef", "fedcba", 2), 3u);
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3u);
  EXPECT_EQ(edit_distance("", "", 0), 0u);
  const std::string many(300, 'm');
  EXPECT_EQ(edit_distance("x" + many, many + "y", 2), 2u);
  EXPECT_EQ(edit_distance("ab" + many + "cd", "ba" + many + "dc", 2), 2u);
  EXPECT_GT(edit_distance("xx" + many, many + "yy", 3), 3u);
}

TEST(Hex, IsLowerCaseAndKeepsEveryByte) {
  EXPECT_EQ(hex(""), "");
  EXPECT_EQ(hex(std::string_view("\x00\xff\x0a", 3)), "00ff0a");
}

// RFC 4648 section 10.
TEST(Base64, MatchesTheVectorsOfRfc4648) {
  const std::array<std::pair<const char*, const char*>, 7> vectors = {{{"", ""},
                                                                       {"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"}}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(base64_decoded(text), bytes);
  }
}

TEST(Base64, AllByteStringsRoundTrip) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(base64_decoded(base64(bytes)), bytes);
  }
}

TEST(Base64, RejectsNonCanonicalEncodings) {
  for (const char* text :
       {"Zg=", "Zg", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zm9v====", "=Zg=", "Z===", "Zm-_", "Zg==Zg=="}) {
    EXPECT_EQ(base64_decoded(text), std::nullopt) << text;
  }
}

TEST(FullStop, AddsAFullStopWhereOneIsMissing) {
  EXPECT_EQ(with_full_stop("found 5"), "found 5.");
  EXPECT_EQ(with_full_stop("did you mean \"start\"?"), "did you mean \"start\"?");
  EXPECT_EQ(with_full_stop("It ends."), "It ends.");
  EXPECT_EQ(with_full_stop(""), "");
}

TEST(CodePoints, CountsCharactersAndNotBytes) {
  EXPECT_EQ(code_point_count(""), 0U);
  EXPECT_EQ(code_point_count("abc"), 3U);
  EXPECT_EQ(code_point_count("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 3U);
}

TEST(Utf8, CutsEndOnCharacterBoundaries) {
  EXPECT_EQ(utf8_head("abc", 3), "abc");
  EXPECT_EQ(utf8_head("abcd", 3), "abc");
  EXPECT_EQ(utf8_head("ab\xc3\xa9", 3), "ab");
  EXPECT_EQ(utf8_head("a\xf0\x9f\x98\x80z", 4), "a");
  EXPECT_EQ(utf8_head("a\xf0\x9f\x98\x80z", 5), "a\xf0\x9f\x98\x80");
  EXPECT_EQ(utf8_head("\x80\x80\x80\x80\x80\x80\x80", 5), "\x80\x80\x80\x80\x80");
  EXPECT_EQ(utf8_tail("abc", 3), "abc");
  EXPECT_EQ(utf8_tail("abcd", 3), "bcd");
  EXPECT_EQ(utf8_tail("\xc3\xa9yz", 3), "yz");
  EXPECT_EQ(utf8_tail("\xc3\xa9yz", 2), "yz");
}

}  // namespace
}  // namespace snapgen

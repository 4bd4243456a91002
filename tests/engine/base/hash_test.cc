// Digests are compared with the published vectors of FIPS 180.
#include "tools/engine/base/hash.h"

#include <random>

#include <gtest/gtest.h>

#include "runtime/base/text.h"

namespace snapgen::core {
namespace {

TEST(Hash, Sha256MatchesThePublishedVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, Sha1MatchesKnownDigests) {
  const auto sha1_hex = [](std::string_view bytes) {
    Sha1 hasher;
    hasher.update(bytes);
    return hex(bytes_of(hasher.digest()));
  };
  EXPECT_EQ(sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(Hash, AMessageInPiecesHasTheDigestOfTheWhole) {
  const std::string message(100'000, 'x');
  Sha256 hasher;
  for (std::size_t at = 0; at < message.size(); at += 777)
    hasher.update(std::string_view(message).substr(at, 777));
  EXPECT_EQ(hasher.digest(), sha256(message));
}

TEST(Hash, AHasherStartsANewMessageAfterItsDigest) {
  Sha256 hasher;
  hasher.update("first");
  hasher.digest();
  hasher.update("second");
  EXPECT_EQ(hasher.digest(), sha256("second"));
}

// The lengths are near those at which the padding needs another block; short and long messages are mixed.
TEST(Hash, HashingManyMessagesAtOnceGivesTheirSingleDigests) {
  constexpr std::uint32_t seed = 20261121;
  std::mt19937 random(seed);
  for (std::size_t count : {0, 1, 2, 15, 16, 17, 40, 200}) {
    for (std::size_t longest : {0, 1, 130, 3'000, 100'000}) {
      std::vector<std::string> messages(count);
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t size = longest == 130 ? i % (longest + 1) : random() % (longest + 1);
        for (std::size_t at = 0; at < size; ++at) messages[i] += static_cast<char>(random());
      }
      std::vector<std::string_view> views(messages.begin(), messages.end());
      std::vector<Sha256::Digest> digests = sha256_of_each(views);
      ASSERT_EQ(digests.size(), count);
      for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(digests[i], sha256(messages[i]))
            << "message " << i << " of " << messages[i].size() << " bytes";
    }
  }
}

}  // namespace
}  // namespace snapgen::core

// Digests against the published vectors of FIPS 180.
#include "tools/core/hash.h"

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

TEST(Hash, KnownAnswersOfSha256) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, KnownAnswersOfSha1) {
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

}  // namespace
}  // namespace snapgen::core

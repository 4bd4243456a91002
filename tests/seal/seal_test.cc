#include "runtime/seal/seal.h"

#include <set>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

std::unique_ptr<Sealer> sealer() { return *Sealer::create(); }

TEST(Sealer, OpensASealedTextInTheSameContext) {
  const auto own = sealer();
  for (const std::string& text : {std::string(), std::string("a"), std::string(1000, '\0')}) {
    const std::string sealed = own->seal(text, "context");
    EXPECT_EQ(sealed.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
              std::string::npos);
    const Result<std::string> opened = own->open(sealed, "context");
    ASSERT_TRUE(opened);
    EXPECT_EQ(*opened, text);
  }
}

TEST(Sealer, RejectsOtherContextsProcessesAndChanges) {
  const auto own = sealer();
  const std::string sealed = own->seal("secret", "context");
  EXPECT_FALSE(own->open(sealed, "Context"));
  EXPECT_FALSE(own->open(sealed, ""));
  EXPECT_FALSE(sealer()->open(sealed, "context"));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(own->open(changed, "context")) << i;
    EXPECT_FALSE(own->open(sealed.substr(0, i), "context")) << i;
  }
  for (const char* nonsense : {"", "=", "....", "AAAA AAAA", "\xff"})
    EXPECT_FALSE(own->open(nonsense, "context"));
  EXPECT_EQ(own->open("", "context").error().code, ErrorCode::permission_denied);
}

TEST(Sealer, SealsTheSameTextDifferentlyEachTime) {
  const auto own = sealer();
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(own->seal("text", {}));
  EXPECT_EQ(seen.size(), 100U);
}

TEST(SecretBytes, HaveTheRequestedLengthAndDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const Result<std::string> bytes = random_bytes(16);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->size(), 16U);
    seen.insert(*bytes);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Signer, RejectsEveryOtherSignature) {
  const auto own = *Signer::create("a secret of any length");
  const auto same = *Signer::create("a secret of any length");
  const auto other = *Signer::create("A secret of any length");
  const auto random = *Signer::create({});
  const std::string mark = own->sign("text");
  EXPECT_EQ(mark.size(), 64U);
  EXPECT_TRUE(same->is_valid_signature("text", mark));
  EXPECT_FALSE(other->is_valid_signature("text", mark));
  EXPECT_FALSE(random->is_valid_signature("text", mark));
  EXPECT_NE((*Signer::create({}))->sign("text"), random->sign("text"));
  EXPECT_FALSE(own->is_valid_signature("texu", mark));
  for (std::size_t i = 0; i != mark.size(); ++i) {
    EXPECT_FALSE(own->is_valid_signature("text", mark.substr(0, i))) << i;
    std::string changed = mark;
    changed[i] = changed[i] == '0' ? '1' : '0';
    EXPECT_FALSE(own->is_valid_signature("text", changed)) << i;
  }
  EXPECT_FALSE(own->is_valid_signature("text", mark + "0"));
}

// The expected digest of an empty input is that of RFC 7693's reference implementation for 32 bytes.
TEST(Digest, DependsOnTheDivisionIntoParts) {
  Digest none;
  EXPECT_EQ(none.bytes().substr(0, 4), "\x0e\x57\x51\xc0");
  Digest one, other, same;
  one.add("ab").add("c");
  other.add("a").add("bc");
  same.add("ab").add("c");
  const std::string bytes = one.bytes();
  EXPECT_NE(bytes, other.bytes());
  EXPECT_EQ(bytes, same.bytes());
}

}  // namespace
}  // namespace snapgen

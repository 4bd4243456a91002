#include "tools/bridge/pairing.h"

#include <set>

#include <gtest/gtest.h>

namespace snapgen::core {
namespace {

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t now = 1'700'000'000'000;

Pairings pairings(std::string_view secret = {}) {
  Result<std::unique_ptr<Signer>> signer = Signer::create(secret);
  return {std::move(*signer), 5 * minute, 5};
}

std::string session_of(const std::variant<Grant, PairingRefusal>& outcome) {
  const Grant* grant = std::get_if<Grant>(&outcome);
  return grant ? grant->session_id : "refused";
}
PairingRefusal refusal_of(const std::variant<Grant, PairingRefusal>& outcome) {
  const PairingRefusal* refusal = std::get_if<PairingRefusal>(&outcome);
  return refusal ? *refusal : PairingRefusal::version_mismatch;
}

TEST(Pairings, ATokenPermitsOneSessionWithItsPermissions) {
  Pairings book = pairings();
  const Result<Pairing> made = book.issue(5, false, now);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->token.starts_with("snap-mcp-"));
  EXPECT_EQ(made->expires_ms - made->issued_ms, 5 * minute);
  const std::variant<Grant, PairingRefusal> outcome = book.redeem(made->token, now + minute);
  const Grant* grant = std::get_if<Grant>(&outcome);
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->session_id, made->session_id);
  EXPECT_EQ(grant->permissions, 5U);
}

TEST(Pairings, ATokenAndItsCodeWorkOnce) {
  for (const bool by_code : {false, true}) {
    Pairings book = pairings();
    const Pairing made = *book.issue(1, false, now);
    EXPECT_EQ(session_of(book.redeem(by_code ? made.code : made.token, now)), made.session_id);
    EXPECT_EQ(refusal_of(book.redeem(made.token, now)), PairingRefusal::token_already_used);
    EXPECT_EQ(refusal_of(book.redeem(made.code, now)), PairingRefusal::token_already_used);
    EXPECT_TRUE(book.open_pairings(now).empty());
  }
}

TEST(Pairings, PairingsExpire) {
  Pairings book = pairings();
  const Pairing made = *book.issue(1, false, now);
  EXPECT_EQ(book.open_pairings(now + 5 * minute - 1).size(), 1U);
  EXPECT_EQ(refusal_of(book.redeem(made.token, now + 5 * minute)), PairingRefusal::token_expired);
  EXPECT_EQ(refusal_of(book.redeem(made.code, now + 6 * minute)), PairingRefusal::token_expired);
  EXPECT_TRUE(book.open_pairings(now + 5 * minute).empty());
}

TEST(Pairings, AcceptsCodesInAnyCaseAndSpacing) {
  for (const int form : {0, 1, 2, 3}) {
    Pairings book = pairings();
    const Pairing made = *book.issue(1, false, now);
    std::string code = made.code;
    EXPECT_EQ(code.size(), 7U);
    if (form == 1)
      for (char& c : code) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    if (form == 2) code.erase(3, 1);
    if (form == 3) code = " " + code + " ";
    EXPECT_EQ(session_of(book.redeem(code, now)), made.session_id) << code;
  }
}

TEST(Pairings, FiveWrongCodesVoidOpenPairingsButNoTokens) {
  Pairings book = pairings();
  const Pairing first = *book.issue(1, false, now);
  const Pairing second = *book.issue(1, false, now);
  for (int i = 0; i != 4; ++i)
    EXPECT_EQ(refusal_of(book.redeem("AAA-AA" + std::to_string(i), now)), PairingRefusal::invalid_token);
  EXPECT_NE(book.open_pairings(now)[0].code, "");
  EXPECT_EQ(refusal_of(book.redeem("AAA-AA9", now)), PairingRefusal::invalid_token);
  EXPECT_EQ(refusal_of(book.redeem(first.code, now)), PairingRefusal::code_void);
  EXPECT_EQ(refusal_of(book.redeem(second.code, now)), PairingRefusal::code_void);
  EXPECT_EQ(book.open_pairings(now)[0].code, "");
  EXPECT_EQ(session_of(book.redeem(second.token, now)), second.session_id);
  const Pairing third = *book.issue(1, false, now);
  EXPECT_EQ(session_of(book.redeem(third.code, now)), third.session_id)
      << "attempts are counted separately for a new pairing";
}

TEST(Pairings, CountsAttemptsOverAllOpenPairings) {
  Pairings book = pairings();
  Pairing last = *book.issue(1, false, now);
  for (int i = 0; i != 5; ++i) {
    EXPECT_EQ(refusal_of(book.redeem("AAA-AAA", now)), PairingRefusal::invalid_token);
    if (i != 4) last = *book.issue(1, false, now);
  }
  EXPECT_EQ(refusal_of(book.redeem(last.code, now)), PairingRefusal::code_void);
}

TEST(Pairings, RejectsAnythingButAToken) {
  Pairings book = pairings();
  Pairings other = pairings();
  const Pairing made = *book.issue(1, false, now);
  const Pairing foreign = *other.issue(1, false, now);
  for (std::size_t i = 9; i != made.token.size(); ++i) {
    std::string changed = made.token;
    changed[i] = changed[i] == 'a' ? 'b' : 'a';
    EXPECT_EQ(refusal_of(book.redeem(changed, now)), PairingRefusal::invalid_token) << changed;
  }
  for (std::size_t size = 0; size != made.token.size(); ++size)
    EXPECT_EQ(refusal_of(pairings().redeem(made.token.substr(0, size), now)), PairingRefusal::invalid_token);
  for (const std::string& text : {foreign.token, made.token + "0", std::string(), std::string("snap-mcp-"),
                                  std::string(500, 'A'), std::string("\0\0\0\0\0\0", 6)})
    EXPECT_EQ(refusal_of(book.redeem(text, now)), PairingRefusal::invalid_token) << text;
  EXPECT_EQ(session_of(book.redeem(made.token, now)), made.session_id);
}

TEST(Pairings, TokensAndCodesAreUnique) {
  Pairings book = pairings("a secret from the environment");
  std::set<std::string> seen;
  for (int i = 0; i != 200; ++i) {
    const Pairing made = *book.issue(1, false, now);
    EXPECT_TRUE(seen.insert(made.token).second && seen.insert(made.code).second &&
                seen.insert(made.session_id).second);
  }
  EXPECT_LE(book.open_pairings(now).size(), 64U) << "unused pairings are limited";
}

TEST(Pairings, AReconnectTokenNamesItsSessionAndGeneration) {
  const Pairings book = pairings("secret");
  const Pairings same = pairings("secret");
  const Pairings other = pairings("Secret");
  const std::string token = book.reconnect_token({.session_id = "sess_abc", .generation = 7});
  const std::optional<ReconnectToken> read = same.read_reconnect_token(token);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->session_id, "sess_abc");
  EXPECT_EQ(read->generation, 7U);
  EXPECT_FALSE(other.read_reconnect_token(token));
  for (std::size_t i = 0; i != token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == '8' ? '9' : '8';
    EXPECT_FALSE(book.read_reconnect_token(changed)) << changed;
    EXPECT_FALSE(book.read_reconnect_token(token.substr(0, i)));
  }
}

}  // namespace
}  // namespace snapgen::core

#include "runtime/json/utf8.h"

#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <unistr.h>

#include "runtime/json/reader.h"

namespace snapgen::json {
namespace {

bool expected(std::string_view text) {
  return u8_check(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) == nullptr;
}

std::string shown(std::string_view text) {
  std::string digits;
  for (const unsigned char byte : text) digits += (byte < 16 ? "0" : "") + std::to_string(byte) + " ";
  return digits;
}

void check(std::string_view text) {
  const bool valid = expected(text);
  ASSERT_EQ(valid_utf8(text), valid) << shown(text);
  ASSERT_EQ(utf8::is_valid_portable(text), valid) << shown(text);
}

// Bytes at the bounds of all ranges that RFC 3629 names.
constexpr unsigned char bounds[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                                    0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};

TEST(Utf8, EachSequenceOfFourBoundaryBytesIsValidIfLibunistringAcceptsIt) {
  std::string text(4, '\0');
  for (const unsigned char a : bounds)
    for (const unsigned char b : bounds)
      for (const unsigned char c : bounds)
        for (const unsigned char d : bounds) {
          text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), static_cast<char>(d)};
          check(text);
        }
}

TEST(Utf8, EachCharacterIsValidAtEachPositionOfABlockAndInvalidIfTruncated) {
  for (const std::string_view character : {"a", "\xC3\xB6", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      for (const std::size_t after : {0U, 1U, 31U, 40U}) {
        const std::string text = std::string(before, 'x').append(character).append(after, 'y');
        ASSERT_TRUE(valid_utf8(text)) << before << " " << after;
        check(text);
        std::string cut = text;
        cut.erase(before + character.size() - 1, 1);
        check(cut);
      }
    }
  }
}

TEST(Utf8, RandomMixturesAreValidIfLibunistringAcceptsThem) {
  std::mt19937 random(5);
  const std::string_view parts[] = {"a",
                                    "text ",
                                    "\xC3\xB6",
                                    "\xE2\x82\xAC",
                                    "\xED\x9F\xBF",
                                    "\xF0\x9F\x98\x80",
                                    "\xF4\x8F\xBF\xBF",
                                    "0123456789abcdef0123456789abcdef0123456789abcdef"};
  int valid = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned count = random() % 30; count > 0; --count) text += parts[random() % std::size(parts)];
    check(text);
    for (unsigned faults = random() % 3; faults > 0 && !text.empty(); --faults)
      text[random() % text.size()] = static_cast<char>(random());
    valid += expected(text) ? 1 : 0;
    check(text);
  }
  EXPECT_GT(valid, 5'000);
  EXPECT_LT(valid, 15'000);
}

}  // namespace
}  // namespace snapgen::json

// This file is compiled twice: once with the processor's special instructions, and once with the portable
// code.
#include "runtime/json/scan.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/json/exact.h"

namespace snapgen::json {
namespace {

std::string random_text(std::mt19937& random, std::size_t size) {
  constexpr std::string_view interesting("\"\\/bfnrtu\x00\x1f\x20\x7f\x80\xff", 15);
  const bool dense = random() % 2 == 0;
  std::string text(size, 'x');
  for (char& byte : text) {
    if (dense || random() % 40 == 0) byte = interesting[random() % interesting.size()];
  }
  return text;
}

TEST(Scan, FindsTheFirstByteThatIsNotPlain) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    const Exact text(random_text(random, random() % 80));
    const std::string_view view = text.view();
    const auto wanted = std::find_if_not(view.begin(), view.end(), is_plain) - view.begin();
    ASSERT_EQ(plain_end(view.data(), view.data() + view.size()) - view.data(), wanted);
  }
}

TEST(Scan, TheMasksOfABlockHaveOneBitForEachByte) {
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    const Exact text(random_text(random, 64));
    const char* bytes = text.view().data();
    const Block64 block(bytes);
    const std::uint64_t letters = Block64::escape_letters(bytes);
    const std::uint64_t not_plain = Block32::not_plain(bytes) | std::uint64_t{Block32::not_plain(bytes + 32)}
                                                                    << 32;
    for (int i = 0; i < 64; ++i) {
      const char byte = bytes[i];
      ASSERT_EQ(block.quotes >> i & 1, byte == '"');
      ASSERT_EQ(block.backslashes >> i & 1, byte == '\\');
      ASSERT_EQ(block.controls >> i & 1, static_cast<unsigned char>(byte) < 0x20);
      ASSERT_EQ(letters >> i & 1, std::string_view("bfnrt/").find(byte) != std::string_view::npos);
      ASSERT_EQ(not_plain >> i & 1, !is_plain(byte));
    }
  }
}

}  // namespace
}  // namespace snapgen::json

// Characters that control a terminal or reorder text are replaced, and all others remain.
#include "runtime/base/visible.h"

#include <string>

#include <gtest/gtest.h>

namespace snapgen {
namespace {

TEST(Visible, ReplacesControlAndBidirectionalCharacters) {
  EXPECT_EQ(visible("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(visible("bell\x07 del\x7f"), "bell\\u0007 del\\u007f");
  EXPECT_EQ(visible("c1\xc2\x9b"), "c1\\u009b");
  EXPECT_EQ(visible("\xc2\x80\xc2\x9f"), "\\u0080\\u009f");
  EXPECT_EQ(visible("\xd8\x9c"), "\\u061c");
  EXPECT_EQ(visible("\xe2\x80\x8e\xe2\x80\x8f"), "\\u200e\\u200f");
  EXPECT_EQ(visible("\xe2\x80\xaa\xe2\x80\xae"), "\\u202a\\u202e");
  EXPECT_EQ(visible("\xe2\x81\xa6\xe2\x81\xa9"), "\\u2066\\u2069");
  EXPECT_EQ(visible(std::string("nul\0", 4)), "nul\\u0000");
  EXPECT_EQ(visible("\r"), "\\u000d");
}

TEST(Visible, LeavesAllOtherTextUnchanged) {
  for (const std::string text :
       {"", "plain", "lines\nand\ttabs", "é ü ß", "שלום", "🧢 →", "\xc2\xa0", "\xe2\x80\x90", "\xe2\x81\xaa",
        "\xd8\x9b", "cut \xe2\x80", "cut \xc2", "\xff"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_FALSE(has_hidden_characters(text)) << text;
  }
}

}  // namespace
}  // namespace snapgen

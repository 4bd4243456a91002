#include "runtime/json/tree.h"

#include <gtest/gtest.h>

#include "runtime/json/number.h"

namespace snapgen::json {
namespace {

TEST(Tree, PreservesTheOrderAndTextOfValues) {
  const Tree tree(R"({"a\n":[1,"x\u00e9",{}],"b":1.50,"c":true})");
  ASSERT_TRUE(tree.problems().empty());
  std::string seen;
  for (Value each = tree.root().first_child(); each.exists(); each = each.next_sibling())
    seen += std::string(each.key()) + "=" + std::to_string(each.size()) + std::string(each.text()) + ";";
  EXPECT_EQ(seen, "a\n=3;b=01.50;c=0;");
  EXPECT_EQ(tree.root().find("a\n").first_child().next_sibling().text(), "xé");
  EXPECT_TRUE(tree.root().find("c").boolean());
  EXPECT_FALSE(tree.root().find("d").exists());
  EXPECT_FALSE(tree.root().find("b").first_child().exists());
}

TEST(Tree, ReportsInvalidJsonAndDuplicateKeys) {
  EXPECT_EQ(Tree("[1,").problems().at(0).message.substr(0, 8), "not JSON");
  const Tree twice(R"({"a":{"x":1,"y":2,"x":3},"a":1})");
  ASSERT_EQ(twice.problems().size(), 2U);
  EXPECT_EQ(twice.problems()[0].message, "duplicate property \"x\"");
  EXPECT_EQ(twice.problems()[0].offset, 18U);
  EXPECT_EQ(twice.problems()[1].message, "duplicate property \"a\"");
  std::string many = "{";
  for (int i = 0; i < 50; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_EQ(Tree(many + "\"k7\":0}").problems().size(), 1U);
}

TEST(Tree, ComparesValuesByMeaning) {
  const Tree tree(R"([{"a":1,"b":[10e-1]},{"b":[1.0],"a":1},{"a":1,"b":["1"]},"\u0061","a"])");
  std::vector<Value> items;
  for (Value each = tree.root().first_child(); each.exists(); each = each.next_sibling())
    items.push_back(each);
  EXPECT_TRUE(equal(items[0], items[1]));
  EXPECT_EQ(normal_form(items[0]), normal_form(items[1]));
  EXPECT_FALSE(equal(items[0], items[2]));
  EXPECT_NE(normal_form(items[0]), normal_form(items[2]));
  EXPECT_TRUE(equal(items[3], items[4]));
}

TEST(Decimal, ComparesNumbersOfAnySizeExactly) {
  EXPECT_EQ(compare_numbers("1e400", "1e399"), 1);
  EXPECT_EQ(compare_numbers("18446744073709551616", "18446744073709551617"), -1);
  EXPECT_EQ(compare_numbers("-0", "0.0e9"), 0);
  EXPECT_EQ(compare_numbers("-2", "-1.5"), -1);
  EXPECT_EQ(compare_numbers("100", "1e2"), 0);
  EXPECT_EQ(compare_numbers("0.1", "0.10000000000000000001"), -1);
}

TEST(Decimal, RecognizesWholeNumbers) {
  EXPECT_TRUE(is_integer("1.50e1"));
  EXPECT_TRUE(is_integer("1e9999999999999999999"));
  EXPECT_TRUE(is_integer("0.000"));
  EXPECT_FALSE(is_integer("15e-1"));
}

TEST(Decimal, DividesInDecimals) {
  EXPECT_TRUE(is_multiple("0.3", "0.1"));
  EXPECT_TRUE(is_multiple("19.99", "0.01"));
  EXPECT_FALSE(is_multiple("0.075", "0.01"));
  EXPECT_TRUE(is_multiple("1e308", "0.5"));
  EXPECT_FALSE(is_multiple("1e308", "0.123456789"));
  EXPECT_TRUE(is_multiple("1e3000000", "3125"));
  EXPECT_FALSE(is_multiple("1e3000000", "3"));
  EXPECT_TRUE(is_multiple("246913578024691357802469135780", "123456789012345678901234567890"));
  EXPECT_FALSE(is_multiple("246913578024691357802469135781", "123456789012345678901234567890"));
  EXPECT_TRUE(is_multiple("1e60", "1125899906842624000"));
}

}  // namespace
}  // namespace snapgen::json

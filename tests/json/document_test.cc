#include "runtime/json/document.h"

#include <gtest/gtest.h>

#include "runtime/json/values.h"

namespace snapgen::json {
namespace {

TEST(Document, RecordsThePositionOfEveryValue) {
  const std::string text = "{\n  \"a\": [1, true],\n  \"b\": \"x\"\n}";
  const Document document = parse_document(text);
  ASSERT_TRUE(document.ok());
  ASSERT_EQ(document.root.members.size(), 2U);
  const Member& a = document.root.members[0];
  EXPECT_EQ(a.key, "a");
  EXPECT_EQ(text.substr(a.key_offset, 3), "\"a\"");
  EXPECT_EQ(text.substr(a.value.offset, 1), "[");
  ASSERT_EQ(a.value.items.size(), 2U);
  EXPECT_EQ(a.value.items[0].integer(), 1);
  EXPECT_TRUE(a.value.items[1].boolean);
  EXPECT_EQ(text.substr(a.value.items[1].offset, 4), "true");
  EXPECT_EQ(document.root.find("b")->text, "x");
  EXPECT_EQ(document.root.find("c"), nullptr);
}

TEST(Document, APositionIsALineAndAColumn) {
  const std::string text = "ab\n\xC3\xA9\xF0\x9F\x98\x80x\n\nz";
  const auto place = [&](std::size_t offset) {
    const LineColumn at = line_column_at(text, offset);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  EXPECT_EQ(place(0), "1:1");
  EXPECT_EQ(place(2), "1:3");
  EXPECT_EQ(place(3), "2:1");
  EXPECT_EQ(place(text.find('x')), "2:3");
  EXPECT_EQ(place(text.find('z')), "4:1");
  EXPECT_EQ(place(1000), "4:2");
}

TEST(Document, ListsAllItsProblems) {
  const Document document = parse_document(R"({"a":1,"a":2,"n":[1e999,{"b":0,"b":[]}],"c":tru})");
  std::vector<std::string> sentences;
  for (const Problem& problem : document.problems) {
    sentences.push_back(std::to_string(problem.offset) + " " + problem.message);
  }
  EXPECT_EQ(sentences,
            (std::vector<std::string>{"7 duplicate property \"a\"", "18 number out of range",
                                      "31 duplicate property \"b\"", "44 not JSON: not a JSON value"}));
  EXPECT_EQ(document.root.find("a")->integer(), 2);  // This is the last of two members with the same name.
  EXPECT_EQ(parse_document("\"\xff\"").problems.front().message, "not UTF-8");
}

TEST(Document, IsWrittenInCanonicalForm) {
  const Document document = parse_document(R"( { "b" : [ 1.0 , "\u0041\n" , false , null ] , "a" : { } } )");
  EXPECT_EQ(to_json(document.root), R"({"a":{},"b":[1,"A\n",false,null]})");
}

TEST(Document, ValuesWithTheSameMeaningAreEqual) {
  const auto same = [](std::string_view a, std::string_view b) {
    return equal(parse_document(a).root, parse_document(b).root);
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[true]})", R"({"b":[true],"a":1.0})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("0", "false"));
  EXPECT_FALSE(same("\"1\"", "1"));
  EXPECT_FALSE(same("9007199254740993", "9007199254740992"));
}

TEST(Document, NumbersReportTheTypesThatTheyFit) {
  const auto number = [](std::string_view text) { return parse_document(text).root; };
  EXPECT_EQ(number("1e2").integer(), 100);
  EXPECT_EQ(number("1.5").integer(), std::nullopt);
  EXPECT_EQ(number("1.5").number(), 1.5);
  EXPECT_EQ(number("18446744073709551615").integer(), std::nullopt);
  EXPECT_EQ(number("\"1\"").number(), std::nullopt);
}

}  // namespace
}  // namespace snapgen::json

// Members are added to handwritten JSON, and all other bytes remain unchanged.
#include "tools/cli/hosts/jsonc.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/reader.h"
#include "runtime/json/tree.h"

namespace snapgen::tools {
namespace {

using Path = std::vector<std::string>;

std::string set(std::string_view text, const Path& path, std::string_view value,
                Comments comments = Comments::allowed) {
  Result<std::string> out = with_member(text, path, value, comments);
  return out ? *out : "error: " + out.error().message;
}

TEST(Jsonc, ReplacesCommentsBySpacesAndKeepsOffsets) {
  const std::string text =
      "{ // \"a\": 1,\n  \"u//rl\": \"http://x /* no */\", /* , */ \"b\": [1, /**/ ], }\n";
  const std::string plain = without_comments(text, Comments::allowed);
  EXPECT_EQ(plain.size(), text.size());
  EXPECT_EQ(plain, "{ " + std::string(10, ' ') + "\n  \"u//rl\": \"http://x /* no */\", " +
                       std::string(7, ' ') + " \"b\": [1" + std::string(7, ' ') + "]  }\n");
  EXPECT_EQ(without_comments(text, Comments::refused), text);
  EXPECT_EQ(without_comments("\xef\xbb\xbf{}", Comments::allowed), "   {}");
}

TEST(Jsonc, RejectsInvalidJsonWithItsPosition) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"{\n  \"a\": }", "line 2, column 8"},
                                                                  {"{\"a\": 1 // x\n}", "line 1, column 9"},
                                                                  {"{\"a\": 1,}", "line 1, column 9"},
                                                                  {"{\"a\":1,\"a\":2}", "line 1, column 8"},
                                                                  {"", "line 1, column 1"},
                                                                  {"{", "line 1, column 2"},
                                                                  {"\"\\", "line 1"},
                                                                  {"\xff", "UTF-8"}};
  for (const auto& [text, place] : cases) {
    Result<std::string> checked = checked_json(text, Comments::refused);
    ASSERT_FALSE(checked) << text;
    EXPECT_NE(checked.error().message.find(place), std::string::npos) << checked.error().message;
    EXPECT_EQ(checked.error().message.find(".."), std::string::npos) << checked.error().message;
  }
  for (const char* text : {"{,}", "[,]", ",", "{\"a\":,}", "{\"a\":1,,}", "{/* }", "[1,,]", "/"})
    EXPECT_FALSE(checked_json(text, Comments::allowed)) << text;
}

TEST(Jsonc, AddsAMemberInTheStyleOfItsNeighbours) {
  EXPECT_EQ(set("", {"a"}, "1"), "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(set("{}\n", {"a", "b"}, "1"), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
  EXPECT_EQ(set("{\n\t\"x\": {\n\t}\n}", {"x", "y"}, "[]"), "{\n\t\"x\": {\n\t\t\"y\": []\n\t}\n}");
  EXPECT_EQ(set("{\r\n    \"x\": 1\r\n}\r\n", {"y"}, "2"), "{\r\n    \"x\": 1,\r\n    \"y\": 2\r\n}\r\n");
  EXPECT_EQ(set("{\"x\":1}", {"y"}, "2"), "{\"x\":1, \"y\": 2}");
  EXPECT_EQ(set("{ \"x\": 1 }", {"y"}, "2"), "{ \"x\": 1, \"y\": 2 }");
}

TEST(Jsonc, RemovesAMemberWithItsComma) {
  const auto without = [](std::string_view text, const Path& path) {
    Result<std::string> out = without_member(text, path, Comments::allowed);
    return out ? *out : "error: " + out.error().message;
  };
  const std::string lines = "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  },\n  \"d\": 3\n}\n";
  EXPECT_EQ(without(lines, {"a"}), "{\n  \"b\": {\n    \"c\": 2\n  },\n  \"d\": 3\n}\n");
  EXPECT_EQ(without(lines, {"b"}), "{\n  \"a\": 1,\n  \"d\": 3\n}\n");
  EXPECT_EQ(without(lines, {"d"}), "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n");
  EXPECT_EQ(without(lines, {"b", "c"}), "{\n  \"a\": 1,\n  \"b\": {\n  },\n  \"d\": 3\n}\n");
  EXPECT_EQ(without(lines, {"x"}), lines);
  EXPECT_EQ(without(lines, {"a", "x"}), lines);
  EXPECT_EQ(without("{\"a\":1, \"b\":2, \"c\":3}", {"a"}), "{\"b\":2, \"c\":3}");
  EXPECT_EQ(without("{\"a\":1, \"b\":2, \"c\":3}", {"b"}), "{\"a\":1, \"c\":3}");
  EXPECT_EQ(without("{\"a\":1, \"b\":2, \"c\":3}", {"c"}), "{\"a\":1, \"b\":2}");
  EXPECT_EQ(without("{\"a\":1}", {"a"}), "{}");
  EXPECT_EQ(without("{\r\n  \"a\": 1, // of a\r\n  \"b\": 2, // of b\r\n}\r\n", {"b"}),
            "{\r\n  \"a\": 1, // of a\r\n  // of b\r\n}\r\n");
  EXPECT_EQ(without("{\n  \"a\": 1, // of a, not b\n  \"b\": 2\n}\n", {"b"}),
            "{\n  \"a\": 1 // of a, not b\n}\n");
  EXPECT_TRUE(without("{", {"a"}).starts_with("error: "));
  EXPECT_EQ(without(" \n", {"a"}), " \n");
}

TEST(Jsonc, KeepsCommentsAndTrailingCommas) {
  EXPECT_EQ(set("{\n  // first\n  \"x\": 1 // of x\n  // last\n}\n", {"y"}, "2"),
            "{\n  // first\n  \"x\": 1, // of x\n  // last\n  \"y\": 2\n}\n");
  EXPECT_EQ(set("{\n  \"x\": 1, // of x\n}\n", {"y"}, "2"), "{\n  \"x\": 1, // of x\n  \"y\": 2,\n}\n");
  EXPECT_EQ(set("{\n  // nothing yet\n}\n", {"y"}, "2"), "{\n  // nothing yet\n  \"y\": 2\n}\n");
  EXPECT_EQ(set("/* a } */ {\"x\": {/* , */}} // end", {"x", "y"}, "2"),
            "/* a } */ {\"x\": {/* , */\n  \"y\": 2\n}} // end");
}

TEST(Jsonc, ReplacesAValueOnlyIfItDiffers) {
  const std::string text = "{\n  \"a\": { \"b\": [1, 2 /* two */], \"c\": \"}\" }\n}";
  EXPECT_EQ(set(text, {"a", "b"}, "[1, 2]"), text);
  EXPECT_EQ(set(text, {"a", "b"}, "[3]"), "{\n  \"a\": { \"b\": [3], \"c\": \"}\" }\n}");
  EXPECT_EQ(set(text, {"a", "c"}, "null"), "{\n  \"a\": { \"b\": [1, 2 /* two */], \"c\": null }\n}");
}

TEST(Jsonc, AValueThatIsNotAnObjectIsNotEntered) {
  EXPECT_EQ(
      set("[]", {"a"}, "1"),
      "error: The file must be a JSON object (line 1, column 1). Correct it, and run the command again.");
  EXPECT_EQ(set("{\"a\": []}", {"a", "b"}, "1"),
            "error: \"a\" must be a JSON object (line 1, column 7). Correct it, and run the command again.");
  EXPECT_EQ(set("{\"a\": null}", {"a", "b"}, "1"),
            "error: \"a\" must be a JSON object (line 1, column 7). Correct it, and run the command again.");
}

// Sets a value in random texts. Afterwards the value is at its path, and the text without the inserted bytes
// is the original one.
TEST(Jsonc, KeepsAllOtherBytesOfRandomTexts) {
  std::mt19937 random(7);
  auto pick = [&](std::size_t count) { return random() % count; };
  const std::vector<std::string> gaps = {"", " ", "\n  ", " // }{\",\n", "/* \" */", "\t", "\r\n"};
  auto gap = [&] { return gaps[pick(gaps.size())]; };
  std::function<std::string(int)> value = [&](int depth) -> std::string {
    const std::size_t kind = pick(depth > 0 ? 5 : 3);
    if (kind == 0) return "\"a // \\\" }\"";
    if (kind == 1) return "-1.5e3";
    if (kind == 2) return "null";
    std::string text = kind == 3 ? "{" : "[";
    const std::size_t count = pick(4);
    for (std::size_t i = 0; i < count; ++i) {
      text += gap() + (kind == 3 ? "\"k" + std::to_string(i) + "\"" + gap() + ":" + gap() : "");
      text += value(depth - 1) + gap() + (i + 1 < count || pick(3) == 0 ? "," : "");
    }
    return text + gap() + (kind == 3 ? "}" : "]");
  };
  int edited = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = gap() + "{";
    const std::size_t count = pick(3);
    for (std::size_t k = 0; k < count; ++k)
      text += gap() + "\"k" + std::to_string(k) + "\":" + value(3) + gap() +
              (k + 1 < count || pick(2) ? "," : "");
    text += gap() + "}" + gap();
    ASSERT_TRUE(checked_json(text, Comments::allowed)) << text;
    Path path;
    for (std::size_t k = 0; k <= pick(3); ++k) path.push_back("k" + std::to_string(pick(4)));
    path.emplace_back("new");
    Result<std::string> out = with_member(text, path, "[\"value\"]", Comments::allowed);
    if (!out) continue;
    ++edited;
    Result<std::string> json = checked_json(*out, Comments::allowed);
    ASSERT_TRUE(json) << text << "\n=>\n" << *out << "\n" << json.error().message;
    const json::Tree tree(*json);
    json::Value at = tree.root();
    for (const std::string& each : path) {
      at = at.find(each);
      ASSERT_TRUE(at.exists()) << *out;
    }
    EXPECT_EQ(at.first_child().text(), "value");
    // Without the inserted bytes the text is the original one, except for the white space of an empty object.
    std::size_t from = text.find_first_not_of(" \t\r\n");
    for (const char each : *out)
      if (from < text.size() && text[from] == each) from = text.find_first_not_of(" \t\r\n", from + 1);
    EXPECT_EQ(from, std::string::npos) << text << "\n=>\n" << *out;
    EXPECT_EQ(set(*out, path, "[\"value\"]"), *out) << "setting the same value again changes nothing";
  }
  EXPECT_GT(edited, 500);
}

std::string appended(std::string_view text, const Path& path) {
  Result<std::string> out = with_item(text, path, "{\"c\": 3}", Comments::allowed);
  return out ? *out : "error: " + out.error().message;
}

TEST(Jsonc, AppendsItemsToLists) {
  EXPECT_EQ(appended("", {"a", "b"}), "{\n  \"a\": {\n    \"b\": [{\"c\": 3}]\n  }\n}\n");
  EXPECT_EQ(appended("{\"a\": [1, 2]}", {"a"}), "{\"a\": [1, 2, {\"c\": 3}]}");
  EXPECT_EQ(appended("{\r\n\t\"a\": [\r\n\t\t1, // one\r\n\t],\r\n}", {"a"}),
            "{\r\n\t\"a\": [\r\n\t\t1, // one\r\n\t\t{\"c\": 3},\r\n\t],\r\n}");
  EXPECT_TRUE(appended("{\"a\": {}}", {"a"}).starts_with("error: "));
  EXPECT_TRUE(appended("{\"a\": []}", {"a", "b"}).starts_with("error: "));
}

TEST(Jsonc, RemovesItemsOfLists) {
  const auto without = [](std::string_view text, std::size_t index) {
    return *without_item(text, Path{"a"}, index, Comments::allowed);
  };
  EXPECT_EQ(without("{\"a\": [1, [2, 3], 4]}", 1), "{\"a\": [1, 4]}");
  EXPECT_EQ(without("{\"a\": [1, 4]}", 1), "{\"a\": [1]}");
  EXPECT_EQ(without("{\"a\": [1]}", 0), "{\"a\": []}");
  EXPECT_EQ(without("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n", 0), "{\n  \"a\": [\n    2\n  ]\n}\n");
  for (const char* text : {"", "{}", "{\"a\": [1]}", "{\"a\": {\"b\": 1}}", "[1, 2]"})
    EXPECT_EQ(without(text, 1), text);
  const std::string text = "{\n  \"a\": [\n    {\"b\": 1}\n  ]\n}\n";
  EXPECT_EQ(without(appended(text, {"a"}), 1), text);
}

}  // namespace
}  // namespace snapgen::tools

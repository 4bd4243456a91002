#include "runtime/json/reader.h"

#include <limits>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "tests/json/exact.h"
#include "tests/json/tool_call.h"

namespace snapgen::json {
namespace {

template <class T>
T value_of(std::string_view text, T value = {}) {
  const Exact exact(text);
  Reader in(exact.view());
  read(in, value);
  in.end();
  EXPECT_TRUE(in.ok()) << text;
  return value;
}

std::vector<std::string> sentences(const Reader& in) {
  std::vector<std::string> out;
  for (const Violation& violation : in.violations()) {
    out.push_back(violation.pointer + " " + std::string(violation.keyword) + ": " + violation.message);
  }
  return out;
}

template <class T>
std::string problem(std::string_view text) {
  const Exact exact(text);
  Reader in(exact.view());
  T value{};
  read(in, value);
  in.end();
  EXPECT_EQ(value, T{}) << "a value of another type must not change `out`";
  const std::vector<std::string> all = sentences(in);
  return all.size() == 1 ? all.front() : "not one violation";
}

TEST(Reader, AnIntegerMayBeWrittenInAnyForm) {
  for (const char* text : {"1", "1.0", "1e0", "10e-1", "0.1E+1", "100e-2", " 1 "}) {
    EXPECT_EQ(value_of<std::int64_t>(text), 1) << text;
  }
  for (const char* text : {"0", "-0", "0.0", "0e99", "-0.000E-5", "0e999999999999999999999"}) {
    EXPECT_EQ(value_of<std::int64_t>(text, 7), 0) << text;
  }
  EXPECT_EQ(value_of<std::int64_t>("9007199254740993.0"), 9007199254740993);
  EXPECT_EQ(value_of<std::int64_t>("123456789012345678"), 123456789012345678);
  EXPECT_EQ(value_of<std::int64_t>("1234567890123456789"), 1234567890123456789);
  EXPECT_EQ(value_of<std::int64_t>("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value_of<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(value_of<std::int64_t>("-9.223372036854775808e18"), std::numeric_limits<std::int64_t>::min());
}

TEST(Reader, InvalidOrTooLargeIntegersAreReported) {
  EXPECT_EQ(problem<std::int64_t>("1.5"), " type: expected an integer, found 1.5");
  EXPECT_EQ(problem<std::int64_t>("1e-400"), " type: expected an integer, found 1e-400");
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "1e19", "1e400", "99999999999999999999"}) {
    EXPECT_EQ(problem<std::int64_t>(text),
              " type: expected an integer from -2^63 to 2^63-1, found " + std::string(text));
  }
}

TEST(Reader, UnsignedIntegersHave64Bits) {
  for (const char* text : {"1", "1.0", "1e0", "10e-1"}) EXPECT_EQ(value_of<std::uint64_t>(text), 1U) << text;
  for (const char* text : {"0", "-0", "-0.0", "0e99"})
    EXPECT_EQ(value_of<std::uint64_t>(text, 7), 0U) << text;
  EXPECT_EQ(value_of<std::uint64_t>("123456789012345678"), 123456789012345678U);
  EXPECT_EQ(value_of<std::uint64_t>("9223372036854775808"), 9223372036854775808U);
  EXPECT_EQ(value_of<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value_of<std::uint64_t>("1.8446744073709551615E19"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(value_of<std::uint64_t>("10000000000000000000"), 10000000000000000000U);
  EXPECT_EQ(problem<std::uint64_t>("1.5"), " type: expected an integer, found 1.5");
  EXPECT_EQ(problem<std::uint64_t>("\"1\""), " type: expected an integer, found \"1\"");
  for (const char* text : {"-1", "-1e0", "18446744073709551616", "1e20", "1e400", "999999999999999999999"})
    EXPECT_EQ(problem<std::uint64_t>(text),
              " type: expected an integer from 0 to 2^64-1, found " + std::string(text));
}

TEST(Reader, ANumberIsTheNearestDouble) {
  EXPECT_EQ(value_of<double>("0.1"), 0.1);
  EXPECT_EQ(value_of<double>("1e308"), 1e308);
  EXPECT_EQ(value_of<double>("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(value_of<double>("1e-400"), 0.0);
  EXPECT_EQ(value_of<double>("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value_of<double>("0.00000000000000000000000000000000000000000000000001e50"), 1.0);
  EXPECT_EQ(problem<double>("1e309"), " type: expected a number within the range of a double, found 1e309");
  EXPECT_EQ(problem<double>("-1e999999999999"),
            " type: expected a number within the range of a double, found -1e999999999999");
}

TEST(Reader, ValuesOfTheWrongTypeAreSkippedAndReported) {
  EXPECT_EQ(problem<std::string>("3"), " type: expected a string, found 3");
  EXPECT_EQ(problem<std::string>("null"), " type: expected a string, found null");
  EXPECT_EQ(problem<std::int64_t>("\"3\""), " type: expected an integer, found \"3\"");
  EXPECT_EQ(problem<double>("{\"a\":[1,2]}"), " type: expected a number, found an object");
  EXPECT_EQ(problem<bool>("[true]"), " type: expected a boolean, found an array");
  EXPECT_EQ(problem<std::vector<bool>>("true"), " type: expected an array, found true");
  EXPECT_EQ((problem<std::map<std::string, bool>>("false")), " type: expected an object, found false");
  Reader in("0");
  EXPECT_FALSE(in.null());
  EXPECT_EQ(sentences(in), std::vector<std::string>{" type: expected null, found 0"});
}

TEST(Reader, ErrorMessagesTruncateLongValues) {
  const std::string euros = "\"" + std::string("\xE2\x82\xAC\xE2\x82\xAC").append(200, 'x') + "\"";
  EXPECT_EQ(problem<std::int64_t>(euros),
            " type: expected an integer, found \"\xE2\x82\xAC\xE2\x82\xAC" + std::string(41, 'x') + "…\"");
  std::string many = "\"";
  for (int i = 0; i < 100; ++i) many += "\xE2\x82\xAC";
  EXPECT_TRUE(valid_utf8(problem<bool>(many + "\"")));  // The truncated text never ends within a character.
}

TEST(Reader, EveryTruncationOfATextIsASyntaxError) {
  const std::string text =
      R"({"mode":"start","task":"fix \u00e9 \ud83d\ude00 \"it\" and a long tail to fill more than one block of text",)"
      R"("files":["a.ts",{"x":[1.5e-3,-20,true,false,null]}],"compact":false})";
  ASSERT_EQ(syntax_error(text), "");
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Exact exact(std::string_view(text).substr(0, size));
    Reader skipping(exact.view());
    skipping.skip();
    skipping.end();
    EXPECT_FALSE(skipping.syntax_ok()) << size;
    EXPECT_LE(skipping.error_offset(), size);

    Reader reading(exact.view());
    fixture::ToolCall call;
    read(reading, call);
    reading.end();
    EXPECT_FALSE(reading.syntax_ok()) << size;

    EXPECT_FALSE(canonical(exact.view())) << size;
    EXPECT_FALSE(parse_document(exact.view()).ok()) << size;
  }
}

TEST(Reader, AfterASyntaxErrorEveryCallHasNoEffect) {
  Reader in(R"({"a":tru,"b":1})");
  ASSERT_TRUE(in.begin_object());
  std::string_view key;
  ASSERT_TRUE(in.next_key(key));
  bool flag = true;
  EXPECT_FALSE(in.boolean(flag));
  EXPECT_FALSE(in.syntax_ok());
  const std::size_t place = in.error_offset();
  EXPECT_EQ(place, 5U);
  std::string text = "old";
  std::int64_t number = 7;
  const Reader::Mark mark = in.mark();
  EXPECT_FALSE(in.next_key(key));
  EXPECT_FALSE(in.begin_array());
  EXPECT_FALSE(in.next_element());
  EXPECT_FALSE(in.string(text));
  EXPECT_FALSE(in.integer(number));
  EXPECT_FALSE(in.null());
  EXPECT_EQ(in.peek(), Kind::invalid);
  EXPECT_FALSE(in.peek_member("a", text));
  in.report_violation(0, "required", "missing property \"c\"");
  in.report_unknown_key("a", nullptr, 0);
  in.skip();
  in.raw(text);
  in.end();
  in.rewind(mark);
  EXPECT_EQ(text, "old");
  EXPECT_EQ(number, 7);
  EXPECT_TRUE(flag);
  EXPECT_EQ(in.error_offset(), place);
  EXPECT_EQ(in.error_message(), "not a JSON value");
  EXPECT_TRUE(in.violations().empty());
}

TEST(Reader, NestingIsAcceptedUpToTheLimit) {
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "0";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(syntax_error(nested(depth_max, "[", "]")), "");
  EXPECT_EQ(syntax_error(nested(depth_max + 1, "[", "]")), "nested too deeply");
  EXPECT_EQ(syntax_error(nested(depth_max, "{\"a\":", "}")), "");
  EXPECT_EQ(syntax_error(nested(depth_max + 1, "{\"a\":", "}")), "nested too deeply");
  EXPECT_EQ(syntax_error(nested(1'000'000, "[", "]")), "nested too deeply");  // The stack does not overflow
                                                                              // either.

  EXPECT_TRUE(canonical(nested(depth_max, "[", "]")));
  EXPECT_FALSE(canonical(nested(100'000, "{\"a\":", "}")));
  EXPECT_FALSE(parse_document(nested(100'000, "[", "]")).ok());

  std::string tree_text = R"({"weight":1})";
  for (int i = 1; i < depth_max; ++i) tree_text.insert(0, R"({"weight":1,"child":)").append("}");
  fixture::Tree tree;
  Reader in(tree_text);
  read(in, tree);
  EXPECT_TRUE(in.ok());
  tree_text.insert(0, R"({"weight":1,"child":)").append("}");
  Reader deeper(tree_text);
  read(deeper, tree);
  EXPECT_EQ(deeper.error_message(), "nested too deeply");
}

// The limit applies to the sum of the levels that the caller opened and the levels of skipped values.
TEST(Reader, SkippedValuesCountTowardsTheDepthOfOpenOnes) {
  std::string text;
  for (int i = 0; i < depth_max + 1; ++i) text += "[";
  for (int i = 0; i < depth_max + 1; ++i) text += "]";
  Reader in(text);
  ASSERT_TRUE(in.begin_array());
  ASSERT_TRUE(in.next_element());
  in.skip();
  EXPECT_EQ(in.error_message(), "nested too deeply");
}

TEST(Reader, PointersEscapeTildeAndSlashAndCountArrayItems) {
  Reader in(R"({"a/b":{"c~d":[0,[1,"x"]]},"\u0065\"":2,"":{"":3}})");
  std::vector<std::string> wrong;
  ASSERT_TRUE(in.begin_object());
  std::string_view key;
  std::string text;
  ASSERT_TRUE(in.next_key(key));
  ASSERT_TRUE(in.begin_object());
  ASSERT_TRUE(in.next_key(key));
  ASSERT_TRUE(in.begin_array());
  while (in.next_element()) in.string(text);
  ASSERT_FALSE(in.next_key(key));
  ASSERT_TRUE(in.next_key(key));
  EXPECT_EQ(key, "e\"");
  in.string(text);
  ASSERT_TRUE(in.next_key(key));
  ASSERT_TRUE(in.begin_object());
  ASSERT_TRUE(in.next_key(key));
  in.string(text);
  ASSERT_FALSE(in.next_key(key));
  ASSERT_FALSE(in.next_key(key));
  in.end();
  ASSERT_TRUE(in.syntax_ok());
  EXPECT_EQ(sentences(in), (std::vector<std::string>{
                               "/a~1b/c~0d/0 type: expected a string, found 0",
                               "/a~1b/c~0d/1 type: expected a string, found an array",
                               "/e\" type: expected a string, found 2",
                               "// type: expected a string, found 3",
                           }));
}

TEST(Reader, EveryValueAndKeyHasACorrectPointer) {
  const std::string text = R"({ "a" : [ 1 , { "b/~" : [ ] , "c" : "x" } , [ [ 2 ] ] ] , "d" : { } })";
  const Document document = parse_document(text);
  ASSERT_TRUE(document.ok());
  const auto visit = [&](const auto& self, const Node& node, const std::string& pointer) -> void {
    EXPECT_EQ(pointer_at(text, node.offset), pointer);
    for (const Member& member : node.members) {
      std::string step = "/";
      for (const char byte : member.key)
        step += byte == '~' ? "~0" : byte == '/' ? "~1" : std::string(1, byte);
      EXPECT_EQ(pointer_at(text, member.key_offset), pointer + step);
      self(self, member.value, pointer + step);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      self(self, node.items[i], pointer + "/" + std::to_string(i));
  };
  visit(visit, document.root, "");
}

TEST(Reader, TheRuleOfAViolationQuotesNothingOfTheText) {
  Reader in(
      R"([7,"seven",{"a secret":1,"mode":"a secret"},{"mode":"begin","extra":1,"mode":"start"},{"n":1e999}])");
  std::vector<std::string> rules;
  if (in.begin_array()) {
    in.next_element();
    std::string text;
    in.string(text);
    in.next_element();
    read_constant(in, "six");
    in.next_element();
    report_wrong_tag(in, "oneOf", "mode", {"\"find\"", "\"count\""});
    in.next_element();
    fixture::ToolCall call;
    read(in, call);
    in.next_element();
    Raw raw;
    read(in, raw);
    in.next_element();
  }
  in.end();
  for (const Violation& each : in.violations()) {
    EXPECT_TRUE(each.message.starts_with(each.rule()));
    rules.emplace_back(each.rule());
  }
  EXPECT_EQ(rules, std::vector<std::string>({"expected a string", "expected \"six\"",
                                             "mode must be \"find\" or \"count\"",
                                             "expected one of \"start\", \"check\", \"context\"",
                                             "unknown property", "duplicate property", ""}));
}

TEST(Reader, ViolationsBeyondTheLimitAreOnlyCounted) {
  std::string text = "[";
  for (int i = 0; i < 5000; ++i) text += "0,";
  text.back() = ']';
  Reader in(text);
  std::vector<std::string> out;
  read(in, out);
  EXPECT_EQ(in.violation_count(), 5000U);
  const std::vector<Violation> violations = in.violations();
  ASSERT_EQ(violations.size(), violations_max);
  EXPECT_EQ(violations.back().pointer, "/999");
}

TEST(Reader, PeekingFindsAMemberWithoutMoving) {
  std::string tag = "old";
  Reader in(R"( {"data":{"kind":"inner"},"n":[1,{"kind":2}],"kind":"ou\u0074er"} )");
  EXPECT_TRUE(in.peek_member("kind", tag));
  EXPECT_EQ(tag, "outer");
  EXPECT_FALSE(in.peek_member("absent", tag));
  EXPECT_FALSE(in.peek_member("n", tag));  // The member exists but is not a string.
  EXPECT_EQ(tag, "outer");
  in.skip();
  in.end();
  EXPECT_TRUE(in.ok());

  Reader array("[1]");
  EXPECT_FALSE(array.peek_member("kind", tag));
  EXPECT_EQ(array.peek(), Kind::array);

  Reader broken(R"({"a":tru,"kind":"x"})");
  EXPECT_FALSE(broken.peek_member("kind", tag));
  EXPECT_TRUE(broken.syntax_ok());  // The syntax error is found only when the member is read.
  broken.skip();
  EXPECT_EQ(broken.error_offset(), 5U);
}

TEST(Reader, PeekingPreservesTheCurrentKey) {
  Reader in(R"({"\u0061":{"\u0062":1,"kind":"x"}})");
  ASSERT_TRUE(in.begin_object());
  std::string_view key;
  ASSERT_TRUE(in.next_key(key));
  std::string tag;
  EXPECT_TRUE(in.peek_member("kind", tag));
  EXPECT_EQ(key, "a");
}

TEST(Reader, RewindingDiscardsViolationsSinceTheMark) {
  Reader in(R"(["a",{"b":[1,2]},3])");
  ASSERT_TRUE(in.begin_array());
  ASSERT_TRUE(in.next_element());
  std::int64_t number = 0;
  EXPECT_FALSE(in.integer(number));
  ASSERT_TRUE(in.next_element());
  const Reader::Mark mark = in.mark();
  EXPECT_FALSE(in.integer(number));
  EXPECT_EQ(in.violation_count(), 2U);
  in.rewind(mark);
  EXPECT_EQ(in.violation_count(), 1U);

  // Peeking also works within an open object.
  ASSERT_TRUE(in.begin_object());
  std::string_view key;
  ASSERT_TRUE(in.next_key(key));
  in.rewind(mark);
  std::map<std::string, std::vector<std::int64_t>> value;
  EXPECT_TRUE(read(in, value));
  EXPECT_EQ(value, (std::map<std::string, std::vector<std::int64_t>>{{"b", {1, 2}}}));
  ASSERT_TRUE(in.next_element());
  EXPECT_TRUE(in.integer(number));
  ASSERT_FALSE(in.next_element());
  in.end();
  EXPECT_EQ(sentences(in), std::vector<std::string>{"/0 type: expected an integer, found \"a\""});
}

TEST(Reader, ARawValueIsTheUnchangedText) {
  const std::string_view text = R"({"a": { "x" : [ 1.00 , "\u0041" ] } , "b":2})";
  Reader in(text);
  ASSERT_TRUE(in.begin_object());
  std::string_view key;
  ASSERT_TRUE(in.next_key(key));
  std::string_view view;
  in.raw(view);
  EXPECT_EQ(view, R"({ "x" : [ 1.00 , "\u0041" ] })");
  EXPECT_EQ(view.data(), text.data() + 6);
  ASSERT_TRUE(in.next_key(key));
  std::string copy;
  in.raw(copy);
  EXPECT_EQ(copy, "2");
  EXPECT_FALSE(in.next_key(key));
  in.end();
  EXPECT_TRUE(in.ok());
}

TEST(Reader, SkipsOneUnknownMemberOfTheOutermostObject) {
  for (const std::string_view ignored : {"", "wait"}) {
    Reader in(R"({"wait":[1],"mode":"start","wait":2,"waits":3})");
    in.ignore_member(ignored);
    fixture::ToolCall call;
    read(in, call);
    in.end();
    EXPECT_EQ(in.violation_count(), ignored.empty() ? 3U : 1U) << "\"waits\" is another member";
  }
  Reader in(R"([{"wait":1,"mode":"start"}])");
  in.ignore_member("wait");
  fixture::ToolCall call;
  ASSERT_TRUE(in.begin_array());
  while (in.next_element()) read(in, call);
  EXPECT_EQ(in.violation_count(), 1U) << "an object in an array is not the outermost value";
}

TEST(Reader, TheFirstByteDeterminesTheType) {
  const std::pair<const char*, Kind> kinds[] = {
      {" {", Kind::object},   {"\t[", Kind::array},
      {"\n\"", Kind::string}, {"\r-", Kind::number},
      {"0", Kind::number},    {"9", Kind::number},
      {"t", Kind::boolean},   {"f", Kind::boolean},
      {"n", Kind::null},      {"", Kind::invalid},
      {"+", Kind::invalid},   {"\v1", Kind::invalid},
      {"'", Kind::invalid},   {"\xEF\xBB\xBF", Kind::invalid},
  };
  for (const auto& [text, kind] : kinds) {
    Reader in(text);
    EXPECT_EQ(in.peek(), kind) << text;
  }
}

TEST(Reader, ASyntaxErrorHasAReasonAndAPosition) {
  const std::tuple<const char*, const char*, std::size_t> errors[] = {
      {"", "the text ends too early", 0},
      {"{", "the text ends too early", 1},
      {"[1", "the text ends too early", 2},
      {"\"a", "unterminated string", 2},
      {"{} {}", "more text after the value", 3},
      {"[1 2]", "expected a comma or the end of the array", 3},
      {"{\"a\":1 \"b\":2}", "expected a comma or the end of the object", 7},
      {"{\"a\" 1}", "expected a colon", 5},
      {"{a:1}", "expected a property name", 1},
      {"{\"a\":1,}", "expected a property name", 7},
      {"[1,]", "not a JSON value", 3},
      {"01", "a number with a leading zero", 0},
      {"[1.]", "a number without a digit after its decimal point", 1},
      {"[1e+]", "a number without a digit in its exponent", 1},
      {"nul", "not a JSON value", 0},
  };
  for (const auto& [text, message, offset] : errors) {
    const Exact exact((std::string_view(text)));
    Reader in(exact.view());
    in.skip();
    in.end();
    EXPECT_EQ(in.error_message(), message) << text;
    EXPECT_EQ(in.error_offset(), offset) << text;
  }
}

}  // namespace
}  // namespace snapgen::json

#include "runtime/json/values.h"

#include <gtest/gtest.h>

#include "tests/json/tool_call.h"

namespace snapgen::json {
namespace {

using fixture::Mode;
using fixture::ToolCall;
using fixture::Tree;

// Returns the violations that were found while reading `out`, one sentence each.
template <class T>
std::vector<std::string> problems(std::string_view text, T& out) {
  Reader in(text);
  read(in, out);
  in.end();
  std::vector<std::string> sentences;
  if (!in.syntax_ok()) sentences.push_back("not JSON: " + std::string(in.error_message()));
  for (const Violation& violation : in.violations()) {
    sentences.push_back(violation.pointer + " " + std::string(violation.keyword) + ": " + violation.message);
  }
  return sentences;
}

using Sentences = std::vector<std::string>;

TEST(Values, AStructIsReadAndWrittenInCanonicalForm) {
  ToolCall call;
  EXPECT_EQ(problems(R"({"mode":"check","task":"fix \"it\"","files":["a.ts","b.ts"],"compact":true})", call),
            Sentences{});
  EXPECT_EQ(call.mode, Mode::check);
  EXPECT_EQ(call.task, "fix \"it\"");
  EXPECT_EQ(to_json(call), R"({"compact":true,"files":["a.ts","b.ts"],"mode":"check","task":"fix \"it\""})");
}

TEST(Values, AReusedStructKeepsNoOldValues) {
  ToolCall call;
  ASSERT_EQ(problems(R"({"mode":"check","task":"a long task, longer than any short string",
                         "files":["one","two","three"],"keywords":["k"],"compact":true})",
                     call),
            Sentences{});
  ASSERT_EQ(problems(R"({"mode":"start","files":["four"]})", call), Sentences{});
  EXPECT_EQ(call, (ToolCall{.mode = Mode::start, .files = std::vector<std::string>{"four"}}));
}

TEST(Values, AllViolationsAreFoundInOnePassInDocumentOrder) {
  ToolCall call;
  EXPECT_EQ(
      problems(R"({"mod":"start","task":3,"files":["a",null,{"x":1}],"compact":"yes","task":"again"})", call),
      (Sentences{
          R"( required: missing property "mode")",
          R"(/mod additionalProperties: unknown property "mod"; did you mean "mode"?)",
          R"(/task type: expected a string, found 3)",
          R"(/files/1 type: expected a string, found null)",
          R"(/files/2 type: expected a string, found an object)",
          R"(/compact type: expected a boolean, found "yes")",
          R"(/task duplicate: duplicate property "task")",
      }));
}

TEST(Values, AnInvalidEnumValueGetsTheValidOnes) {
  ToolCall call;
  EXPECT_EQ(
      problems(R"({"mode":"strat"})", call),
      Sentences{
          R"(/mode enum: expected one of "start", "check", "context"; found "strat"; did you mean "start"?)"});
}

TEST(Values, AnUnknownNameGetsTheValidOnes) {
  Tree tree;
  EXPECT_EQ(
      problems(R"({"weight":1,"colour":"red"})", tree),
      Sentences{R"(/colour additionalProperties: unknown property "colour"; known: "child", "weight")"});
}

TEST(Values, ATypeMayContainItself) {
  Tree tree;
  ASSERT_EQ(problems(R"({"weight":1,"child":{"weight":2,"child":{"weight":3}}})", tree), Sentences{});
  EXPECT_EQ((*(*tree.child)->child)->weight, 3);
  Tree copy = tree;
  (*copy.child)->weight = 9;
  EXPECT_EQ((*tree.child)->weight, 2);  // The copy owns its own child.
  EXPECT_EQ(to_json(tree), R"({"child":{"child":{"weight":3},"weight":2},"weight":1})");
  EXPECT_EQ(
      problems(R"({"weight":1,"child":{"weight":2,"child":{"weigth":3}}})", tree),
      (Sentences{
          R"(/child/child required: missing property "weight")",
          R"(/child/child/weigth additionalProperties: unknown property "weigth"; did you mean "weight"?)"}));
}

TEST(Values, ANullableIsCopiedAndMovedFromAnyStateToAny) {
  const std::string text = "a text that no small buffer holds";
  const std::string other = "another one that is too long for it";
  for (const bool from : {false, true}) {
    for (const bool to : {false, true}) {
      const Nullable<std::string> source = from ? Nullable<std::string>(text) : nullptr;
      Nullable<std::string> copied = to ? Nullable<std::string>(other) : nullptr;
      Nullable<std::string> moved = copied;
      EXPECT_EQ(copied == source, !from && !to);
      copied = source;
      moved = Nullable<std::string>(source);
      EXPECT_EQ(copied, source);
      EXPECT_EQ(moved, source);
      EXPECT_EQ(copied.is_null(), !from);
      if (from) {
        EXPECT_EQ(*copied, text);
        EXPECT_EQ(*Nullable<std::string>(std::move(moved)), text);
      }
      EXPECT_EQ(copied.emplace(), "");
      copied.reset();
      EXPECT_TRUE(copied.is_null());
    }
  }
  std::optional<Nullable<std::int64_t>> states[] = {std::nullopt, Nullable<std::int64_t>(),
                                                    Nullable<std::int64_t>(std::int64_t{7})};
  for (auto& a : states)
    for (auto& b : states) EXPECT_EQ(a == b, &a == &b);
}

TEST(Values, NullAndAbsentDiffer) {
  std::optional<std::string> optional = "old";
  EXPECT_EQ(problems("null", optional), Sentences{" type: expected a string, found null"});

  Nullable<std::string> nullable("old");
  EXPECT_EQ(problems("null", nullable), Sentences{});
  EXPECT_TRUE(nullable.is_null());
  EXPECT_EQ(to_json(nullable), "null");
  EXPECT_EQ(problems("\"new\"", nullable), Sentences{});
  EXPECT_EQ(*nullable, "new");

  Reader in("null");
  optional = "old";
  EXPECT_TRUE(read_nullable(in, optional));
  EXPECT_EQ(optional, std::nullopt);
  EXPECT_EQ(to_json(optional), "null");
}

TEST(Values, RejectsDuplicateKeysAndSortsMapsByBytes) {
  std::map<std::string, std::vector<std::int64_t>> map;
  ASSERT_EQ(problems("{\"\xEF\xAC\xB3\":[1],\"\xF0\x9F\x98\x80\":[],\"b\":[2,3],\"a\":[]}", map),
            Sentences{});
  EXPECT_EQ(to_json(map), "{\"a\":[],\"b\":[2,3],\"\xEF\xAC\xB3\":[1],\"\xF0\x9F\x98\x80\":[]}");
  EXPECT_EQ(problems(R"({"a":[1],"\u0061":[2]})", map), Sentences{R"(/a duplicate: duplicate property "a")"});
}

TEST(Values, BooleansAndDoublesInArraysAreReadAndWritten) {
  std::vector<bool> flags = {true, true, true};
  ASSERT_EQ(problems("[false,true]", flags), Sentences{});
  EXPECT_EQ(to_json(flags), "[false,true]");
  std::vector<double> numbers;
  ASSERT_EQ(problems("[1,2.50,1e3,-0]", numbers), Sentences{});
  EXPECT_EQ(to_json(numbers), "[1,2.5,1000,0]");
}

TEST(Values, RawValuesArePreservedAndWrittenInCanonicalForm) {
  Raw raw;
  ASSERT_EQ(problems(R"( { "b" : 1.0 , "a" : [ ] } )", raw), Sentences{});
  EXPECT_EQ(raw.text, R"({ "b" : 1.0 , "a" : [ ] })");
  EXPECT_EQ(to_json(raw), R"({"a":[],"b":1})");
}

TEST(Values, ARawValueWithoutCanonicalFormIsAViolation) {
  std::vector<Raw> raws;
  EXPECT_EQ(problems(R"([{"a":1,"a":2},1e400,18446744073709551616])", raws),
            (Sentences{R"(/0/a duplicate: duplicate property "a")", "/1 type: number out of range",
                       "/2 type: number out of range"}));
}

}  // namespace
}  // namespace snapgen::json

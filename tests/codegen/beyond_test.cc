// Generated readers of schemas with keywords that structs cannot express: they report violations of these
// keywords, and agree with the general validator on any value.
#include "tests/codegen/golden/types/beyond.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "runtime/json/schema/compile.h"
#include "runtime/json/schema/evaluate.h"
#include "tests/codegen/files.h"
#include "tests/codegen/golden/types/views.h"
#include "tests/codegen/reading.h"

namespace golden {
namespace {

namespace json = snapgen::json;

TEST(Beyond, ViolationsBeyondTheStructAreReportedWithTheOthers) {
  Beyond value;
  EXPECT_EQ(faults_of(R"({"name":"a","tags":["a","b"],"range":{"from":1},"mode":"a"})", value), Faults());
  EXPECT_EQ(value.name, "a");
  EXPECT_EQ(value.range->from, 1);
  EXPECT_EQ(
      faults_of(
          R"({"name":" a","tags":["b",1],"labels":{"y":"z"},"weights":{"A":0.25},"mixed":{"x-a":1,"b":2},)"
          R"("range":{},"mode":"c","level":5})",
          value),
      Faults({"/name not", "/tags contains", "/tags/1 type", "/labels/y additionalProperties",
              "/weights/A multipleOf", "/weights/A propertyNames", "/mixed/x-a type",
              "/mixed/b additionalProperties", "/range minProperties", "/range anyOf", "/mode enum",
              "/level oneOf"}));
}

TEST(Beyond, ConditionsOfEveryKindAreEnforced) {
  Beyond value;
  EXPECT_EQ(faults_of(R"({"name":"a","level":10})", value), Faults({" required"}));
  EXPECT_EQ(faults_of(R"({"name":"a","level":10,"mode":"b"})", value), Faults());
  EXPECT_EQ(faults_of(R"({"name":"a","level":3})", value), Faults());
  EXPECT_EQ(faults_of(R"({"name":"a","range":{"to":1}})", value), Faults({" required"}));
  EXPECT_EQ(faults_of(R"({"name":"a","labels":{}})", value), Faults({" dependentRequired"}));
  EXPECT_EQ(sentences_of<Beyond>(R"({"name":"a","level":10})"),
            std::vector<std::string>({"missing property \"mode\""}));
}

TEST(Beyond, AViolationFoundTwiceIsReportedOnce) {
  Beyond value;
  EXPECT_EQ(faults_of(R"({"name":"0123456789012345678901","level":"x","weights":{"a":"b"}})", value),
            Faults({" required", "/name maxLength", "/level type", "/weights/a type"}));
  EXPECT_EQ(faults_of("[]", value), Faults({" type"}));
  EXPECT_EQ(faults_of(R"({"name":"a","name":"b"})", value), Faults({"/name duplicate"}));
}

TEST(Beyond, InvalidJsonGivesOnlyASyntaxError) {
  Beyond value;
  ASSERT_EQ(faults_of(R"({"name":" a","range":{})", value).size(), 1U);
  EXPECT_TRUE(faults_of(R"({"name":" a","range":{})", value)[0].starts_with("not JSON"));
}

TEST(Beyond, ValuesWithoutASchemaArePreservedAsWritten) {
  Views value;
  EXPECT_EQ(
      faults_of(R"({"pair":[1, "a"],"either":{"a":1,"b":"xyz"},"maybe":null,"closed":{"a":1,"x1":2,"c":3}})",
                value),
      Faults());
  EXPECT_EQ(value.pair->text, R"([1, "a"])");
  EXPECT_TRUE(value.maybe->is_null());
  EXPECT_EQ(value.closed->additional.at("x1").text, "2");
  EXPECT_EQ(json::to_json(value),
            R"({"closed":{"a":1,"c":3,"x1":2},"either":{"a":1,"b":"xyz"},"maybe":null,"pair":[1,"a"]})");
  EXPECT_EQ(faults_of(R"({"pair":[1,"a",2],"start":[1,true,2],"either":{},"one":6,"maybe":"b","some":null,)"
                      R"("closed":{"a":1,"y":2},"item":{"id":""},"nested":{"deep":[1,1]},"wanted":{}})",
                      value),
            Faults({"/pair/2 items", "/start/2 type", "/either anyOf", "/one oneOf", "/maybe oneOf",
                    "/some not", "/closed/y unevaluatedProperties", "/item/id minLength",
                    "/nested/deep uniqueItems", "/nested/deep contains", "/wanted required"}));
}

TEST(Beyond, ADynamicReferenceResolvesToTheOutermostAnchor) {
  DynamicTree tree;
  EXPECT_EQ(faults_of(R"({"value":1,"children":[{"value":2,"children":[]}]})", tree), Faults());
  EXPECT_EQ(faults_of(R"({"value":1,"children":[{"value":"x"},{"children":[{}]}]})", tree),
            Faults({"/children/0/value type", "/children/1 required", "/children/1/children/0 required"}));
}

// Makes random values from names and texts that occur in the schemas.
class FittingMaker {
 public:
  explicit FittingMaker(std::uint32_t seed) : random_(seed) {}

  std::string value(int depth = 0) {
    switch (below(depth > 3 ? 6 : 10)) {
      case 0: return of(std::array{"null", "true", "false"});
      case 1:
      case 2:
        return of(std::array{"0", "1", "2", "3", "5", "6", "10", "12", "0.1", "0.25", "0.3", "1.0", "1e1"});
      case 3:
      case 4:
      case 5:
        return of(std::array{R"("")", R"("a")", R"("b")", R"(" a")", R"("xyz")", R"("wxyz")", R"("é")"});
      case 6:
      case 7: {
        std::string text = "[";
        for (std::size_t count = below(4), i = 0; i < count; ++i) text += (i ? "," : "") + value(depth + 1);
        return text + "]";
      }
      default: return object(of_names(), depth);
    }
  }

  // Returns an object with some of these members, each of a type that may be valid.
  std::string object(std::vector<std::string> names, int depth = 0) {
    std::shuffle(names.begin(), names.end(), random_);
    names.resize(std::min(names.size(), below(5)));
    std::string text = "{";
    for (const std::string& each : names)
      text += (text.size() > 1 ? "," : "") + json::quoted(each) + ":" + member(each, depth + 1);
    return text + "}";
  }

 private:
  std::string member(const std::string& name, int depth) {
    if (below(4) == 0) return value(depth);
    if (name == "name" || name == "mode" || name == "maybe" || name == "id" || name.starts_with("x"))
      return of(std::array{R"("a")", R"("b")", R"("ab")", R"(" ")"});
    if (name == "level" || name == "one" || name == "a" || name == "c" || name == "value" || name == "count")
      return of(std::array{"1", "2", "3", "6", "10"});
    if (name == "tags")
      return of(std::array{R"(["a"])", R"(["a","b"])", R"(["a","a","a"])", R"(["b"])", "[]"});
    if (name == "pair") return of(std::array{R"([1,"a"])", "[1]", R"([1,"a",1])", "[]"});
    if (name == "start") return of(std::array{"[1,true]", "[1]", "[true]", "[]"});
    if (name == "deep") return of(std::array{"[5]", "[1,5]", "[5,5]", "[1]"});
    if (name == "children") return "[" + object({"value", "children"}, depth) + "]";
    if (name == "range") return object({"from", "to"}, depth);
    if (name == "labels") return object({"x-a", "x-b", "y"}, depth);
    if (name == "mixed") return object({"x-a", "count", "y"}, depth);
    if (name == "either" || name == "closed") return object({"a", "b", "c", "x1"}, depth);
    return object(of_names(), depth);
  }
  std::vector<std::string> of_names() {
    return {"a", "b", "c", "x1", "x-a", "y", "id", "deep", "value", "children", "from", "anything"};
  }
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  template <std::size_t size>
  std::string of(const std::array<const char*, size>& all) {
    return all[below(size)];
  }

  std::mt19937 random_;
};

using Fits = std::function<bool(const std::string&)>;

template <class T>
bool fits(const std::string& text) {
  T value;
  if (!faults_of(text, value).empty()) return false;
  const std::string written = json::to_json(value);
  T again;
  EXPECT_EQ(faults_of(written, again), Faults()) << written;
  EXPECT_EQ(json::to_json(again), written);
  return true;
}

TEST(Beyond, GeneratedReadersAgreeWithTheGeneralValidator) {
  struct Case {
    std::string file;
    std::string definition;
    std::vector<std::string> names;
    Fits reader;
  };
  const std::vector<Case> cases = {
      {"beyond", "", {"name", "tags", "labels", "weights", "mixed", "range", "mode", "level"}, &fits<Beyond>},
      {"views",
       "",
       {"pair", "start", "either", "one", "maybe", "some", "closed", "item", "nested", "wanted"},
       &fits<Views>},
      {"views", "dynamic_tree", {"value", "children"}, &fits<DynamicTree>}};
  for (const Case& each : cases) {
    const std::string text = snapgen::codegen::file_text(
        snapgen::codegen::source_root() / ("tests/codegen/golden/types/" + each.file + ".json"));
    const json::Document document = json::parse_document(text);
    json::SchemaResources resources;
    json::SchemaProblems problems;
    resources.add("", document.root, problems);
    const json::Node& root =
        each.definition.empty() ? document.root : *document.root.find("$defs")->find(each.definition);
    const auto plan = json::compile_plan(resources, {&root}, {}, problems);
    ASSERT_TRUE(problems.empty());
    FittingMaker maker(20261121);
    int fitting = 0;
    constexpr int rounds = 4000;
    for (int i = 0; i < rounds; ++i) {
      const std::string value = i % 20 == 0 ? maker.value() : maker.object(each.names);
      const bool expected = json::evaluate(plan->plan(), value).empty();
      ASSERT_EQ(each.reader(value), expected) << each.file << ": " << value;
      fitting += expected ? 1 : 0;
    }
    EXPECT_GT(fitting, rounds / 50) << each.file;
    EXPECT_LT(fitting, rounds) << each.file;
  }
}

}  // namespace
}  // namespace golden

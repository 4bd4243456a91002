// Errors of plans: for invalid values, and for invalid schemas.
#include <gtest/gtest.h>

#include "runtime/json/schema/evaluate.h"
#include "tests/json/compile_text.h"

namespace snapgen::json {
namespace {

std::vector<std::string> said(std::string_view schema, std::string_view text) {
  const Result<std::unique_ptr<OwnedPlan>> plan = compile_plan(schema);
  if (!plan) return {plan.error().message};
  std::vector<std::string> out;
  for (const Violation& each : evaluate((*plan)->plan(), text))
    out.push_back(each.pointer + ": " + std::string(each.keyword) + ": " + each.message);
  return out;
}

using Lines = std::vector<std::string>;

TEST(Evaluate, ReportsAllViolationsInDocumentOrder) {
  EXPECT_EQ(said(R"({"type":"object","required":["path"],"additionalProperties":false,
                     "properties":{"path":{"type":"string"},"lines":{"type":"array","items":{"minimum":1}}}})",
                 R"({"lines":[1,0,-2],"pth":"x"})"),
            Lines({": required: missing property \"path\"",
                   "/lines/1: minimum: expected a number of at least 1, found 0",
                   "/lines/2: minimum: expected a number of at least 1, found -2",
                   "/pth: additionalProperties: unknown property \"pth\"; did you mean \"path\"?"}));
}

TEST(Evaluate, SuggestsTheNearestAlternative) {
  EXPECT_EQ(
      said(
          R"({"oneOf":[{"properties":{"kind":{"const":"a"},"size":{"type":"integer"}},"required":["kind","size"]},
                              {"properties":{"kind":{"const":"b"}},"required":["kind"]}]})",
          R"({"kind":"a"})"),
      Lines({": oneOf: fits none of the 2 alternatives; to the nearest: missing property \"size\""}));
  EXPECT_EQ(
      said(R"({"enum":["snapshot","worktree"]})", R"("snapshto")"),
      Lines(
          {": enum: expected \"snapshot\" or \"worktree\", found \"snapshto\"; did you mean \"snapshot\"?"}));
}

TEST(Evaluate, NamesTheMembersOfAlternativesThatOnlyRequire) {
  constexpr std::string_view either =
      R"({"type":"object","oneOf":[{"required":["path"]},{"required":["text"]},{"required":["url","digest"]}]})";
  EXPECT_EQ(said(either, R"({"text":1})"), Lines());
  EXPECT_EQ(said(either, "{}"),
            Lines({": oneOf: missing property \"path\", \"text\" or \"url\" and \"digest\""}));
  EXPECT_EQ(said(either, R"({"path":1,"text":1})"),
            Lines({": oneOf: \"path\" and \"text\" are not allowed together"}));
  constexpr std::string_view any = R"({"anyOf":[{"required":["a"]},{"required":["b"]}]})";
  EXPECT_EQ(said(any, "{}"), Lines({": anyOf: missing property \"a\" or \"b\""}));
  EXPECT_EQ(said(any, R"({"a":1,"b":1})"), Lines());
  EXPECT_EQ(said(R"({"not":{"required":["a","b"]}})", R"({"a":1,"b":1})"),
            Lines({": not: \"a\" and \"b\" are not allowed together"}));
  EXPECT_EQ(said(R"({"not":{"required":["a"]}})", R"({"a":1})"), Lines({": not: \"a\" is not allowed"}));
  EXPECT_EQ(said(R"({"not":{"required":["a"]}})", "3"), Lines({": not: fits what `not` forbids"}));
}

TEST(Evaluate, ListsTheConstantsOfAlternatives) {
  EXPECT_EQ(
      said(R"({"oneOf":[{"const":"a","title":"A"},{"type":"string","const":"b"},{"const":3}]})", R"("c")"),
      Lines({": oneOf: expected \"a\", \"b\" or 3, found \"c\"; did you mean \"a\"?"}));
}

// Two alternatives whose tag, kind or form is right in at most one; and the nearest one's first violation.
TEST(Evaluate, TakesTheAlternativeWhoseTagFitsForTheNearest) {
  constexpr std::string_view tags =
      R"({"oneOf":[{"required":["kind"],"properties":{"kind":{"const":"free"}}},
                   {"required":["kind","page"],"properties":{"kind":{"const":"fixed"},"page":{"type":"string"},
                    "unit":{"enum":["cm","in"]},"at":{"items":{"properties":{"x":{"type":"number"}}}}}}]})";
  const auto nearest = [](std::string_view message) {
    return Lines({": oneOf: fits none of the 2 alternatives; to the nearest: " + std::string(message)});
  };
  EXPECT_EQ(said(tags, R"({"kind":"fixed","page":1})"), nearest("expected a string, found 1 (at /page)"));
  EXPECT_EQ(said(tags, R"({"kind":"fixed","page":"1","unit":"sheet"})"),
            nearest("expected \"cm\" or \"in\", found \"sheet\" (at /unit)"));
  EXPECT_EQ(said(tags, R"({"kind":"fixed","page":"1","at":[{},{"x":true,"y":1}]})"),
            nearest("expected a number, found true (at /at/1/x)"));
  EXPECT_EQ(said(tags, R"({"kind":"fixed"})"), nearest("missing property \"page\""));
  constexpr std::string_view forms =
      R"({"oneOf":[{"type":"string"},{"type":"object","properties":{"kind":{"enum":["a"]}}}]})";
  EXPECT_EQ(said(forms, R"({"kind":"b"})"), nearest("expected \"a\", found \"b\" (at /kind)"));
}

// An answer or an error. The error has none of the members of a faulty answer.
TEST(Evaluate, TakesTheAlternativeWithTheMembersOfTheValueForTheNearest) {
  constexpr std::string_view answer =
      R"({"oneOf":[{"required":["error"],"additionalProperties":false,"properties":{"error":{"type":"object"}}},
                   {"required":["count","hint"],"additionalProperties":false,
                    "properties":{"count":{"type":"integer"},"hint":{"const":"until_dirty"},
                                  "unit":{"enum":["lines","words"]}}}]})";
  const auto nearest = [](std::string_view message) {
    return Lines({": oneOf: fits none of the 2 alternatives; to the nearest: " + std::string(message)});
  };
  EXPECT_EQ(said(answer, R"({"count":"2","hint":"until_dirty"})"),
            nearest("expected an integer, found \"2\" (at /count)"));
  EXPECT_EQ(said(answer, R"({"count":2,"hint":"until_dirty","unit":"bytes"})"),
            nearest("expected \"lines\" or \"words\", found \"bytes\" (at /unit)"));
  EXPECT_EQ(said(answer, R"({"count":2,"hint":"immutable","unit":"lines"})"),
            nearest("expected \"until_dirty\", found \"immutable\" (at /hint)"));
  EXPECT_EQ(said(answer, R"({"error":"no"})"), nearest("expected an object, found \"no\" (at /error)"));
}

TEST(Evaluate, ReportsInvalidJson) {
  EXPECT_EQ(said("true", R"({"a":1,"b":{"a":2,"a":3}})"),
            Lines({"/b/a: duplicate: duplicate property \"a\""}));
  ASSERT_EQ(said("true", "[1,]").size(), 1U);
  EXPECT_EQ(said("true", "[1,]")[0].substr(0, 20), ": syntax: not JSON: ");
}

TEST(Evaluate, StopsAtTheDepthLimit) {
  const Result<std::unique_ptr<OwnedPlan>> plan =
      compile_plan(R"({"$id":"https://a/","$dynamicAnchor":"x","anyOf":[{"$ref":"b"}],
                       "$defs":{"b":{"$id":"b","$dynamicAnchor":"x","allOf":[{"$dynamicRef":"#x"}]}}})");
  ASSERT_TRUE(plan);
  EXPECT_FALSE(evaluate((*plan)->plan(), "1").empty());
}

TEST(CompilePlan, ReportsTheLocationOfAnInvalidSchema) {
  EXPECT_EQ(said("{\n \"properties\": {\"a\": {\"type\": \"strin\"}}}", "1")[0].substr(0, 52),
            "2:31: /properties/a/type: \"strin\" is not a type; the");
  EXPECT_EQ(said(R"({"$ref":"#/$defs/a"})", "1"), Lines({"1:9: /$ref: there is nothing at \"#/$defs/a\""}));
  EXPECT_EQ(said(R"({"$ref":"other.json"})", "1"),
            Lines({"1:9: /$ref: \"other.json\" is unknown: no schema has the URI \"other.json\""}));
  EXPECT_EQ(said(R"({"allOf":[]})", "1"), Lines({"1:10: /allOf: \"allOf\" is empty"}));
  EXPECT_EQ(said(R"({"pattern":"("})", "1"), Lines({"1:12: /pattern: \"pattern\": missing ): ("}));
  EXPECT_EQ(said(R"({"minItems":-1})", "1"),
            Lines({"1:13: /minItems: \"minItems\" is not an integer from 0"}));
  EXPECT_EQ(said(R"({"anyOf":[{"$ref":"#"}]})", "1"),
            Lines({"1:11: /anyOf/0: this schema applies itself to the same value without end"}));
  EXPECT_EQ(said(R"({"$schema":"http://json-schema.org/draft-04/schema#"})", "1")[0].substr(0, 58),
            "1:12: /$schema: \"$schema\" names a draft that is not suppor");
  EXPECT_EQ(said("[", "1")[0].substr(0, 15), "1:2: not JSON: ");
}

}  // namespace
}  // namespace snapgen::json

// Tests the short form of schemas in tools/list (--brief).
#include "codegen/emit/short_schema.h"

#include <gtest/gtest.h>

namespace snapgen::codegen {
namespace {

std::string property(const std::string& schema) {
  const std::string whole = brief_input(R"({"properties":{"x":)" + schema + R"(},"type":"object"})");
  const std::string begin = R"({"properties":{"x":)", end = R"(},"type":"object"})";
  EXPECT_TRUE(whole.starts_with(begin) && whole.ends_with(end)) << whole;
  return whole.substr(begin.size(), whole.size() - begin.size() - end.size());
}

TEST(Brief, OmitsKeywordsThatModelsDoNotNeed) {
  EXPECT_EQ(
      property(
          R"({"description":"d","maxLength":9,"minLength":1,"pattern":"^a$","title":"T","type":"string"})"),
      R"({"description":"d","type":"string"})");
  EXPECT_EQ(property(R"({"default":false,"type":"boolean"})"), R"({"type":"boolean"})");
  EXPECT_EQ(property(R"({"default":true,"type":"boolean"})"), R"({"default":true,"type":"boolean"})");
  EXPECT_EQ(property(R"({"maximum":50,"minimum":0,"type":"integer"})"), R"({"maximum":50,"type":"integer"})");
  EXPECT_EQ(property(R"({"maximum":1000000,"minimum":2,"type":"integer"})"),
            R"({"minimum":2,"type":"integer"})");
  EXPECT_EQ(brief_input(R"({"additionalProperties":false,"required":["a"],"type":"object"})"),
            R"({"properties":{},"required":["a"],"type":"object"})");
}

TEST(Brief, KeepsPropertiesNamedLikeKeywords) {
  const std::string schema =
      R"({"properties":{"default":{"type":"boolean"},"pattern":{"type":"string"},"title":{"type":"string"}},"type":"object"})";
  EXPECT_EQ(brief_input(schema), schema);
}

TEST(Brief, ConstantsWithDescriptionsBecomeAnEnum) {
  EXPECT_EQ(
      property(
          R"({"anyOf":[{"const":"a","description":"First.","type":"string"},{"const":"b","type":"string"}],"description":"Which."})"),
      R"({"description":"Which. a: First.","enum":["a","b"],"type":"string"})");
}

TEST(Brief, MergesObjectsTaggedByAConstant) {
  EXPECT_EQ(
      property(
          R"({"oneOf":[{"properties":{"id":{"type":"string"},"kind":{"const":"one"},"n":{"minimum":5,"type":"integer"}},"required":["id","kind"],"type":"object"},)"
          R"({"properties":{"id":{"type":"string"},"kind":{"const":"all"},"n":{"type":"integer"}},"required":["kind"],"type":"object"}]})"),
      R"({"properties":{"id":{"type":"string"},"kind":{"enum":["one","all"],"type":"string"},"n":{"type":"integer"}},"required":["kind"],"type":"object"})");
  const std::string undescribed = R"({"oneOf":[{"type":"string"},{"type":"number"}]})";
  EXPECT_EQ(property(undescribed), undescribed);
}

TEST(Brief, AnArrayDescribesItsItemsOnce) {
  EXPECT_EQ(
      property(
          R"({"description":"Files.","items":{"description":"A path.","type":"string"},"type":"array"})"),
      R"({"description":"Files.","items":{"type":"string"},"type":"array"})");
  const std::string bare = R"({"items":{"description":"A path.","type":"string"},"type":"array"})";
  EXPECT_EQ(property(bare), bare);
}

TEST(Brief, ReplacesDeepSchemasByTheirType) {
  std::string schema = R"({"type":"string"})";
  for (int level = 0; level < 20; ++level) schema = R"({"items":)" + schema + R"(,"type":"array"})";
  std::string expected = R"({"items":{},"type":"array"})";
  for (int level = 0; level < brief_depth_max - 1; ++level)
    expected = R"({"items":)" + expected + R"(,"type":"array"})";
  EXPECT_EQ(property(schema), expected);
}

TEST(Brief, ReplacesAnOutputByItsKinds) {
  EXPECT_EQ(
      brief_output(
          R"({"oneOf":[{"properties":{"a":{"type":"string"},"hint":{"const":"x"}},"required":["a","hint"]},{"properties":{"hint":{"const":"y"}},"required":["hint"]},)"
          R"({"properties":{"error":{"type":"object"}},"required":["error"]}],"type":"object"})"),
      R"({"oneOf":[{"properties":{"hint":{"const":"x"}},"required":["a","hint"]},{"properties":{"hint":{"const":"y"}},"required":["hint"]}],"type":"object"})");
  EXPECT_EQ(brief_output(R"({"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"})"),
            R"({"properties":{},"required":["a"],"type":"object"})");
}

TEST(Brief, MergesAllKindsOfAnOutputExceptFailures) {
  EXPECT_EQ(
      merged_output(
          R"({"oneOf":[{"properties":{"a":{"maxLength":9,"type":"string"},"hint":{"const":"x","type":"string"}},"required":["a","hint"]},)"
          R"({"properties":{"b":{"type":"integer"},"hint":{"const":"y","type":"string"}},"required":["b","hint"]},)"
          R"({"properties":{"error":{"type":"object"}},"required":["error"]}],"type":"object"})"),
      R"({"properties":{"a":{"type":"string"},"b":{"type":"integer"},"hint":{"type":"string"}},"required":["hint"],"type":"object"})");
  EXPECT_EQ(merged_output(R"({"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"})"),
            R"({"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"})");
}

TEST(Brief, OmitsDefaultHints) {
  EXPECT_EQ(
      brief_annotations(
          R"({"destructiveHint":true,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false})"),
      "{}");
  EXPECT_EQ(
      brief_annotations(
          R"({"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true})"),
      R"({"openWorldHint":false,"readOnlyHint":true})");
  EXPECT_EQ(brief_annotations(R"({"destructiveHint":false,"idempotentHint":true,"readOnlyHint":false})"),
            R"({"destructiveHint":false,"idempotentHint":true})");
  EXPECT_EQ(brief_annotations(""), "");
}

}  // namespace
}  // namespace snapgen::codegen

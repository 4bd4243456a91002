// tests/codegen/typescript/golden contains the TypeScript that is generated from the schemas in
// tests/codegen/golden.
#include <algorithm>

#include <gtest/gtest.h>

#include "codegen/emit/compile.h"
#include "tests/codegen/expected.h"
#include "tests/codegen/files.h"

namespace snapgen::codegen {
namespace {

CompiledFiles types_of(std::vector<SourceText> texts,
                       const Settings& settings = {.schemas = "s", .name_space = "n", .namespaces = {}}) {
  return compile_typescript(std::move(texts), settings);
}

TEST(TypeScript, GeneratedTypesMatchTheGoldenFiles) {
  const Settings settings = {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}};
  const CompiledFiles compiled = types_of(schema_files("tests/codegen/golden"), settings);
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  for (const auto& [path, text] : compiled.files)
    if (!path.ends_with(".js") && path != "validate.d.ts")
      compare_expected("tests/codegen/typescript/golden/" + path, text);
}

TEST(TypeScript, OutputDoesNotDependOnFileOrder) {
  const Settings settings = {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}};
  std::vector<SourceText> files = schema_files("tests/codegen/golden");
  const CompiledFiles expected = types_of(files, settings);
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(types_of(files, settings).files, expected.files);
}

TEST(TypeScript, SchemaErrorsAreReportedAndNothingIsWritten) {
  const CompiledFiles compiled = types_of({message_file("s/a/b.json", R"("type": "text")")});
  EXPECT_FALSE(compiled.findings.empty());
  EXPECT_TRUE(compiled.files.empty());
}

TEST(TypeScript, DescriptionsCannotEndAComment) {
  const CompiledFiles compiled =
      types_of({message_file("s/a/b.json", R"("type": "string", "description": "globs: a*/b")")});
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "globs: a*\\/b */")) << compiled.files.at("a.d.ts");
}

TEST(TypeScript, ReservedNamesAreAvoided) {
  const CompiledFiles compiled =
      types_of({message_file("s/a/json_value.json", R"("type": "string")"),
                message_file("s/a/x.json", R"("type": "string", "x-snapgen": {"type": "any"})"),
                message_file("s/json/y.json", R"("type": "string")"),
                message_file("s/snapgen/z.json", R"("type": "string")")});
  EXPECT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "export type JsonValue_2 = string;"));
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "export type any_2 = string;"));
  EXPECT_TRUE(has_text(compiled, "json_2.d.ts", "export type Y = string;"));
  EXPECT_TRUE(has_text(compiled, "snapgen_2.d.ts", "export type Z = string;"));
}

TEST(TypeScript, TypesOfOtherNamespacesAreImported) {
  const CompiledFiles compiled = types_of(
      {message_file(
           "s/a/icon.json",
           R"("type": "object", "required": ["other"], "properties": {"other": {"$ref": "../b/icon.json"}})"),
       message_file("s/b/icon.json", R"("type": "string")")},
      {.schemas = "s", .name_space = "n", .namespaces = {{"s/b", "other"}}});
  EXPECT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "import type * as b from \"./b.js\";"));
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "other: b.Icon;"));
  EXPECT_TRUE(has_text(compiled, "snapgen.d.ts", "export type * as b from \"./b.js\";"));
}

TEST(TypeScript, OnlyStringsAreBranded) {
  EXPECT_TRUE(
      has_text(types_of({message_file("s/a/id.json", R"("type": "string", "x-snapgen": {"brand": "Id"})")}),
               "a.d.ts", "export type Id = Branded<string, \"Id\">;"));
  const CompiledFiles compiled =
      types_of({message_file("s/a/id.json", R"("type": "integer", "x-snapgen": {"brand": "Id"})")});
  ASSERT_EQ(compiled.findings.size(), 1U);
  EXPECT_NE(compiled.findings[0].find("is for strings"), std::string::npos) << compiled.findings[0];
}

TEST(TypeScript, AnIdHasTheBrandedTypeOfItsKind) {
  const CompiledFiles compiled =
      types_of({message_file("s/a/id.json", R"("type": "string", "x-snapgen": {"brand": "Id"})"),
                message_file("s/b/answer.json",
                             R"("type": "object", "required": ["id", "other"], "properties": {)"
                             R"("id": {"type": "string", "maxLength": 9, "x-snapgen": {"brand": "Id"}}, )"
                             R"("next": {"type": ["string", "null"], "x-snapgen": {"brand": "Id"}}, )"
                             R"("other": {"type": "string", "x-snapgen": {"brand": "Other"}}})")});
  EXPECT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_TRUE(has_text(compiled, "b.d.ts", "import type { Id } from \"./a.js\";"));
  EXPECT_TRUE(
      has_text(compiled, "b.d.ts", "  id: Id;\n  next?: Id | null;\n  other: Branded<string, \"Other\">;\n"));
}

TEST(TypeScript, CommandsHaveMapsOfPayloadsAndResults) {
  const std::string command =
      R"("type": "object", "required": ["payload"], "properties": {"payload": {"$ref": "#/$defs/payload"}}, )"
      R"("$defs": {"payload": {"title": "StartPayload", "type": "object"}, )"
      R"("result": {"title": "StartResult", "type": "object"}})";
  const CompiledFiles alone = types_of({message_file("s/a/start.json", command)});
  EXPECT_TRUE(has_text(alone, "a.d.ts", "export type CommandPayloads = {\n  start: StartPayload;\n};"));
  EXPECT_TRUE(has_text(alone, "a.d.ts", "export type CommandResults = {\n  start: StartResult;\n};"));
  EXPECT_FALSE(has_text(alone, "a.d.ts", "ResponseTo"));
  const CompiledFiles both = types_of(
      {message_file("s/a/start.json", command),
       message_file(
           "s/a/response.json",
           R"("type": "object", "required": ["payload"], "properties": {"payload": {"type": "object"}})")});
  EXPECT_TRUE(has_text(both, "a.d.ts", "export type ResponseTo<Name extends keyof CommandResults> ="));
}

TEST(TypeScript, ABundleHasNoListOfTypesThatAjvWarnsOf) {
  const auto bundle = [](const std::string& members) {
    return types_of({message_file("s/a/id.json", R"("type": )" + members)}).files.at("a.schema.json");
  };
  EXPECT_NE(bundle(R"(["string", "integer"], "minLength": 1, "minimum": 0)")
                .find(R"("Id":{"anyOf":[{"minLength":1,"type":"string"},{"minimum":0,"type":"integer"}]})"),
            std::string::npos);
  EXPECT_NE(bundle(R"(["string", "null"])").find(R"("Id":{"type":["string","null"]})"), std::string::npos);
}

TEST(TypeScript, IntegersThatADoubleCannotHoldAreNumbers) {
  const CompiledFiles compiled = types_of({message_file("s/a/big.json", R"("enum": [1, 9007199254740993])")});
  EXPECT_TRUE(has_text(compiled, "a.d.ts", "export type Big = number;")) << compiled.files.at("a.d.ts");
}

}  // namespace
}  // namespace snapgen::codegen

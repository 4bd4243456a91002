// Structs for schemas of other projects: tests/codegen/structs/elsewhere.json and the code generated from it.
#include <algorithm>

#include <gtest/gtest.h>

#include "codegen/emit/compile.h"
#include "tests/codegen/expected.h"
#include "tests/codegen/files.h"
#include "tests/codegen/reading.h"
#include "tests/codegen/structs/elsewhere_structs.h"

namespace golden {
namespace {

using elsewhere::Chart;
using snapgen::codegen::compile_structs;
using snapgen::codegen::CompiledFiles;

const std::string path = "tests/codegen/structs/elsewhere.json";

CompiledFiles compiled(const std::string& text) {
  return compile_structs({{.path = path, .text = text}},
                         {.name_space = "elsewhere", .formats_asserted = false, .bases = {}});
}

TEST(Structs, GeneratedStructsMatchTheGoldenFiles) {
  const CompiledFiles made = compiled(snapgen::codegen::file_text(snapgen::codegen::source_root() / path));
  ASSERT_EQ(made.findings, std::vector<std::string>());
  ASSERT_EQ(made.files.size(), 2U);
  for (const auto& [file, text] : made.files) snapgen::codegen::compare_expected(file, text);
}

TEST(Structs, ADocumentKeepsItsUnknownMembers) {
  for (const std::string text :
       {R"({"mark":"bar"})", R"({"more":[1,{"b":2}],"mark":"line","title":null})",
        R"({"layer":[{"mark":"bar","unknown":true}],"mark":"bar","pair":[1,"a"],"size":0.3,"title":"t"})",
        R"({"class":true,"mark":"bar","scale":{"from":1.5}})"}) {
    Chart value;
    EXPECT_EQ(faults_of(text, value), Faults()) << text;
    EXPECT_EQ(snapgen::json::to_json(value), *snapgen::json::canonical(text));
  }
}

TEST(Structs, ValuesAreValidatedAgainstTheWholeSchema) {
  Chart value;
  EXPECT_EQ(faults_of(R"({"mark":"pie","size":0.25,"pair":[1,"a",2],"scale":{"form":1},"never":1})", value),
            Faults({" dependentRequired", "/mark enum", "/size multipleOf", "/pair/2 items",
                    "/scale/form additionalProperties", "/never type"}));
  EXPECT_EQ(faults_of("{}", value), Faults({" required"}));
}

// Both definitions are read into views, although a member could distinguish them.
TEST(Structs, AlternativesOfOneCppTypeShareAView) {
  const auto branch = [](const std::string& tag, const std::string& other) {
    return R"({"type":"object","additionalProperties":false,"required":[")" + tag + R"("],"properties":{")" +
           tag + R"(":{"type":"string"},")" + other + R"(":{"type":"string"}}})";
  };
  const std::string schema =
      R"({"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"anyOf":[)" +
      branch("test", "x") + "," + branch("test", "y") + R"(]},"b":{"anyOf":[)" + branch("param", "x") + "," +
      branch("param", "y") + "]}}}";
  const CompiledFiles made = compiled(schema);
  ASSERT_EQ(made.findings, std::vector<std::string>());
  const std::string& header = made.files.at("tests/codegen/structs/elsewhere_structs.h");
  EXPECT_NE(header.find("using A = json::Raw;"), std::string::npos) << header;
  EXPECT_NE(header.find("using Elsewhere = json::Raw;"), std::string::npos) << header;
}

TEST(Structs, ErrorsStateTheirLocation) {
  EXPECT_EQ(
      compiled(R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"object"})").findings.size(),
      1U);
  const CompiledFiles broken = compiled(R"({"properties":{"a":{"$ref":"#/nowhere"}}})");
  ASSERT_EQ(broken.findings.size(), 1U);
  EXPECT_TRUE(broken.findings[0].starts_with("tests/codegen/structs/elsewhere.json:1:"))
      << broken.findings[0];
  EXPECT_EQ(compiled("{").findings.size(), 1U);
}

}  // namespace
}  // namespace golden

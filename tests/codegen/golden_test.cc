// tests/codegen/golden contains schemas and, beside each, the code generated from it. This test compiles all
// of that code. tests/codegen/errors contains faulty schemas and the errors reported for each.
//
// To add a case, add a schema and run `build/tests/codegen/codegen-test --update`.
#include <algorithm>
#include <filesystem>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "codegen/emit/compile.h"
#include "tests/codegen/expected.h"
#include "tests/codegen/files.h"

namespace snapgen::codegen {
namespace {

namespace fs = std::filesystem;

Settings golden_settings() {
  return {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}};
}

TEST(Golden, GeneratedFilesMatchTheGoldenFiles) {
  const CompiledFiles compiled = compile(schema_files("tests/codegen/golden"), golden_settings());
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  for (const auto& [path, text] : compiled.files) compare_expected(path, text);
}

TEST(Golden, EveryGoldenFileIsGenerated) {
  const CompiledFiles compiled = compile(schema_files("tests/codegen/golden"), golden_settings());
  for (const auto& entry : fs::recursive_directory_iterator(source_root() / "tests/codegen/golden")) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cc") continue;
    const std::string path = entry.path().lexically_relative(source_root()).generic_string();
    EXPECT_TRUE(compiled.files.count(path)) << path;
  }
}

TEST(Golden, OutputDoesNotDependOnFileOrder) {
  const std::vector<SourceText> sorted = schema_files("tests/codegen/golden");
  const CompiledFiles expected = compile(sorted, golden_settings());
  std::mt19937 random(7);
  for (int i = 0; i < 5; ++i) {
    std::vector<SourceText> shuffled = sorted;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const CompiledFiles compiled = compile(shuffled, golden_settings());
    EXPECT_EQ(compiled.findings, expected.findings);
    EXPECT_EQ(compiled.files, expected.files);
  }
}

TEST(Golden, AnIncludedFolderIsReferencedButNotGenerated) {
  std::vector<SourceText> files = schema_files("tests/codegen/golden");
  for (SourceText& each : files) each.emitted = each.path.find("/types/") == std::string::npos;
  Settings settings = golden_settings();
  settings.namespaces = {{"tests/codegen/golden/types", "other"}};
  const CompiledFiles compiled = compile(files, settings);
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_FALSE(compiled.files.count("tests/codegen/golden/types/point.h"));
  const std::string& header = compiled.files.at("tests/codegen/golden/tools/list_entries.h");
  EXPECT_NE(header.find("std::optional<::other::GridPoint> from;"), std::string::npos) << header;
}

// Every file of `errors` is a case, and so is every folder of it; every case can refer to `shared`.
std::set<std::string> fault_cases() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(source_root() / "tests/codegen/errors")) {
    if (entry.is_directory() || entry.path().extension() == ".json")
      names.insert(entry.path().stem().string());
  }
  return names;
}

std::string findings_of(const std::string& name) {
  const std::string root = "tests/codegen/errors";
  std::vector<SourceText> files;
  if (fs::is_directory(source_root() / root / name))
    files = schema_files(root + "/" + name);
  else
    files = {
        {.path = root + "/" + name + ".json", .text = file_text(source_root() / root / (name + ".json"))}};
  // The family of a case that is a single file is the folder `errors`.
  const std::string schemas =
      files.size() == 1 && files[0].path == root + "/" + name + ".json" ? "tests/codegen" : root + "/" + name;
  const CompiledFiles compiled =
      compile(files, {.schemas = schemas, .name_space = "faults", .namespaces = {}});
  EXPECT_TRUE(compiled.files.empty()) << name << ": there is a fault, and still something is written";
  std::string text;
  for (const std::string& line : compiled.findings) text += line + "\n";
  return text;
}

TEST(Golden, ARequiredMemberBeginsWithItsDefault) {
  const CompiledFiles compiled =
      compile({message_file("s/a/b.json", R"("type": "object", "required": ["count"], "properties": {)"
                                          R"("count": {"type": "integer", "default": 7}})")},
              {.schemas = "s", .name_space = "n", .namespaces = {}});
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_TRUE(has_text(compiled, "s/a/b.h", "std::int64_t count = 7;"));
}

TEST(Golden, AConstantThatSeveralAlternativesShareIsNamedOnce) {
  const auto response = [](const std::string& status) {
    return R"({"type": "object", "required": ["type", "status"], "properties": )"
           R"({"type": {"const": "response"}, "status": {"const": ")" +
           status + R"("}}})";
  };
  const std::string event =
      R"({"type": "object", "required": ["type"], "properties": {"type": {"const": "event"}}})";
  const CompiledFiles compiled =
      compile({message_file("s/a/b.json", R"("oneOf": [)" + response("success") + ", " + response("error") +
                                              ", " + event + "]")},
              {.schemas = "s", .name_space = "n", .namespaces = {}});
  EXPECT_EQ(compiled.findings, std::vector<std::string>());
  EXPECT_TRUE(has_text(compiled, "s/a/b.cc", R"("type", {"\"response\"", "\"event\""});)"))
      << compiled.files.at("s/a/b.cc");
}

TEST(Golden, ErrorMessagesMatchTheGoldenFiles) {
  for (const std::string& name : fault_cases()) {
    const std::string text = findings_of(name);
    EXPECT_FALSE(text.empty()) << name << ": nothing is said";
    compare_expected("tests/codegen/errors/" + name + ".txt", text);
  }
}

TEST(Golden, FindingsAreSortedForAnyOrderOfFiles) {
  std::vector<SourceText> files = schema_files("tests/codegen/errors/many_files");
  const Settings settings = {
      .schemas = "tests/codegen/errors/many_files", .name_space = "faults", .namespaces = {}};
  const CompiledFiles expected = compile(files, settings);
  std::reverse(files.begin(), files.end());
  EXPECT_EQ(compile(files, settings).findings, expected.findings);
  EXPECT_TRUE(std::is_sorted(expected.findings.begin(), expected.findings.end(),
                             [](const std::string& a, const std::string& b) {
                               return a.substr(0, a.find(':')) < b.substr(0, b.find(':'));
                             }));
}

}  // namespace
}  // namespace snapgen::codegen

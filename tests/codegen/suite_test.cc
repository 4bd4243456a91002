// The official JSON Schema test suite, limited to schemas whose keywords the compiler supports. The
// compiler's validator must agree with every test, because it checks examples and other tests compare
// generated readers with it.
#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "codegen/front/keywords.h"
#include "codegen/stages/stages.h"
#include "runtime/json/schema/evaluate.h"
#include "tests/codegen/files.h"
#include "tests/codegen/validate.h"

namespace snapgen::codegen {
namespace {

namespace fs = std::filesystem;

struct Counts {
  std::size_t groups = 0, accepted = 0, tests = 0;
};

std::string text_of(const json::Node& node) { return constant_of(node).canonical; }

// Returns the schema as a schema file; empty if the schema is not an object.
std::string as_file(const json::Node& schema) {
  if (!schema.is(json::Kind::object)) return "";
  std::string text = R"({"$schema":"../meta/message.json")";
  for (const json::Member& each : schema.members)
    if (each.key != "$schema") text += "," + json::quoted(each.key) + ":" + text_of(each.value);
  return text + "}";
}

// Returns false if the schema uses unsupported keywords.
bool run_schema(const json::Node& group, const std::string& text, const std::string& name, Counts& counts) {
  StageResults all;
  all.sources = parse_sources({{.path = "schemas/suite/x.json", .text = text}},
                              {.schemas = "schemas", .name_space = "suite"}, all.findings);
  all.resolved = resolve(all.sources, all.findings);
  all.checked = check(all.sources, all.resolved, all.findings);
  all.model = build_model(all.sources, all.checked, all.resolved, all.findings);
  name_model(all.model, all.findings);
  const Plans plans = make_plans(all.plan_inputs());
  if (!all.findings.empty() || all.checked.messages.empty()) return false;
  const Schema& schema = *all.checked.messages.begin()->second;
  // Validates as a generated reader does: structs first, then the plan for the other keywords.
  std::vector<std::pair<const json::OwnedPlan*, std::uint32_t>> asked;
  for (const auto& [file, unit] : plans)
    for (const auto& [type, root] : unit.roots)
      if (type->schema->node == &file->document.root) asked.emplace_back(unit.plan.get(), root);
  for (const json::Node& test : group.find("tests")->items) {
    const json::Node& data = *test.find("data");
    ++counts.tests;
    const std::string value = text_of(data);
    const bool fits =
        validate(schema, data).empty() && std::all_of(asked.begin(), asked.end(), [&](const auto& each) {
          return json::evaluate(each.first->plan(), value, each.second).empty();
        });
    EXPECT_EQ(fits, test.find("valid")->boolean)
        << name << ": " << group.find("description")->text << ": " << test.find("description")->text << "\n"
        << text << "\n"
        << text_of(data);
  }
  return true;
}

void run_group(const json::Node& group, const std::string& name, Counts& counts) {
  ++counts.groups;
  const std::string text = as_file(*group.find("schema"));
  if (!text.empty() && run_schema(group, text, name, counts)) ++counts.accepted;
}

fs::path suite() {
  const char* shared = std::getenv("SNAPGEN_SHARED");
  return fs::path(shared ? shared : SNAPGEN_SHARED_DEFAULT) / "json-schema-test-suite";
}

Counts run_folder(const fs::path& folder) {
  Counts counts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const json::Document document = json::parse_document(file_text(entry.path()));
    for (const json::Node& group : document.root.items)
      run_group(group, entry.path().filename().string(), counts);
  }
  return counts;
}

fs::path tests_of_suite() {
  for (const char* below : {"tests/draft2020-12", "draft2020-12"})
    if (fs::exists(suite() / below)) return suite() / below;
  return {};
}

TEST(Suite, ResultsMatchTheOfficialTests) {
  const fs::path folder = tests_of_suite();
  if (folder.empty()) GTEST_SKIP() << suite().string() << " is not on this machine";
  const Counts counts = run_folder(folder);
  RecordProperty("groups", static_cast<int>(counts.groups));
  RecordProperty("accepted", static_cast<int>(counts.accepted));
  RecordProperty("tests", static_cast<int>(counts.tests));
  std::cout << counts.accepted << " of " << counts.groups << " schemas, " << counts.tests << " tests\n";
  EXPECT_GT(counts.tests, 600U);
}

}  // namespace
}  // namespace snapgen::codegen

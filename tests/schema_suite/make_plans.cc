// make_plans NAME DRAFT OUT SUITE REMOTES: writes C++ with the validators of all schemas of a suite, to be
// compiled. Its function plans_NAME returns them in the order of the suite's groups; null for a schema
// without a plan.
#include <fstream>
#include <iostream>

#include "codegen/emit/emit.h"
#include "tests/schema_suite/suite.h"

using namespace snapgen;

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "usage: make_plans NAME DRAFT OUT SUITE REMOTES\n";
    return 2;
  }
  const std::string name = argv[1];
  const schema_suite::Suite suite(argv[4]);
  schema_suite::Remotes remotes(argv[5]);
  std::ofstream out(argv[3], std::ios::binary);
  out << "#include \"tests/schema_suite/plans.h\"\n\nnamespace snapgen::schema_suite {\nnamespace {\n\nusing "
         "json::Op;\n\n";
  std::string list;
  for (std::size_t i = 0; i < suite.groups().size(); ++i) {
    json::SchemaProblems problems;
    const auto plan =
        schema_suite::plan_of(suite.groups()[i], remotes, std::string_view(argv[2]) == "7", problems);
    if (problems.empty()) {
      out << codegen::emit_plan(plan->plan(), "plan_" + std::to_string(i)) << "\n";
      list += "    &plan_" + std::to_string(i) + ",\n";
    } else {
      list += "    nullptr,\n";
    }
  }
  out << "constexpr const json::Plan* plans[] = {\n"
      << list << "};\n\n}  // namespace\n\n"
      << "std::span<const json::Plan* const> plans_" << name << "() { return plans; }\n\n"
      << "}  // namespace snapgen::schema_suite\n";
  return out ? 0 : 1;
}

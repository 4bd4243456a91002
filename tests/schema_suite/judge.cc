// schema_judge: tests in other languages run it. For each line `{"schema": ..., "values": [...]}` of standard
// input it prints a line `[true, false, ...]`, or a line that begins with `!` and states the error in the
// schema.
#include <iostream>
#include <string>

#include "runtime/json/schema/compile.h"
#include "runtime/json/schema/evaluate.h"

using namespace snapgen;

namespace {

std::string judged(const std::string& line, const json::Node& schema, const json::Node& values) {
  json::SchemaProblems problems;
  json::SchemaResources resources;
  resources.add("", schema, problems);
  const auto plan = json::compile_plan(resources, {&schema}, {.formats_asserted = false}, problems);
  if (!problems.empty()) return "!" + problems.front().message;
  std::string out = "[";
  for (const json::Node& each : values.items) {
    json::Reader in(std::string_view(line).substr(each.offset));
    std::string_view text;  // The text of the value in the line.
    in.raw(text);
    out += out.size() > 1 ? "," : "";
    out += json::evaluate(plan->plan(), text).empty() ? "true" : "false";
  }
  return out + "]";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const json::Document document = json::parse_document(line);
    const json::Node* schema = document.root.find("schema");
    const json::Node* values = document.root.find("values");
    if (!schema || !values) return 2;
    std::cout << judged(line, *schema, *values) << "\n";
  }
}

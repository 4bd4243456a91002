// make_table: prints table.cc, which lists every generated reader with the location of its schema, in the
// order of SchemaSets.
#include <iostream>
#include <set>
#include <string>

#include "codegen/model/cpp.h"
#include "tests/readers/schema_sets.h"

using namespace snapgen;

int main() {
  const readers::SchemaSets all;
  std::set<std::string> headers;
  std::string entries;
  for (const auto& set : all.sets()) {
    for (const auto& [unit, type] : readers::SchemaSets::types(*set)) {
      headers.insert(unit->file->header);
      const std::string name = "::" + unit->file->name_space + "::" + type->name;
      const std::string reader =
          type->is_class() ? "[](json::Reader& in, " + name + "& out) { read(in, out); }"
                           : "&::" + unit->file->name_space + "::read_" + codegen::function_name(*type);
      entries += "    {" + codegen::string_literal(unit->file->path) + ",\n     " +
                 codegen::string_literal(type->schema->location.pointer) + ",\n     " +
                 codegen::string_literal(name) + ",\n     [](std::string_view text) { return read_text<" +
                 name + ">(text, " + reader + "); }},\n";
    }
  }
  std::cout << "#include \"tests/readers/table.h\"\n\n";
  for (const std::string& each : headers) std::cout << "#include \"" << each << "\"\n";
  std::cout << "\nnamespace snapgen::readers {\nnamespace {\n\nconst GeneratedReader readers[] = {\n"
            << entries
            << "};\n\n}  // namespace\n\nstd::span<const GeneratedReader> table() { return readers; }\n\n"
            << "}  // namespace snapgen::readers\n";
}

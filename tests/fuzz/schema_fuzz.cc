// The schema compiler on any bytes: a schema file must give code or findings, the same each time, and never a
// crash.
#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/emit/compile.h"
#include "tests/fuzz/target.h"

namespace snapgen::codegen {
namespace {

// Compiles the text beside a file that it may refer to. Text before a line of `%%` is a second file.
CompiledFiles compile_text(std::string_view text) {
  std::vector<SourceText> files = {
      {.path = "schemas/common/path.json",
       .text = R"({"$schema":"../meta/message.json","type":"string","minLength":1,"default":"."})"}};
  const std::size_t cut = text.find("\n%%\n");
  if (cut != std::string_view::npos) {
    files.push_back({.path = "schemas/family/y.json", .text = std::string(text.substr(0, cut))});
    text.remove_prefix(cut + 4);
  }
  files.push_back({.path = "schemas/family/x.json", .text = std::string(text)});
  return compile(files, {.schemas = "schemas", .name_space = "fuzz", .namespaces = {}});
}

}  // namespace
}  // namespace snapgen::codegen

FUZZ_TARGET(schema) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const snapgen::codegen::CompiledFiles compiled = snapgen::codegen::compile_text(text);
  FUZZ_EXPECT(compiled.findings.empty() != compiled.files.empty());
  const snapgen::codegen::CompiledFiles again = snapgen::codegen::compile_text(text);
  FUZZ_EXPECT(compiled.findings == again.findings && compiled.files == again.files);
  return 0;
}

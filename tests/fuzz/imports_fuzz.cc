// Any bytes as a source file of each language and as each configuration file. The scanners must not crash,
// line numbers must increase and be within the text, names must occur in the text, and replacing comments in
// JSON must not change its length. A syntax error must be within the text.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/target.h"
#include "tools/engine/base/json_comments.h"
#include "tools/insight/imports/project.h"
#include "tools/insight/imports/resolve.h"
#include "tools/insight/imports/scan.h"
#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {
namespace {

void scan(const FileSet& files, const Resolver& resolver, Language language, std::string_view text) {
  std::int64_t lines = 1 + std::ranges::count(text, '\n');
  std::int64_t line = 1;
  for (const Import& import : scan_imports(language, text)) {
    FUZZ_EXPECT(import.line >= line && import.line <= lines);
    line = import.line;
    if (language == Language::javascript || language == Language::c || language == Language::go) {
      FUZZ_EXPECT(text.find(import.name) != std::string_view::npos);
    }
    std::vector<FileIndex> targets;
    for (std::size_t from = 0; from < files.size(); ++from) {
      resolver.resolve(static_cast<FileIndex>(from), language, import, targets);
    }
    for (FileIndex to : targets) FUZZ_EXPECT(to < files.size());
  }
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(imports) {
  using namespace snapgen::core;
  std::string text(reinterpret_cast<const char*>(data), size);
  FileSet files({"Cargo.toml", "a/__init__.py", "a/b.py", "go.mod", "package.json", "src/lib.rs",
                 "src/x/mod.rs", "src/x/y.ts", "tsconfig.json"});
  Project project = read_project(files, [&](std::string_view) -> std::optional<std::string> { return text; });
  Resolver resolver(files, project);
  for (Language language : std::array{Language::component, Language::javascript, Language::python,
                                      Language::c, Language::go, Language::rust}) {
    scan(files, resolver, language, text);
  }
  FUZZ_EXPECT(without_json_comments(text).size() == text.size());
  // YAML and JSON5 also break lines at a carriage return.
  const auto breaks = std::ranges::count_if(text, [](char byte) { return byte == '\n' || byte == '\r'; });
  for (const char* path :
       {"a.c", "a.go", "a.h", "a.js", "a.json", "a.json5", "a.py", "a.rs", "a.toml", "a.yaml"}) {
    const std::optional<SyntaxFault> fault = check_syntax(path, text).fault;
    FUZZ_EXPECT(!fault || (fault->line >= 1 && fault->line <= 2 + breaks));
  }
  return 0;
}

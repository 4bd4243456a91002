#pragma once
// compile_pages: builds a static site, and the same pages as Markdown, from schema files and handwritten
// pages.
#include "codegen/compile.h"

namespace snapgen::codegen {

// `manual` has Markdown files. Of these, index.md is the first page. A file named after a family's folder is
// the beginning of that family's page, and error codes of the family's tools link to its heading "Errors".
// Other files are separate pages. Paths in the result are relative to the output folder: index.html,
// substrate/snapshot_file.html, markdown/index.md.
CompiledFiles compile_pages(std::vector<SourceText> texts, const std::vector<SourceText>& manual,
                            const Settings& settings, const std::string& title);

}  // namespace snapgen::codegen

#pragma once
// compile_pages: schema files and pages written by hand in, a static site and the same as Markdown out.
#include "codegen/compile.h"

namespace snapgen::codegen {

// `manual`: Markdown files. index.md is the first page; one with the name of a family's folder begins that
// family's page, and its heading "Errors" is where the codes of the family's tools lead; every other one is a
// page of its own. The result's paths are seen from the folder it is written to: index.html,
// substrate/snapshot_file.html, markdown/index.md.
Compiled compile_pages(std::vector<SourceText> texts, const std::vector<SourceText>& manual,
                       const Settings& settings, const std::string& title);

}  // namespace snapgen::codegen

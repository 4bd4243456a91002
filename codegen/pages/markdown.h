#pragma once
// markdown: the same pages as Markdown, for whoever reads them in an editor or feeds them to a model.
#include <string>

#include "codegen/pages/document.h"

namespace snapgen::codegen::pages {

std::string markdown_page(const Page& page);

}  // namespace snapgen::codegen::pages

#pragma once
// markdown: writes the pages as Markdown, for editors and models.
#include <string>

#include "codegen/pages/document.h"

namespace snapgen::codegen::pages {

std::string markdown_page(const Page& page);

}  // namespace snapgen::codegen::pages

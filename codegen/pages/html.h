#pragma once
// html: writes a page as one HTML file, which also works if it is opened from disk.
#include <string>

#include "codegen/pages/document.h"

namespace snapgen::codegen::pages {

std::string html_page(const Page& page, const Site& site);

}  // namespace snapgen::codegen::pages

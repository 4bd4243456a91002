#pragma once
// html: a page as one HTML file that works from the disk.
#include <string>

#include "codegen/pages/document.h"

namespace snapgen::codegen::pages {

std::string html_page(const Page& page, const Site& site);

}  // namespace snapgen::codegen::pages

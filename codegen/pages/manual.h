#pragma once
// manual: reads handwritten pages in a subset of Markdown: # to ####, paragraphs, lists of - and 1., pipe
// tables, fenced blocks, code, **strong** and [text](target). A target is a page's path in the site, or its
// source: guide.md, ../common/path.json.
#include <string>
#include <string_view>

#include "codegen/pages/document.h"
#include "codegen/pages/text.h"

namespace snapgen::codegen::pages {

// Reads a page. The first `#` is the title. Lines of one paragraph or item are joined.
Page read_manual(std::string_view text, const std::string& path, const LinkedWords& known);

}  // namespace snapgen::codegen::pages

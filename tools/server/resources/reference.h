#pragma once
// The reference pages of this server's tools and messages, as Markdown; made from the schema files when the
// server is built.
#include <span>
#include <string_view>

namespace snapgen::tools {

struct ReferencePage {
  std::string_view path;  // index.md, substrate/snapshot_create.md: links between pages are relative to it.
  std::string_view title;
  std::string_view text;
};

// In the order of their paths.
std::span<const ReferencePage> reference_pages();

}  // namespace snapgen::tools

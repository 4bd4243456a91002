#pragma once
// The reference pages of this server's tools and messages, as Markdown. The build makes them from the schema
// files.
#include <span>
#include <string_view>

namespace snapgen::tools {

struct ReferencePage {
  // The path, such as substrate/snapshot_create.md. Links in the page are relative to it.
  std::string_view path;
  std::string_view title;
  std::string_view text;
};

// Returns all pages, sorted by path.
std::span<const ReferencePage> reference_pages();

}  // namespace snapgen::tools

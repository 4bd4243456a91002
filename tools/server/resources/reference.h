#pragma once
// The reference pages of this server's tools and messages, as Markdown. The build makes them from the schema
// files.
#include <span>
#include <string_view>

namespace snapgen::tools {

struct ReferencePage {
  std::string_view path;  // For example index.md or substrate/snapshot_create.md. Links are relative to it.
  std::string_view title;
  std::string_view text;
};

// Sorted by path.
std::span<const ReferencePage> reference_pages();

}  // namespace snapgen::tools

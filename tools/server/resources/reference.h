#pragma once
// The reference pages of this server's tools and messages, as Markdown. The build makes them from the schema
// files.
#include <cstddef>
#include <span>
#include <string_view>

namespace snapgen::tools {

struct ReferencePage {
  // The path, such as substrate/snapshot_create.md. Links in the page are relative to it.
  std::string_view path;
  std::string_view title;
  // The place of its text in that of all pages, in bytes.
  std::size_t offset = 0;
  std::size_t size = 0;
};

// Returns all pages, sorted by path.
std::span<const ReferencePage> reference_pages();

// Returns the texts of all pages, packed by gzip: a fifth of their size in the program.
std::span<const unsigned char> packed_reference();

}  // namespace snapgen::tools

// Resources with the reference pages.
#include "tools/server/resources/reference.h"

#include <algorithm>
#include <cassert>
#include <string>

#include <zlib.h>

#include "tools/engine/files/path.h"
#include "tools/server/resources/route.h"

namespace snapgen::tools {
namespace {

const ReferencePage* page_at(std::string_view path) {
  const std::span<const ReferencePage> pages = reference_pages();
  const auto page = std::ranges::lower_bound(pages, path, {}, &ReferencePage::path);
  return page == pages.end() || page->path != path ? nullptr : &*page;
}

// Returns the texts of all pages. The first call unpacks them.
std::string_view texts() {
  static const std::string unpacked = [] {
    const std::span<const unsigned char> packed = packed_reference();
    const ReferencePage& last = reference_pages().back();
    std::string out(last.offset + last.size, '\0');
    z_stream stream{};
    stream.next_in = const_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    constexpr int of_gzip = 16 + MAX_WBITS;
    [[maybe_unused]] const int begun = inflateInit2(&stream, of_gzip);
    [[maybe_unused]] const int done = inflate(&stream, Z_FINISH);
    assert(begun == Z_OK && done == Z_STREAM_END && stream.avail_out == 0);
    inflateEnd(&stream);
    return out;
  }();
  return unpacked;
}

// Returns a page. `path` may omit the ending: `guide` is guide.md.
Result<ResourceContent> read_page(std::string_view path) {
  const ReferencePage* page = page_at(path);
  if (page == nullptr) page = page_at(std::string(path) + ".md");
  if (page == nullptr)
    return Error(ErrorCode::not_found, "There is no page " + core::path_in_sentence(path) +
                                           "; snapgen://reference/index.md lists all pages.");
  return ResourceContent{.bytes = std::string(texts().substr(page->offset, page->size)),
                         .mime_type = std::string(markdown_type)};
}

Result<ResourceContent> index(App&, const mcp::UriVariables&, const std::stop_token&) {
  return read_page("index.md");
}

Result<ResourceContent> guide(App&, const mcp::UriVariables&, const std::stop_token&) {
  return read_page("guide.md");
}

Result<ResourceContent> any_page(App&, const mcp::UriVariables& variables, const std::stop_token&) {
  return read_page(variables.at("page"));
}

constexpr ResourceRoute reference_route_table[] = {
    {.uri = "snapgen://reference/index.md",
     .name = "reference",
     .title = "Reference of the tools",
     .description = "All tools and messages of this server by family, with links to the page of each.",
     .mime_type = markdown_type,
     .read = &index,
     .needs_worktree = false},
    {.uri = "snapgen://reference/guide.md",
     .name = "guide",
     .title = "Guide",
     .description = "The purpose of leases and snapshots, and how to change files safely.",
     .mime_type = markdown_type,
     .read = &guide,
     .needs_worktree = false},
    {.uri = reference_uri,
     .name = "reference-page",
     .title = "A page of the reference",
     .description = "One tool, message or family: fields, limits, errors, examples. "
                    "For example page=substrate/snapshot_create.md.",
     .mime_type = markdown_type,
     .read = &any_page,
     .needs_worktree = false},
};

}  // namespace

std::span<const ResourceRoute> reference_routes() { return reference_route_table; }

}  // namespace snapgen::tools

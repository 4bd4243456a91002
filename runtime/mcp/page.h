#pragma once
// Pages of a list, and the opaque cursors that lead from one to the next.
//
// A cursor says where the next page begins and of which list it is; one that belongs to another list, or to
// the same list before it changed, is refused.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snapgen::mcp {

// One page of `entries`, each a JSON value, as members of a result: "nextCursor":"…","<member>":[…]
// `page_size` 0: everything is one page.
std::string page(std::string_view member, const std::span<const std::string_view> entries, std::size_t begin,
                 std::size_t page_size);

// Where the page that `cursor` names begins; nothing if this list never gave it out. "" is the first page.
std::optional<std::size_t> page_begin(std::string_view cursor,
                                      const std::span<const std::string_view> entries);

std::string cursor_for(std::size_t begin, const std::span<const std::string_view> entries);

}  // namespace snapgen::mcp

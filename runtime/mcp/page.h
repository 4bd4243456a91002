#pragma once
// Pages of a list. A cursor contains the index of the next page's first entry and a hash of the list. So a
// cursor of another list, or of the list before it changed, is rejected.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snapgen::mcp {

// Returns one page of `entries`, each a JSON value, as members of a result: "nextCursor":"…","<member>":[…]
// If `page_size` is 0, there is only one page.
std::string page_members(std::string_view member, const std::span<const std::string_view> entries,
                         std::size_t begin, std::size_t page_size);

// Returns the index of a page's first entry (0 if the cursor is ""), or nullopt if the cursor is not valid.
std::optional<std::size_t> page_begin(std::string_view cursor,
                                      const std::span<const std::string_view> entries);

std::string cursor_for(std::size_t begin, const std::span<const std::string_view> entries);

}  // namespace snapgen::mcp

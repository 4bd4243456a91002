#pragma once
// Pages of a list. A cursor contains the start of the next page and a hash of the list, so that a cursor of
// another list, or of the list before it changed, is rejected.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snapgen::mcp {

// Returns one page of `entries`, each a JSON value, as members of a result: "nextCursor":"…","<member>":[…]
// A `page_size` of 0 puts everything on one page.
std::string page(std::string_view member, const std::span<const std::string_view> entries, std::size_t begin,
                 std::size_t page_size);

// Returns the start of the page of `cursor` ("" is the first), or nullopt if this list has no such cursor.
std::optional<std::size_t> page_begin(std::string_view cursor,
                                      const std::span<const std::string_view> entries);

std::string cursor_for(std::size_t begin, const std::span<const std::string_view> entries);

}  // namespace snapgen::mcp

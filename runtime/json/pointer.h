#pragma once
// JSON Pointers of many places in one walk: what Reader::violations is made of.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::json {

// RFC 6901 pointers of the values or keys at `offsets`, which are in ascending order.
std::vector<std::string> pointers_at(std::string_view text, std::span<const std::size_t> offsets);

}  // namespace snapgen::json

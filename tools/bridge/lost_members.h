#pragma once
// lost_members() finds members that a reader ignored, because its schema does not have them.
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::tools::bridge {

// Returns the JSON Pointers of the members in `sent` that `accepted` lacks, at most ten. `accepted` is what a
// reader has read of `sent`, as JSON. Both must be valid JSON. Members whose value is null count as absent.
std::vector<std::string> lost_members(std::string_view sent, std::string_view accepted);

}  // namespace snapgen::tools::bridge

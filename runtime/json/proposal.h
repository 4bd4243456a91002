#pragma once
// Parts of the sentences about invalid values: the name that was probably meant, and the value itself.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::json {

// Follows the sentence that refuses `said`: the name that was probably meant, else all of `known` if they are
// few. Empty if there is nothing to propose.
std::string proposal(std::string_view said, std::span<const std::string_view> known);

// A value's text as a sentence about it shows it: cut between characters where it is long.
std::string shortened(std::string text);

}  // namespace snapgen::json

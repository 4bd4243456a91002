#pragma once
// What somebody who said a name that there is not should have said.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::json {

// Follows the sentence that refuses `said`: the name that was probably meant, else all of `known` if they are
// few. Empty if there is nothing to propose.
std::string proposal(std::string_view said, std::span<const std::string_view> known);

}  // namespace snapgen::json

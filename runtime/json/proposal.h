#pragma once
// Parts of error sentences about invalid values: the name that was probably meant, and the value itself.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::json {

// A suffix for the sentence that rejects `said`: the most similar name, else all of `known` if they are few.
// Empty if there is none.
std::string proposal(std::string_view said, std::span<const std::string_view> known);

// Shortens a long value for an error sentence, between characters.
std::string shortened(std::string text);

}  // namespace snapgen::json

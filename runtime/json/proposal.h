#pragma once
// Parts of error sentences about invalid values: which name was probably meant, and the shortened value.
#include <span>
#include <string>
#include <string_view>

namespace snapgen::json {

// Returns the end of a sentence that rejects the name `said`: the most similar name in `known`, or all of
// `known` if none is similar and they are few. Empty if `known` is empty or too long.
std::string suggestion_clause(std::string_view name, std::span<const std::string_view> known);

// Cuts a long value for an error sentence, between two characters.
std::string shortened(std::string text);

}  // namespace snapgen::json

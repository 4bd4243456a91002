#pragma once
// Makes characters visible that control a terminal or reorder the text around them, so that a file name or a
// title cannot mislead a model or a person. All answers, lines and pages use these functions.
//
// Such a character is a control character except line feed and tab (U+0000 to U+001F, U+007F to U+009F), or a
// bidirectional control (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
#include <cstddef>
#include <string>
#include <string_view>

namespace snapgen {

// Returns the size in bytes of such a character at the beginning of `text`, or 0 if there is none.
std::size_t hidden_character_bytes(std::string_view text);

bool has_hidden_characters(std::string_view text);

// Replaces each such character by its code, such as \u202e.
std::string visible(std::string text);

}  // namespace snapgen

#pragma once
// Sentences that several libraries send to clients.
#include <string_view>

namespace snapgen {

inline constexpr std::string_view unknown_cursor_sentence =
    "Unknown cursor. Omit it to start from the beginning.";
inline constexpr std::string_view shutting_down_sentence = "The server is shutting down.";

}  // namespace snapgen

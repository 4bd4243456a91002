#pragma once
// Words of sentences that answers are made of, whoever says them.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::core {

// "1 file", "2 files"
std::string counted(std::int64_t count, std::string_view what);
// At most `bytes_max` bytes, cut behind a word, with an ellipsis where it was cut.
std::string shortened(std::string_view text, std::size_t bytes_max);
// What the message of a snapshot begins with that holds what a restore replaced; its short id follows.
inline constexpr std::string_view safety_message = "before restoring ";
// snap_ and 10 digits, of an id or of such a short one.
std::string short_snapshot(std::string_view id);

}  // namespace snapgen::core

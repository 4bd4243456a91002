#pragma once
// Phrases that the sentences of results and errors consist of.
#include <cstdint>
#include <string>
#include <string_view>

namespace snapgen::core {

// Returns for example "1 file" or "2 files".
std::string count_with_noun(std::int64_t count, std::string_view what);
// Returns a size such as "3.4 MiB".
std::string size_text(std::uint64_t bytes);
// Cuts the text to at most `bytes_max` bytes, after a word, and marks the cut with an ellipsis.
std::string shortened(std::string_view text, std::size_t bytes_max);
// Returns the sentence with a blank before it; empty if it is empty.
std::string with_leading_space(const std::string& sentence);
// The message of a safety snapshot, which stores what a restore replaced, begins with this text and continues
// with the short id of the restored snapshot.
inline constexpr std::string_view safety_message_prefix = "before restoring ";
// Returns snap_ and 10 digits for a full or short snapshot id.
std::string short_snapshot_id(std::string_view id);

}  // namespace snapgen::core

#pragma once
// Phrases about the history that the answers for models and the commands share.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schemas/substrate/history_list.h"

namespace snapgen::tools {

// Returns for example "3 files". `listed` of them are in the answer; `count` is the number of all, if there
// are more.
std::string file_count_words(std::size_t listed, const std::optional<std::int64_t>& count);

// Returns " lines 3-5, 9"; empty for the whole file.
std::string lines_in_words(const std::optional<std::vector<std::string>>& lines);

// Returns ", HEAD is now main 96b5c0893a"; empty if it did not move.
std::string head_words(const std::optional<HistoryListHead>& head);

}  // namespace snapgen::tools

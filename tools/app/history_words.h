#pragma once
// Phrases about the history that the answers for models and the commands share.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/substrate/history_list.h"
#include "schemas/substrate/history_rewind.h"

namespace snapgen::tools {

// Returns for example "3 files". `listed` of them are in the answer; `count` is the number of all, if there
// are more.
std::string file_count_words(std::size_t listed, const std::optional<std::int64_t>& count);

// Returns " lines 3-5, 9"; empty for the whole file.
std::string lines_in_words(const std::optional<std::vector<std::string>>& lines);

// Returns "modified", or "left_out: changes too much, last recorded 2026-11-28 14:03:21".
std::string change_words(const HistoryListChange& change);

// Returns what changed, such as "2 files: <changes>, HEAD is now main 96b5c0893a". `changes`: the changed
// files in words.
std::string moment_words(const HistoryListMoment& moment, const std::string& changes);

// Returns "The history is paused since 2026-11-28 14:03:21; snap history --resume continues it."
std::string paused_sentence(std::int64_t since_ms);

// Returns lines such as "HEAD moved from 1a2b3c4 (main) to 9f8e7d6 (main)", and a last one that says what
// was, or can be, done about it. `option`: how the caller requests to move it back, such as "git: true".
std::vector<std::string> git_lines(const HistoryRewound& rewound, bool dry_run, std::string_view option);

}  // namespace snapgen::tools

#pragma once
// What can be recognised in a file's text without running anything: what a merge left behind, and those
// violations that have a shape. Line by line: what it says is where to look, not a proof.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

struct PatternFinding {
  std::string type;       // merge_conflict, silent_catch, ...
  std::int64_t line = 0;  // From 1.
};

// Whether violations of this type can be recognised; others are reminders.
bool has_detector(std::string_view type);

// Merge conflicts, always; and those of `types` that have a detector and whose language the path's ending
// says it is. At most `limit`, in the order of lines.
std::vector<PatternFinding> detect(std::string_view path, std::string_view text,
                                   const std::vector<std::string>& types, std::size_t limit);

}  // namespace snapgen::core

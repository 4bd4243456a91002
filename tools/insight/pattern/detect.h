#pragma once
// Finds merge conflicts and some violations in a file's text, line by line. Findings are hints, not proofs.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

struct PatternFinding {
  std::string type;       // The type of the violation, such as merge_conflict or silent_catch.
  std::int64_t line = 0;  // The first line is 1.
};

// Returns whether violations of this type can be detected. The other types are only listed as reminders.
bool has_detector(std::string_view type);
// Returns whether violations of this type are sought in a file of this name.
bool is_sought_in(std::string_view type, std::string_view path);

// Returns merge conflicts, and findings of those `types` that have a detector for the language of `path`.
// Returns at most `limit`, in the order of lines.
std::vector<PatternFinding> detect_patterns(std::string_view path, std::string_view text,
                                            const std::vector<std::string>& types, std::size_t limit);

}  // namespace snapgen::core

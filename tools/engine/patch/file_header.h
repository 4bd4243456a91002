#pragma once
// Recognizes where the part of a file begins in a patch, and reads its lines `--- ` and `+++ `.
#include <optional>
#include <string>
#include <string_view>

#include "tools/engine/patch/lines.h"

namespace snapgen::core {

// One of the lines `--- ` and `+++ `.
struct SideLine {
  std::optional<std::string> name;  // nullopt for /dev/null.
  // The line's timestamp is 1970-01-01 00:00:00 UTC, which means "no file" in GNU diff.
  bool is_epoch = false;
};
std::optional<PatchFault> read_side_line(PatchLines& lines, std::string_view prefix, SideLine& out);

// Returns the path that both lines refer to, or that of the line which is not /dev/null, relative to `root`
// (as relative_name()). Returns nullopt if they refer to different files, or to none.
std::optional<std::string> path_of_sides(const SideLine& old_side, const SideLine& new_side,
                                         std::string_view root);

// Returns true at a line that begins a part without a `--- ` line before it: `diff --git` and those of
// merges.
bool begins_diff_part(const PatchLines& lines);
// Returns true at a line `--- ` above a line `+++ `.
bool begins_side_lines(const PatchLines& lines);
// Returns true at the lines `--- `, `+++ ` and `@@`.
bool begins_side_lines_with_hunk(const PatchLines& lines);
// Returns true at the first line of a part.
bool begins_part(const PatchLines& lines);

// Returns true for a line that opens or closes a block of code in Markdown.
bool is_fence(std::string_view line);

// Returns true at a line that closes a block of code in Markdown, below which no line of a patch follows.
bool is_at_closing_fence(const PatchLines& lines);

// Checks that the current header line is not too long.
std::optional<PatchFault> fault_of_header_line(const PatchLines& lines);

}  // namespace snapgen::core

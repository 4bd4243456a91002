#pragma once
// Finds whole lines that differ from wanted ones only in white space at their beginnings and ends, and gives
// the new lines the indentation of the file.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/edit/edited_text.h"
#include "tools/engine/patch/file_lines.h"

namespace snapgen::core {

// Returns the lines at which `wanted` begins, white space at both ends of each line aside. It must have a
// line that is not blank.
std::vector<std::int64_t> places_without_white_space(const FileLines& file, const FileLines& wanted);

// Returns the part of the file that consists of the lines from `line` on, as many as `wanted` has. A line end
// after the last one belongs to it only if `wanted` has one.
TextSpan span_of_lines(const FileLines& file, std::int64_t line, const FileLines& wanted);

// Returns `new_text` with the indentation of the file. Lines that are in `wanted` become those of the file,
// which begin at `line`; the other ones are indented in relation to them. Returns nullopt if the indentation
// of a line cannot be derived.
std::optional<std::string> reindented(const FileLines& file, std::int64_t line, const FileLines& wanted,
                                      std::string_view new_text);

}  // namespace snapgen::core

#include "tools/engine/patch/headings.h"

#include <algorithm>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

bool has_heading(std::string_view line, std::string_view heading) {
  return trimmed(line).starts_with(heading);
}

// Returns the first line of the file from `begin` on that has the heading, or the line after the last one.
std::int64_t find_heading(const FileLines& file, std::int64_t begin, std::string_view heading) {
  std::int64_t number = begin;
  while (number <= file.count() && !has_heading(file.line(number), heading)) ++number;
  return number;
}

std::size_t indentation_of(std::string_view line) { return line.find_first_not_of(" \t\r"); }

// Returns the line after the block that begins at the line `heading`, at most `end`.
std::int64_t end_of_block(const FileLines& file, std::int64_t heading, std::int64_t end) {
  constexpr std::string_view brackets = "{}()[]";
  const std::size_t outer = indentation_of(file.line(heading));
  std::int64_t number = heading + 1;
  for (; number < end; ++number) {
    const std::string_view line = file.line(number);
    const std::size_t indentation = indentation_of(line);
    if (indentation == std::string_view::npos) continue;  // A blank line.
    if (indentation <= outer && brackets.find(line[indentation]) == std::string_view::npos) break;
  }
  return number;
}

std::int64_t only_place_in(const LineRange& block, const std::vector<std::int64_t>& places) {
  const auto first = std::ranges::lower_bound(places, block.first);
  return std::ranges::lower_bound(places, block.first + block.count) - first == 1 ? *first : 0;
}

std::int64_t only_place_below(const FileLines& file, const std::vector<std::int64_t>& places,
                              const std::vector<std::string_view>& headings) {
  std::int64_t number = 0;
  for (const std::string_view heading : headings) number = find_heading(file, number + 1, heading);
  const auto below = std::ranges::upper_bound(places, number);
  return places.end() - below == 1 ? *below : 0;
}

}  // namespace

LineRange block_of_headings(const FileLines& file, const Hunk& hunk) {
  std::int64_t begin = 1;
  std::int64_t end = file.count() + 1;
  for (const std::string_view heading : hunk.headings) {
    const std::int64_t first = find_heading(file, begin, heading);
    if (first >= end || find_heading(file, first + 1, heading) < end) return {};
    begin = first + 1;
    end = end_of_block(file, first, end);
  }
  return {.first = begin, .count = hunk.headings.empty() ? 0 : end - begin};
}

bool is_above_headings(const FileLines& file, std::int64_t line, const Hunk& hunk) {
  if (hunk.headings.empty()) return false;
  const std::int64_t first = find_heading(file, 1, hunk.headings.back());
  return first <= file.count() && first >= line + hunk.before_count;
}

std::int64_t place_by_headings(const FileLines& file, const std::vector<std::int64_t>& places,
                               const Hunk& hunk) {
  if (hunk.headings.empty()) return 0;
  const std::int64_t line =
      hunk.headings_name_blocks ? only_place_in(block_of_headings(file, hunk), places) : std::int64_t{0};
  return line != 0 ? line : only_place_below(file, places, hunk.headings);
}

}  // namespace snapgen::core

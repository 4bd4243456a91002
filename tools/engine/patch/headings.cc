#include "tools/engine/patch/headings.h"

#include <algorithm>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::string_view brackets = "{}()[]";

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

// Returns the line after the block that begins at the line `heading`, at most `end`; the line below the
// heading if it begins none.
std::int64_t end_of_block(const FileLines& file, std::int64_t heading, std::int64_t end) {
  const std::size_t outer = indentation_of(file.line(heading));
  bool is_empty = true;
  std::int64_t number = heading + 1;
  for (; number < end; ++number) {
    const std::string_view line = file.line(number);
    const std::size_t indentation = indentation_of(line);
    if (indentation == std::string_view::npos) continue;  // A blank line.
    if (indentation <= outer && brackets.find(line[indentation]) == std::string_view::npos) break;
    is_empty = false;
  }
  return is_empty ? heading + 1 : number;
}

}  // namespace

LineRange block_of_headings(const FileLines& file, const Hunk& hunk) {
  if (hunk.headings.empty()) return {};
  std::int64_t begin = 1;
  std::int64_t end = file.count() + 1;
  for (const std::string_view heading : hunk.headings) {
    const std::int64_t first = find_heading(file, begin, heading);
    if (first >= end || find_heading(file, first + 1, heading) < end) return {};
    begin = first + 1;
    end = end_of_block(file, first, end);
  }
  return {.first = begin, .count = end - begin};
}

bool is_outside_headings(const FileLines& file, std::int64_t line, const Hunk& hunk) {
  if (hunk.headings.empty()) return false;
  const LineRange block = block_of_headings(file, hunk);
  const std::int64_t heading =
      block.first > 0 ? block.first - 1 : find_heading(file, 1, hunk.headings.back());
  if (heading > file.count()) return false;
  // A hunk may show its heading, and lines above it.
  const bool is_above = line + hunk.before_count <= heading;
  return is_above || (block.count > 0 && line >= block.first + block.count);
}

bool is_below_heading(std::string_view file, std::size_t offset, std::string_view heading) {
  constexpr std::size_t searched_bytes = std::size_t{256} << 10;
  const std::size_t first = offset - std::min(offset, searched_bytes);
  std::size_t least = std::string_view::npos;  // The least indentation of the lines in between.
  for (std::size_t end = offset; end > first;) {
    const std::size_t feed = end < 2 ? std::string_view::npos : file.rfind('\n', end - 2);
    const std::size_t begin = feed == std::string_view::npos ? 0 : feed + 1;
    const std::string_view line = file.substr(begin, end - begin - 1);
    const std::size_t indentation = indentation_of(line);
    if (has_heading(line, heading)) return indentation < least;
    const bool counts =
        indentation != std::string_view::npos && brackets.find(line[indentation]) == std::string_view::npos;
    if (counts) least = std::min(least, indentation);
    end = begin;
  }
  return false;
}

std::int64_t place_by_headings(const FileLines& file, const std::vector<std::int64_t>& places,
                               const Hunk& hunk) {
  const LineRange block = block_of_headings(file, hunk);
  if (block.first == 0) return 0;
  const auto first = std::ranges::lower_bound(places, block.first);
  const auto end =
      block.count > 0 ? std::ranges::lower_bound(places, block.first + block.count) : places.end();
  return end - first == 1 ? *first : 0;
}

}  // namespace snapgen::core

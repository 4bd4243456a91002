#include "tools/engine/patch/nearest.h"

#include <algorithm>
#include <string>

namespace snapgen::core {
namespace {

// The comparison continues at two equal lines if at most so many lines before them differ, on both sides
// together.
constexpr std::int64_t resync_lines_max = 16;

// Walks through the old lines of a hunk and the lines of the file side by side.
class Comparison {
 public:
  Comparison(const FileLines& block, const FileLines& file, std::int64_t begin)
      : block_(block), file_(file), line_(begin) {
    result_.line = begin;
  }

  NearestLines run() {
    while (old_ <= block_.count()) {
      if (is_equal(old_, line_)) {
        has_match_ = true;
        ++old_;
        ++line_;
      } else {
        add_difference();
      }
    }
    return std::move(result_);
  }

 private:
  bool is_equal(std::int64_t old_line, std::int64_t line) const {
    return line <= file_.count() && block_.line(old_line) == file_.line(line) &&
           block_.has_newline(old_line) == file_.has_newline(line);
  }

  // Finds the next pair of equal lines, and adds the lines before it.
  void add_difference() {
    const std::int64_t old_left = block_.count() - old_ + 1;
    const std::int64_t left = file_.count() - line_ + 1;
    for (std::int64_t sum = 1; sum <= resync_lines_max; ++sum) {
      for (std::int64_t lines = 0; lines <= sum; ++lines) {
        const std::int64_t olds = sum - lines;
        if (olds >= old_left || lines >= left || !is_equal(old_ + olds, line_ + lines)) continue;
        add(olds, lines);
        return;
      }
    }
    add(1, left > 0 ? 1 : 0);
  }

  void add(std::int64_t olds, std::int64_t lines) {
    if (!has_match_ && lines > olds) {  // More lines of the file above the first that matches say nothing.
      line_ += lines - olds;
      lines = olds;
      result_.line = line_;
    }
    for (std::int64_t i = 0; i < std::max(olds, lines); ++i) {
      LineDifference difference{.line = line_ + std::min(i, lines)};
      if (i < olds) difference.expected = shown_line(block_.line(old_ + i));
      if (i < lines) difference.found = shown_line(file_.line(line_ + i));
      bytes_ += difference.expected.value_or("").size() + difference.found.value_or("").size();
      ++result_.differences_total;
      if (result_.differences.empty() || bytes_ <= difference_bytes_max)
        result_.differences.push_back(std::move(difference));
    }
    old_ += olds;
    line_ += lines;
  }

  const FileLines& block_;
  const FileLines& file_;
  std::int64_t old_ = 1;
  std::int64_t line_;
  bool has_match_ = false;
  std::size_t bytes_ = 0;
  NearestLines result_;
};

}  // namespace

std::optional<NearestLines> nearest_lines(const FileLines& file, std::string_view block,
                                          std::int64_t preferred_line) {
  if (file.count() > nearest_lines_max) return std::nullopt;
  const std::int64_t begin = file.nearest_to(block, preferred_line);
  if (begin == 0) return std::nullopt;
  return differences_at(file, block, begin);
}

NearestLines differences_at(const FileLines& file, std::string_view block, std::int64_t line) {
  const FileLines block_lines(block);
  return Comparison(block_lines, file, line).run();
}

void remove_carriage_returns(NearestLines& nearest) {
  for (LineDifference& difference : nearest.differences)
    for (std::optional<std::string>* line : {&difference.expected, &difference.found})
      if (*line && (*line)->ends_with('\r')) (*line)->pop_back();
}

}  // namespace snapgen::core

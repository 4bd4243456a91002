#include "tools/engine/patch/nearest.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {
namespace {

// The comparison continues at two equal lines if at most so many lines before them differ, on both sides
// together.
constexpr std::int64_t resync_lines_max = 16;

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

// Walks through the old lines of a hunk and the lines of the file side by side.
class Comparison {
 public:
  Comparison(const FileLines& block, const FileLines& file, std::int64_t begin)
      : block_(block), file_(file), line_(begin) {
    result_.line = begin;
  }

  // Stops when the cost exceeds `cost_max`.
  void run(std::int64_t cost_max) {
    while (old_ <= block_.count() && cost_ <= cost_max) {
      if (is_equal(old_, line_)) {
        has_match_ = true;
        ++old_;
        ++line_;
      } else {
        add_difference();
      }
    }
  }

  std::int64_t cost() const { return cost_; }
  NearestLines take_lines() { return std::move(result_); }

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
      const bool is_white_space =
          i < olds && i < lines && trimmed(block_.line(old_ + i)) == trimmed(file_.line(line_ + i));
      cost_ += is_white_space ? white_space_cost : different_line_cost;
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
  std::int64_t cost_ = 0;
  std::size_t bytes_ = 0;
  NearestLines result_;
};

// A line that a block repeats more often than this says little about its location.
constexpr std::size_t repeats_max = 8;
// The number of places at which most lines match, and how far around them others are looked for.
constexpr std::size_t likely_places_max = 8;
constexpr std::size_t shift_max = 8;

// The number of distinctive lines that match, for each line of a file at which a block may begin. White space
// at both ends of a line is ignored.
class MatchCounts {
 public:
  MatchCounts(const FileLines& file, const FileLines& block) : block_lines_(block.count()) {
    std::unordered_map<std::string_view, std::vector<std::int64_t>> positions;
    for (std::int64_t number = 1; number <= block.count(); ++number) {
      if (!is_distinctive(block.line(number))) continue;
      ++distinctive_;
      std::vector<std::int64_t>& all = positions[trimmed(block.line(number))];
      if (all.size() < repeats_max) all.push_back(number);
    }
    counts_.resize(static_cast<std::size_t>(file.count() + block_lines_ + 1));
    for (std::int64_t line = 1; line <= file.count(); ++line) {
      const auto found = positions.find(trimmed(file.line(line)));
      if (found == positions.end()) continue;
      for (const std::int64_t number : found->second)
        ++counts_[static_cast<std::size_t>(line - number + block_lines_)];
    }
  }

  // Returns lines at which the block may begin: some at which the most lines of it match, the expected ones
  // first, and others close by, because the lines above and below an inserted one match at different
  // distances. Empty if less than a third of its lines match anywhere.
  std::vector<std::int64_t> likely_places(const ExpectedPlace& expected, std::int64_t preferred_line) const {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] > 0 && counts_[i] * std::int64_t{3} >= distinctive_) best.push_back(i);
    const auto rank = [&](std::size_t i) {
      const std::int64_t line = line_at(i);
      return std::tuple(-counts_[i], expected.cost_at(line), std::abs(line - preferred_line), i);
    };
    const std::size_t count = std::min(best.size(), likely_places_max);
    std::ranges::partial_sort(best, best.begin() + static_cast<std::ptrdiff_t>(count), {}, rank);
    best.resize(count);
    std::vector<std::int64_t> places;
    for (const std::size_t i : best) {
      add(i, places);
      const std::size_t last = std::min(i + shift_max, counts_.size() - 1);
      for (std::size_t near = i - std::min(i, shift_max); near <= last; ++near)
        if (counts_[near] > 0) add(near, places);
    }
    return places;
  }

 private:
  // May be above the file.
  std::int64_t line_at(std::size_t i) const { return static_cast<std::int64_t>(i) - block_lines_ + 1; }

  void add(std::size_t i, std::vector<std::int64_t>& places) const {
    const std::int64_t line = std::max<std::int64_t>(line_at(i), 1);
    if (std::ranges::find(places, line) == places.end()) places.push_back(line);
  }

  std::int64_t block_lines_;
  std::int64_t distinctive_ = 0;
  std::vector<std::int32_t> counts_;  // counts_[line - 1 + block_lines_]
};

}  // namespace

std::int64_t ExpectedPlace::cost_at(std::int64_t at) const {
  const bool is_outside = block.count > 0 && (at < block.first || at >= block.first + block.count);
  const bool is_other_line = line > 0 && at != line;
  return (is_outside ? different_line_cost : 0) + (is_other_line ? white_space_cost : 0);
}

std::optional<NearestPlace> nearest_place(const FileLines& file, std::string_view block,
                                          const ExpectedPlace& expected) {
  if (file.count() > nearest_lines_max) return std::nullopt;
  const std::int64_t preferred = expected.line > 0 ? expected.line : expected.block.first;
  const FileLines block_lines(block);
  std::optional<NearestPlace> best;
  std::tuple<std::int64_t, std::int64_t> best_rank{no_limit, no_limit};
  for (const std::int64_t line : MatchCounts(file, block_lines).likely_places(expected, preferred)) {
    Comparison comparison(block_lines, file, line);
    comparison.run(std::get<0>(best_rank));
    NearestLines lines = comparison.take_lines();
    const std::int64_t cost = comparison.cost() + expected.cost_at(lines.line);
    const std::tuple rank{cost, std::abs(lines.line - preferred)};
    if (rank >= best_rank) continue;
    best_rank = rank;
    best = NearestPlace{.lines = std::move(lines), .cost = cost};
  }
  return best;
}

NearestLines differences_at(const FileLines& file, std::string_view block, std::int64_t line) {
  const FileLines block_lines(block);
  Comparison comparison(block_lines, file, line);
  comparison.run(no_limit);
  return comparison.take_lines();
}

bool is_much_alike(std::string_view block, const NearestLines& nearest) {
  const std::int64_t lines = std::ranges::count(block, '\n') + (block.ends_with('\n') ? 0 : 1);
  const std::int64_t different_max = std::max<std::int64_t>(lines / 3, lines > 1 ? 1 : 0);
  if (nearest.differences_total > different_max) return false;
  std::string same;
  for (std::string_view line; next_line(block, line);) {
    const bool differs = std::ranges::any_of(nearest.differences, [&](const LineDifference& difference) {
      return difference.expected && *difference.expected == shown_line(line);
    });
    if (!differs) (same += line) += '\n';
  }
  return is_distinctive(same);
}

void remove_carriage_returns(NearestLines& nearest) {
  for (LineDifference& difference : nearest.differences)
    for (std::optional<std::string>* line : {&difference.expected, &difference.found})
      if (*line && (*line)->ends_with('\r')) (*line)->pop_back();
}

}  // namespace snapgen::core

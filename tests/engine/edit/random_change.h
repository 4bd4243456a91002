#pragma once
// RandomChange: a seeded change of one file, in each form in which it can be sent.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/chance.h"
#include "tools/engine/edit/edit.h"

namespace snapgen::core {

// Each hunk has three lines of context, of which at least two are nowhere else in the file, so that every
// form has one meaning.
class RandomChange {
 public:
  explicit RandomChange(unsigned seed) {
    Chance chance(seed);
    const int count = 20 + chance.below(60);
    for (int i = 0; i < count; ++i) lines_.push_back(i % 4 == 3 ? "}\n" : line(i, chance));
    if (chance.below(3) == 0) lines_.back() = "last";
    for (std::size_t at = static_cast<std::size_t>(chance.below(8)); at < lines_.size();
         at += 10 + static_cast<std::size_t>(chance.below(30)))
      add_hunk(at, chance);
  }

  std::string before() const { return joined(lines_); }

  std::string after() const {
    std::string text;
    std::size_t at = 0;
    for (const LineHunk& hunk : hunks_) {
      for (; at < hunk.begin; ++at) text += lines_[at];
      text += joined(hunk.added);
      at += hunk.removed.size();
    }
    for (; at < lines_.size(); ++at) text += lines_[at];
    return text;
  }

  // Returns the change from after() to before().
  RandomChange inverse() const {
    RandomChange result = *this;
    std::ptrdiff_t shift = 0;
    for (LineHunk& hunk : result.hunks_) {
      const auto removed = static_cast<std::ptrdiff_t>(hunk.removed.size());
      const auto added = static_cast<std::ptrdiff_t>(hunk.added.size());
      hunk.begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(hunk.begin) + shift);
      const auto begin = result.lines_.begin() + static_cast<std::ptrdiff_t>(hunk.begin);
      result.lines_.erase(begin, begin + removed);
      result.lines_.insert(result.lines_.begin() + static_cast<std::ptrdiff_t>(hunk.begin),
                           hunk.added.begin(), hunk.added.end());
      std::swap(hunk.removed, hunk.added);
      shift += added - removed;
    }
    return result;
  }

  std::string unified(const std::string& path) const {
    std::string text = "--- a/" + path + "\n+++ b/" + path + "\n";
    std::ptrdiff_t shift = 0;
    for (const LineHunk& hunk : hunks_) {
      const Context context = context_of(hunk);
      const std::size_t around = context.above.size() + context.below.size();
      const std::size_t first = hunk.begin - context.above.size() + 1;
      text += "@@ -" + std::to_string(first) + "," + std::to_string(around + hunk.removed.size()) + " +" +
              std::to_string(static_cast<std::ptrdiff_t>(first) + shift) + "," +
              std::to_string(around + hunk.added.size()) + " @@\n" + body_of(hunk);
      shift +=
          static_cast<std::ptrdiff_t>(hunk.added.size()) - static_cast<std::ptrdiff_t>(hunk.removed.size());
    }
    return text;
  }

  std::string v4a(const std::string& path) const {
    std::string text = "*** Begin Patch\n*** Update File: " + path + "\n";
    for (const LineHunk& hunk : hunks_) text += "@@\n" + body_of(hunk);
    return text + "*** End Patch\n";
  }

  std::vector<Edit> edits(const std::string& path) const {
    std::vector<Edit> edits;
    for (const LineHunk& hunk : hunks_) {
      const Context context = context_of(hunk);
      const std::string above = joined(context.above), below = joined(context.below);
      edits.emplace_back(TextEdit{.path = path,
                                  .old_text = above + joined(hunk.removed) + below,
                                  .new_text = above + joined(hunk.added) + below});
    }
    return edits;
  }

 private:
  using Lines = std::vector<std::string>;

  struct LineHunk {
    std::size_t begin = 0;  // The index of the first removed line.
    Lines removed;
    Lines added;
  };

  struct Context {
    Lines above;
    Lines below;
  };

  static std::string line(int number, Chance& chance) {
    return "call_" + std::to_string(number) + "(" + std::to_string(chance.below(1000)) + ");\n";
  }

  static std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  void add_hunk(std::size_t begin, Chance& chance) {
    LineHunk hunk{.begin = begin, .removed = {}, .added = {}};
    const int kind = chance.below(3);  // Insert, delete, replace.
    const std::size_t end = std::min(begin + 1 + static_cast<std::size_t>(chance.below(3)), lines_.size());
    if (kind != 0)
      hunk.removed.assign(lines_.begin() + static_cast<std::ptrdiff_t>(begin),
                          lines_.begin() + static_cast<std::ptrdiff_t>(end));
    const int added = kind == 1 ? 0 : 1 + chance.below(3);
    for (int i = 0; i < added; ++i) hunk.added.push_back("new_" + line(static_cast<int>(begin) + i, chance));
    // A deletion or replacement up to the end would move the missing newline to another line.
    if (end == lines_.size() && !lines_.back().ends_with('\n')) return;
    hunks_.push_back(std::move(hunk));
  }

  Context context_of(const LineHunk& hunk) const {
    constexpr std::size_t context_lines = 3;
    const std::size_t end = hunk.begin + hunk.removed.size();
    Context context;
    for (std::size_t at = hunk.begin - std::min(hunk.begin, context_lines); at < hunk.begin; ++at)
      context.above.push_back(lines_[at]);
    for (std::size_t at = end; at < std::min(end + context_lines, lines_.size()); ++at)
      context.below.push_back(lines_[at]);
    return context;
  }

  std::string body_of(const LineHunk& hunk) const {
    const Context context = context_of(hunk);
    std::string text;
    for (const auto& [kind, lines] : {std::pair(' ', &context.above), std::pair('-', &hunk.removed),
                                      std::pair('+', &hunk.added), std::pair(' ', &context.below)})
      for (const std::string& line : *lines)
        text += kind + line + (line.ends_with('\n') ? "" : "\n\\ No newline at end of file\n");
    return text;
  }

  Lines lines_;
  std::vector<LineHunk> hunks_;  // In the order of the file; their contexts do not touch.
};

}  // namespace snapgen::core

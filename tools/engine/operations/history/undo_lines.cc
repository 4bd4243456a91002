#include "tools/engine/operations/history/undo_lines.h"

#include <algorithm>
#include <utility>

#include "tools/engine/git/status/text_diff.h"
#include "tools/engine/patch/file_lines.h"

namespace snapgen::core {
namespace {

std::string_view lines_between(const FileLines& lines, std::int64_t begin, std::int64_t end) {
  const std::size_t from = lines.offset(begin + 1);
  return lines.file().substr(from, lines.offset(end + 1) - from);
}

// A replacement of the lines [begin, end) of the changed text, counted from 0.
struct Replacement {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string_view text;
};

// Whether both cannot be made: they replace the same line, one inserts within the other, or both insert at
// the same changed, in an unknown order.
bool exclude_each_other(const DifferingLines& one, const DifferingLines& other) {
  if (one.old_begin == one.old_end && other.old_begin == other.old_end)
    return one.old_begin == other.old_begin;
  return one.old_begin < other.old_end && other.old_begin < one.old_end;
}

// Divides changes that replace lines by as many others, as formatters do, into changes of single lines.
std::vector<DifferingLines> line_by_line(const std::vector<DifferingLines>& changes) {
  std::vector<DifferingLines> divided;
  for (const DifferingLines& each : changes) {
    const std::int64_t count = each.old_end - each.old_begin;
    if (count != each.new_end - each.new_begin) {
      divided.push_back(each);
      continue;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      DifferingLines line = each;
      line.old_begin += i;
      line.old_end = line.old_begin + 1;
      line.new_begin += i;
      line.new_end = line.new_begin + 1;
      divided.push_back(line);
    }
  }
  return divided;
}

class LineUndo {
 public:
  LineUndo(std::string_view before, std::string_view after, std::string_view now,
           const std::vector<LineSpan>& only)
      : before_(before), after_(after), now_(now), only_(only) {}

  Result<UndoneLines> run() {
    const std::vector<DifferingLines> reversed =
        line_by_line(TRY(differing_lines(after_.file(), before_.file())));
    later_ = line_by_line(TRY(differing_lines(after_.file(), now_.file())));
    for (const DifferingLines& each : reversed) add(each);
    for (const DifferingLines& each : later_)
      replacements_.push_back({.begin = each.old_begin,
                               .end = each.old_end,
                               .text = lines_between(now_, each.new_begin, each.new_end)});
    std::ranges::stable_sort(replacements_, [](const Replacement& a, const Replacement& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t at = 0;
    for (const Replacement& each : replacements_) {
      found_.text += lines_between(after_, at, each.begin);
      found_.text += each.text;
      at = each.end;
    }
    found_.text += lines_between(after_, at, after_.count());
    return std::move(found_);
  }

 private:
  // Undoes one changed, unless later changes exclude it.
  void add(const DifferingLines& changed) {
    std::vector<const DifferingLines*> excluding;
    for (const DifferingLines& later : later_)
      if (exclude_each_other(changed, later)) excluding.push_back(&later);
    const std::string_view text = lines_between(before_, changed.new_begin, changed.new_end);
    const LineSpan now = range_in_now(changed, excluding);
    if (!is_wanted(now)) return;
    if (excluding.empty()) {
      replacements_.push_back({.begin = changed.old_begin, .end = changed.old_end, .text = text});
      ++found_.undone;
      return;
    }
    const bool is_undone_already =
        excluding.size() == 1 && excluding.front()->old_begin == changed.old_begin &&
        excluding.front()->old_end == changed.old_end &&
        lines_between(now_, excluding.front()->new_begin, excluding.front()->new_end) == text;
    if (!is_undone_already) found_.conflicts.push_back(now);
  }

  // The lines of `now` at the changed, with the changes that exclude its undo.
  LineSpan range_in_now(const DifferingLines& changed,
                        const std::vector<const DifferingLines*>& excluding) const {
    std::int64_t begin = changed.old_begin;
    std::int64_t end = changed.old_end;
    for (const DifferingLines* each : excluding) {
      begin = std::min(begin, each->old_begin);
      end = std::max(end, each->old_end);
    }
    std::int64_t begin_shift = 0;
    std::int64_t end_shift = 0;
    for (const DifferingLines& later : later_) {
      const std::int64_t growth = (later.new_end - later.new_begin) - (later.old_end - later.old_begin);
      const bool is_excluding = std::ranges::find(excluding, &later) != excluding.end();
      if (!is_excluding && later.old_end <= begin) begin_shift += growth;
      if (is_excluding || later.old_end <= begin) end_shift += growth;
    }
    return {.first = begin + begin_shift + 1, .last = end + end_shift};
  }

  bool is_wanted(const LineSpan& now) const {
    if (only_.empty()) return true;
    const std::int64_t last = std::max(now.first, now.last);
    return std::ranges::any_of(
        only_, [&](const LineSpan& range) { return range.first <= last && now.first <= range.last; });
  }

  FileLines before_;
  FileLines after_;
  FileLines now_;
  const std::vector<LineSpan>& only_;
  std::vector<DifferingLines> later_;
  std::vector<Replacement> replacements_;
  UndoneLines found_;
};

}  // namespace

Result<UndoneLines> undo_lines(std::string_view before, std::string_view after, std::string_view now,
                               const std::vector<LineSpan>& only) {
  return LineUndo(before, after, now, only).run();
}

}  // namespace snapgen::core

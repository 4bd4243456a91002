#include "tools/engine/patch/apply.h"

#include <algorithm>
#include <utility>

#include "tools/engine/patch/place.h"

namespace snapgen::core {
namespace {

// Replaces the old lines of all hunks, and returns the ranges of the changed lines.
std::vector<LineRange> splice(std::string_view before, const std::vector<PlacedHunk>& hunks,
                              std::string& bytes) {
  std::vector<LineRange> changed;
  std::size_t from = 0;
  std::int64_t shift = 0;  // How many more lines the result has so far than the file before the patch.
  for (const PlacedHunk& hunk : hunks) {
    bytes.append(before, from, hunk.offset - from);
    bytes += hunk.sides.after;
    from = hunk.offset + hunk.sides.before.size();
    for (const LineRange& change : hunk.sides.changes)
      changed.push_back({.first = hunk.line + shift - 1 + change.first, .count = change.count});
    shift += hunk.sides.after_lines - hunk.sides.before_lines;
  }
  bytes.append(before, from);
  return changed;
}

void report(const PlacedHunk& placed, AppliedHunks& result) {
  const Hunk& hunk = *placed.hunk;
  const HunkSides& sides = placed.sides;
  if (placed.is_outside_heading) result.hunks_outside_headings.push_back(hunk.index);
  if (!hunk.stated) {
    result.moved_hunks.push_back({.hunk_index = hunk.index, .stated_line = {}, .line = placed.line});
    return;
  }
  const StatedRanges& stated = *hunk.stated;
  const std::optional<std::int64_t> stated_line = stated_line_of(hunk);
  if (stated_line != placed.line)
    result.moved_hunks.push_back({.hunk_index = hunk.index, .stated_line = stated_line, .line = placed.line});
  if (stated.before.count != sides.before_lines || stated.after.count != sides.after_lines)
    result.corrected_counts.push_back({.hunk_index = hunk.index,
                                       .stated_before = stated.before.count,
                                       .stated_after = stated.after.count,
                                       .before = sides.before_lines,
                                       .after = sides.after_lines});
}

}  // namespace

Result<AppliedHunks> apply_hunks(std::string_view before, const std::vector<Hunk>& hunks,
                                 const ApplyOptions& options, const std::stop_token& stop) {
  AppliedHunks result;
  if (!options.exact_lines) result.line_ends = line_ends_for(before, hunks, options.patch_has_crlf_lines);
  Placement placement = TRY(place_hunks(before, hunks, options.exact_lines, result.line_ends, stop));
  result.rejects = std::move(placement.rejects);
  if (!result.rejects.empty()) return result;
  result.changed_lines = splice(before, placement.hunks, result.bytes);
  for (const PlacedHunk& placed : placement.hunks) {
    result.shown_lines.push_back({.first = placed.line, .count = placed.sides.before_lines});
    report(placed, result);
  }
  auto by_hunk = [](const auto& a, const auto& b) { return a.hunk_index < b.hunk_index; };
  std::ranges::sort(result.moved_hunks, by_hunk);
  std::ranges::sort(result.corrected_counts, by_hunk);
  std::ranges::sort(result.hunks_outside_headings);
  return result;
}

}  // namespace snapgen::core

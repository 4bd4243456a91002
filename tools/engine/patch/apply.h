#pragma once
// apply_hunks() applies the hunks of one file to its bytes, at the lines where place_hunks() puts them.
//
// A hunk needs no context: the output of `git diff -U0` applies, as with `git apply --unidiff-zero`.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/sides.h"

namespace snapgen::core {

struct ApplyOptions {
  bool exact_lines = false;
  bool patch_has_crlf_lines = false;  // As Patch::has_crlf_lines.
};

// A hunk that was applied at another line than its `@@` line states.
struct MovedHunk {
  std::int64_t hunk_index = 0;
  std::optional<std::int64_t> stated_line;  // nullopt if the `@@` line has no numbers.
  std::int64_t line = 0;                    // From 1, in the file before the patch.

  bool operator==(const MovedHunk&) const = default;
};

// A hunk whose body has other numbers of lines than its `@@` line states.
struct CorrectedCounts {
  std::int64_t hunk_index = 0;
  std::int64_t stated_before = 0;
  std::int64_t stated_after = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;

  bool operator==(const CorrectedCounts&) const = default;
};

struct AppliedHunks {
  std::string bytes;                              // Undefined if there are rejects, as all below.
  std::vector<MovedHunk> moved_hunks;             // Sorted by hunk.
  std::vector<CorrectedCounts> corrected_counts;  // Sorted by hunk.
  std::vector<std::int64_t>
      hunks_outside_headings;  // Those that are not in the block of their heading. Sorted.
  // The added lines, in the file after the patch; an empty range where lines are only removed. In order.
  std::vector<LineRange> changed_lines;
  std::vector<LineRange> shown_lines;  // The old lines of the hunks, in the file before the patch. In order.
  LineEnds line_ends = LineEnds::unchanged;
  std::vector<Reject> rejects;  // Every hunk that does not apply; `path` is empty.
};

// Errors: cancelled.
Result<AppliedHunks> apply_hunks(std::string_view before, const std::vector<Hunk>& hunks,
                                 const ApplyOptions& options = {}, const std::stop_token& stop = {});

}  // namespace snapgen::core

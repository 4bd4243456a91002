#pragma once
// apply_hunks() applies the hunks of one file to its bytes.
//
// Without `allow_offset`, a hunk applies only at the line in its header, byte for byte. It needs no context:
// the output of `git diff -U0` applies, as with `git apply --unidiff-zero`.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

struct HunkOffset {
  std::int64_t hunk_index = 0;   // The index of the hunk, from 0.
  std::int64_t line_offset = 0;  // The distance from the line in its header; negative: above.

  bool operator==(const HunkOffset&) const = default;
};

struct AppliedHunks {
  std::string bytes;                // Undefined if there are rejects.
  std::vector<HunkOffset> offsets;  // The offsets of hunks that were applied elsewhere.
  std::vector<Reject> rejects;      // Every hunk that does not fit, in order; `path` is empty.
};

// `hunks` must be in order and must not overlap, as parse_patch() guarantees. With `allow_offset`, a hunk
// that does not fit applies where its old lines occur exactly once, if the hunks then remain in order without
// overlap. A hunk without old lines is never moved. Errors: cancelled.
Result<AppliedHunks> apply_hunks(std::string_view before, const std::vector<Hunk>& hunks, bool allow_offset,
                                 std::stop_token stop = {});

// The maximum number of bytes of a line in a reject.
inline constexpr std::size_t reject_line_bytes_max = 500;

}  // namespace snapgen::core

#pragma once
// apply_hunks: the hunks of one file, applied to its bytes.
//
// A hunk applies where its header says and nowhere else, byte for byte. Without context behind its last
// change it must end at the end of the file, as git demands too.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/patch.h"

namespace snapgen::core {

struct HunkOffset {
  std::int64_t hunk = 0;   // From 0.
  std::int64_t lines = 0;  // How many lines below its stated place it was applied; negative: above.

  bool operator==(const HunkOffset&) const = default;
};

struct AppliedHunks {
  std::string bytes;                // Meaningless if there are rejects.
  std::vector<HunkOffset> offsets;  // Of hunks that were applied elsewhere.
  std::vector<Reject> rejects;      // Every hunk that does not fit, in order; without path.
};

// `hunks` are in order and apart, as parse() leaves them. With `allow_offset`, a hunk that does not fit at
// its stated place applies where its old lines stand exactly once, provided that the hunks stay in order and
// apart. Errors: cancelled.
Result<AppliedHunks> apply_hunks(std::string_view before, const std::vector<Hunk>& hunks, bool allow_offset,
                                 std::stop_token stop = {});

// What is shown of a line in a reject: at most this many bytes.
inline constexpr std::size_t shown_line_bytes_max = 500;

}  // namespace snapgen::core

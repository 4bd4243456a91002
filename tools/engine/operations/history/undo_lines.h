#pragma once
// undo_lines() undoes the change of a text and retains later changes of other lines.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/line_span.h"

namespace snapgen::core {

struct UndoneLines {
  std::string text;                 // `now` without the change.
  std::vector<LineSpan> conflicts;  // Lines of `now` where the change was changed again: they are unchanged.
  std::int64_t undone = 0;          // The number of places that were undone.
};

// Undoes the change from `before` to `after` in `now`, which is a later version of `after`. If `only` is not
// empty, places outside of these lines of `now` are not undone. Lines that `before` and `now` both have at a
// place are undone already. Errors: as differing_lines().
Result<UndoneLines> undo_lines(std::string_view before, std::string_view after, std::string_view now,
                               const std::vector<LineSpan>& only = {});

}  // namespace snapgen::core

#include "tools/engine/patch/exact_header.h"

#include "tools/engine/base/phrase.h"

namespace snapgen::core {
namespace {

std::string counts_text(std::int64_t before, std::int64_t after) {
  return std::to_string(before) + " old and " + count_with_noun(after, "new line");
}

}  // namespace

bool has_right_counts(const Hunk& hunk) {
  return hunk.stated && hunk.stated->before.count == hunk.before_count &&
         hunk.stated->after.count == hunk.after_count;
}

std::string fault_of_exact_header(const Hunk& hunk, const std::optional<StatedRanges>& last) {
  if (!hunk.stated) return "this is not a hunk's header, which reads @@ -line,count +line,count @@";
  const LineRange& before = hunk.stated->before;
  if (!has_right_counts(hunk))
    return "the hunk has " + counts_text(hunk.before_count, hunk.after_count) + ", but its @@ line says " +
           counts_text(before.count, hunk.stated->after.count);
  if (before.first == 0 && before.count != 0) return "a hunk that shows old lines cannot begin at line 0";
  if (!last) return {};
  const std::int64_t first = first_line_of(before);
  if (first < first_line_of(last->before)) return "the hunks of a file must be in order of their lines";
  // Two insertions at one position are rejected, because git apply rejects them.
  const bool is_same_position = last->before.count == 0 && before.count == 0;
  if (first < first_line_of(last->before) + last->before.count + (is_same_position ? 1 : 0))
    return "the hunk overlaps the one before it";
  return {};
}

}  // namespace snapgen::core

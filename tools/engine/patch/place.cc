#include "tools/engine/patch/place.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/headings.h"
#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/mismatch.h"
#include "tools/engine/patch/nearest.h"

namespace snapgen::core {
namespace {

constexpr std::size_t no_offset = std::string_view::npos;
constexpr std::string_view already_applied =
    "the file is already as the hunk would make it there, so leave the hunk out";

void add_to_message(Reject& reject, std::string_view words) {
  if (!reject.message.empty()) reject.message += "; ";
  reject.message += words;
}

std::string counts_text(std::int64_t before, std::int64_t after) {
  return std::to_string(before) + " old and " + count_with_noun(after, "new line");
}

bool has_right_counts(const Hunk& hunk) {
  return hunk.stated && hunk.stated->before.count == hunk.before_count &&
         hunk.stated->after.count == hunk.after_count;
}

// Returns true if the `@@` line has other numbers than those for the line `line`, or if it has none and the
// hunk needs them: where its text is at fault, no number can help.
bool has_wrong_numbers(const Hunk& hunk, const Reject& reject, std::int64_t line) {
  if (!hunk.stated) return !reject.nearest;
  return !has_right_counts(hunk) || stated_line_of(hunk) != line;
}

// Why the `@@` line of a hunk is rejected under exact_lines; empty if it is not. `last` is that of the hunk
// before it.
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

class HunkPlacer {
 public:
  HunkPlacer(std::string_view file, const std::vector<Hunk>& hunks, LineEnds line_ends)
      : file_(file), hunks_(hunks), line_ends_(line_ends) {}

  Result<Placement> run(bool exact_lines, const std::stop_token& stop) {
    const std::vector<StatedLine> stated_lines = find_stated_lines();
    std::optional<StatedRanges> last;
    for (std::size_t i = 0; i < hunks_.size(); ++i) {
      if (stop.stop_requested()) return cancelled_write_error();
      Candidate candidate{
          .hunk = &hunks_[i], .sides = sides_in_file(hunks_[i], hunks_[i].body), .stated = stated_lines[i]};
      if (exact_lines) {
        place_exactly(std::move(candidate), last);
        last = hunks_[i].stated;
      } else {
        place_by_content(std::move(candidate));
      }
    }
    reject_overlaps();
    for (PendingReject& pending : rejects_) finish(pending);
    return std::move(result_);
  }

 private:
  // The line that the `@@` line of a hunk states.
  struct StatedLine {
    std::int64_t number = 0;             // 0: none.
    std::size_t offset = no_offset;      // no_offset: the file has no such line.
    std::int64_t number_afterwards = 0;  // The number after the hunks with lower stated lines are applied.
  };

  // A hunk whose location is not known yet.
  struct Candidate {
    const Hunk* hunk = nullptr;
    HunkSides sides;
    StatedLine stated;
  };

  struct PendingReject {
    const Hunk* hunk = nullptr;
    Reject reject;
    std::int64_t proposed_line = 0;  // For the corrected header; 0: none.
  };

  // Finds the stated line of each hunk. The line after the last one is at the end of the file.
  std::vector<StatedLine> find_stated_lines() const {
    std::vector<StatedLine> stated(hunks_.size());
    std::vector<std::size_t> order(hunks_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const std::size_t i : order) stated[i].number = stated_line_of(hunks_[i]).value_or(0);
    std::ranges::sort(order, {}, [&](std::size_t i) { return stated[i].number; });
    std::size_t at = 0;
    std::int64_t line = 1;
    std::int64_t shift = 0;
    for (const std::size_t i : order) {
      if (stated[i].number == 0) continue;
      while (line < stated[i].number && at < file_.size()) {
        const std::size_t end = file_.find('\n', at);
        at = end == std::string_view::npos ? file_.size() : end + 1;
        ++line;
      }
      if (line < stated[i].number) break;
      stated[i].offset = at;
      stated[i].number_afterwards = line + shift;
      shift += hunks_[i].after_count - hunks_[i].before_count;
    }
    return stated;
  }

  // Returns the texts of the hunk. `body` is its body, with or without the separators at its end.
  HunkSides sides_in_file(const Hunk& hunk, std::string_view body) const {
    HunkSides sides = sides_of(body, line_ends_);
    const bool has_marker = sides.ends_file;
    sides.ends_file |= hunk.is_at_end_of_file;
    if (!hunk.is_at_end_of_file || has_marker || file_.empty() || file_.ends_with('\n')) return sides;
    const std::string_view line_end = line_ends_ == LineEnds::cr_added ? "\r\n" : "\n";
    for (std::string* side : {&sides.before, &sides.after})
      if (side->ends_with(line_end)) side->resize(side->size() - line_end.size());
    return sides;
  }

  void place_exactly(Candidate candidate, const std::optional<StatedRanges>& last) {
    std::string fault = fault_of_exact_header(*candidate.hunk, last);
    const bool fits = fits_at_stated_line(candidate);
    if (fault.empty() && fits) return place_at_stated_line(std::move(candidate));
    Reject reject = fault.empty() ? mismatch_at_stated_line(candidate)
                                  : Reject{.reason = RejectReason::malformed, .message = std::move(fault)};
    const std::vector<std::int64_t> places = fits ? std::vector<std::int64_t>() : places_of(candidate.sides);
    if (is_applied_at_stated_line(candidate) && reject.reason != RejectReason::malformed)
      add_to_message(reject, already_applied);
    add_places(places, *candidate.hunk, reject);
    const bool is_malformed = reject.reason == RejectReason::malformed;
    const std::int64_t line =
        reject.applicable_line.value_or(fits || is_malformed ? candidate.stated.number : 0);
    add_reject(*candidate.hunk, std::move(reject), line);
  }

  void place_by_content(Candidate candidate) {
    if (fits_at_stated_line(candidate)) return place_at_stated_line(std::move(candidate));
    if (candidate.sides.before.empty()) return place_insertion(std::move(candidate));
    std::vector<std::int64_t> places = places_of(candidate.sides);
    const Hunk& hunk = *candidate.hunk;
    if (places.empty() && hunk.separator_bytes > 0) {
      const std::string_view body = hunk.body.substr(0, hunk.body.size() - hunk.separator_bytes);
      Candidate shorter{.hunk = &hunk, .sides = sides_in_file(hunk, body), .stated = candidate.stated};
      if (fits_at_stated_line(shorter)) return place_at_stated_line(std::move(shorter));
      if (shorter.sides.before.empty()) return place_insertion(std::move(shorter));
      places = places_of(shorter.sides);
      if (!places.empty()) candidate = std::move(shorter);
    }
    if (places.empty()) return reject_without_place(candidate);
    if (is_distinctive(candidate.sides.after) && is_applied_at_stated_line(candidate, places)) {
      Reject reject = mismatch_at_stated_line(candidate);
      add_to_message(reject, already_applied);
      return add_reject(hunk, std::move(reject), 0);
    }
    std::int64_t line = places.size() == 1 ? places.front() : place_by_headings(file_lines(), places, hunk);
    const bool is_weak = !candidate.sides.removes && !is_distinctive(candidate.sides.before);
    if (line != 0 && !is_weak) return place(std::move(candidate), line, file_lines().offset(line));
    Reject reject =
        hunk.stated ? mismatch_at_stated_line(candidate) : Reject{.reason = RejectReason::context_mismatch};
    if (places.size() > 1) reject.reason = RejectReason::ambiguous;
    if (places.size() == 1)
      add_to_message(reject,
                     "the hunk inserts next to lines that do not identify a location, so give it the right "
                     "line or more context");
    add_places(places, hunk, reject);
    add_reject(hunk, std::move(reject), places.size() == 1 ? line : 0);
  }

  // A hunk without old lines, which does not fit at its stated line.
  void place_insertion(Candidate candidate) {
    if (file_.empty()) return place(std::move(candidate), 1, 0);
    const Hunk& hunk = *candidate.hunk;
    if (hunk.is_at_end_of_file) {
      const std::int64_t end = file_lines().count() + 1;
      if (has_lines_at(file_, file_.size(), {}, true)) return place(std::move(candidate), end, file_.size());
      return add_reject(hunk, mismatch(file_, file_.size(), end, candidate.sides), 0);
    }
    const bool has_position = hunk.stated && hunk.stated->before.count == 0;
    Reject reject = has_position
                        ? mismatch_at_stated_line(candidate)
                        : Reject{.reason = RejectReason::context_mismatch,
                                 .message =
                                     "the hunk shows no old line, so its place is not known: write @@ "
                                     "-LINE,0 +LINE,COUNT @@ to insert after the first LINE, or add "
                                     "lines of context"};
    add_reject(hunk, std::move(reject), 0);
  }

  void reject_without_place(const Candidate& candidate) {
    const Hunk& hunk = *candidate.hunk;
    const HunkSides& sides = candidate.sides;
    std::optional<NearestLines> nearest = nearest_lines(file_lines(), sides.before, candidate.stated.number);
    Reject reject;
    if (nearest) {
      reject = mismatch(file_, file_lines().offset(nearest->line), nearest->line, sides);
      reject.message =
          "the old lines of the hunk occur nowhere in the file; most like them are those from line " +
          std::to_string(nearest->line) + " on, but " + reject.message;
    } else if (hunk.stated) {
      reject = mismatch_at_stated_line(candidate);
      reject.message += ", and its old lines occur nowhere in the file";
    } else {
      reject = mismatch(file_, no_offset, 0, sides);
      reject.line.reset();
      reject.message = "the old lines of the hunk occur nowhere in the file";
    }
    const std::vector<std::int64_t> applied =
        is_distinctive(sides.after) ? file_lines().places_of(sides.after) : std::vector<std::int64_t>();
    if (is_applied_at_stated_line(candidate))
      add_to_message(reject, already_applied);
    else if (!applied.empty())
      add_to_message(reject, "the file is already as the hunk would make it at line " +
                                 std::to_string(applied.front()) + ", so leave the hunk out");
    const std::int64_t line = nearest ? nearest->line : 0;
    reject.nearest = std::move(nearest);
    add_reject(hunk, std::move(reject), line);
  }

  bool fits_at_stated_line(const Candidate& candidate) const {
    const Hunk& hunk = *candidate.hunk;
    // Where lines are inserted is only clear if the header says that it shows none.
    if (candidate.sides.before.empty() && (!hunk.stated || hunk.stated->before.count != 0)) return false;
    return has_lines_at(file_, candidate.stated.offset, candidate.sides.before, candidate.sides.ends_file);
  }

  Reject mismatch_at_stated_line(const Candidate& candidate) const {
    return mismatch(file_, candidate.stated.offset, candidate.stated.number, candidate.sides);
  }

  // Returns true if the file has the hunk's new lines at its stated line, as after the patch was applied. The
  // stated line of the new side is not used, because it is often wrong. New lines that are a part of the old
  // ones, as those of a hunk that removes its first line, prove nothing where the file has the old ones,
  // which is at `places`.
  bool is_applied_at_stated_line(const Candidate& candidate, const std::vector<std::int64_t>& places = {}) {
    const HunkSides& sides = candidate.sides;
    const StatedLine& stated = candidate.stated;
    if (stated.offset == no_offset || sides.after.empty()) return false;
    auto is_applied_at = [&](std::int64_t line, std::size_t offset) {
      return has_lines_at(file_, offset, sides.after, sides.ends_file) &&
             std::ranges::none_of(places, [&](std::int64_t old_line) {
               return old_line <= line && line + sides.after_lines <= old_line + sides.before_lines;
             });
    };
    const std::int64_t line = stated.number_afterwards;
    const bool has_line = line >= 1 && line <= file_lines().count() + 1;
    return (has_line && is_applied_at(line, file_lines().offset(line))) ||
           is_applied_at(stated.number, stated.offset);
  }

  std::vector<std::int64_t> places_of(const HunkSides& sides) {
    std::vector<std::int64_t> places = file_lines().places_of(sides.before);
    if (sides.ends_file)
      std::erase_if(places,
                    [&](std::int64_t line) { return line + sides.before_lines <= file_lines().count(); });
    return places;
  }

  // The index is made when the first hunk does not fit at its line.
  const FileLines& file_lines() {
    if (!file_lines_) file_lines_.emplace(file_);
    return *file_lines_;
  }

  void place(Candidate candidate, std::int64_t line, std::size_t offset) {
    result_.hunks.push_back(
        {.hunk = candidate.hunk, .sides = std::move(candidate.sides), .offset = offset, .line = line});
  }

  void place_at_stated_line(Candidate candidate) {
    const std::int64_t line = candidate.stated.number;
    const std::size_t offset = candidate.stated.offset;
    place(std::move(candidate), line, offset);
  }

  static void add_places(const std::vector<std::int64_t>& places, const Hunk& hunk, Reject& reject) {
    if (places.size() == 1) reject.applicable_line = places.front();
    if (places.size() < 2) return;
    reject.places.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(
                                                              std::min(places.size(), reject_places_max)));
    reject.places_total = static_cast<std::int64_t>(places.size());
    add_to_message(reject, "the hunk fits more than once, first at the lines " + std::to_string(places[0]) +
                               " and " + std::to_string(places[1]) +
                               (hunk.stated ? ", so give it the right line"
                                            : ", so give it more context, or a heading: @@ def f():"));
  }

  void add_reject(const Hunk& hunk, Reject reject, std::int64_t proposed_line) {
    reject.hunk_index = hunk.index;
    reject.patch_line = hunk.patch_line;
    rejects_.push_back({.hunk = &hunk, .reject = std::move(reject), .proposed_line = proposed_line});
  }

  // Sorts the placed hunks, and rejects those that overlap: of two hunks, the later one of the patch.
  void reject_overlaps() {
    std::vector<PlacedHunk>& hunks = result_.hunks;
    // An insertion before a line precedes the hunk that begins at that line.
    std::ranges::stable_sort(
        hunks, {}, [](const PlacedHunk& hunk) { return std::pair(hunk.offset, !hunk.sides.before.empty()); });
    std::vector<PlacedHunk> separate;
    for (PlacedHunk& next : hunks) {
      const bool has_last = !separate.empty();
      const bool overlaps =
          has_last && next.offset < separate.back().offset + separate.back().sides.before.size();
      const bool follows_end = has_last && !overlaps && separate.back().sides.ends_file;
      if (!overlaps && !follows_end) {
        separate.push_back(std::move(next));
        continue;
      }
      const bool is_later = next.hunk->index > separate.back().hunk->index;
      const PlacedHunk& rejected = is_later ? next : separate.back();
      Reject reject{.reason = RejectReason::context_mismatch,
                    .message = "the hunk overlaps the lines of an earlier hunk; write both as one hunk",
                    .applicable_line = rejected.line};
      if (follows_end)
        reject = Reject{.reason = RejectReason::malformed,
                        .message = "a hunk follows the one that is marked as the file's last"};
      add_reject(*rejected.hunk, std::move(reject), 0);
      if (!is_later) separate.back() = std::move(next);
    }
    hunks = std::move(separate);
  }

  // Completes a reject now that the lines of the other hunks are known.
  void finish(PendingReject& pending) {
    Reject& reject = pending.reject;
    if (pending.proposed_line > 0) {
      std::int64_t shift = 0;
      for (const PlacedHunk& placed : result_.hunks)
        if (placed.line < pending.proposed_line)
          shift += placed.sides.after_lines - placed.sides.before_lines;
      const std::string header = hunk_header(*pending.hunk, pending.proposed_line, shift);
      if (has_wrong_numbers(*pending.hunk, reject, pending.proposed_line)) reject.corrected_header = header;
      if (reject.reason == RejectReason::malformed && !has_right_counts(*pending.hunk))
        reject.message += "; write " + header;
    }
    if (line_ends_ == LineEnds::cr_added) {  // The patch is written without CR, so its author sees none.
      auto remove_cr = [](std::optional<std::string>& line) {
        if (line && line->ends_with('\r')) line->pop_back();
      };
      remove_cr(reject.expected);
      remove_cr(reject.found);
      if (reject.nearest) remove_carriage_returns(*reject.nearest);
    }
    result_.rejects.push_back(std::move(reject));
  }

  std::string_view file_;
  const std::vector<Hunk>& hunks_;
  LineEnds line_ends_;
  std::optional<FileLines> file_lines_;
  std::vector<PendingReject> rejects_;
  Placement result_;
};

}  // namespace

std::optional<std::int64_t> stated_line_of(const Hunk& hunk) {
  if (!hunk.stated) return std::nullopt;
  // In the range of a hunk that shows lines, a count of 0 is only a wrong count.
  return hunk.before_count > 0 ? hunk.stated->before.first : first_line_of(hunk.stated->before);
}

Result<Placement> place_hunks(std::string_view file, const std::vector<Hunk>& hunks, bool exact_lines,
                              LineEnds line_ends, const std::stop_token& stop) {
  return HunkPlacer(file, hunks, line_ends).run(exact_lines, stop);
}

}  // namespace snapgen::core

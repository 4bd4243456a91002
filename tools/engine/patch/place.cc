#include "tools/engine/patch/place.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/exact_header.h"
#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/headings.h"
#include "tools/engine/patch/hunk.h"
#include "tools/engine/patch/mismatch.h"
#include "tools/engine/patch/nearest.h"
#include "tools/engine/patch/similar_text.h"

namespace snapgen::core {
namespace {

constexpr std::size_t no_offset = std::string_view::npos;

void add_to_message(Reject& reject, std::string_view words) {
  if (!reject.message.empty()) reject.message += "; ";
  reject.message += words;
}

std::string already_applied(std::int64_t line) {
  return "the file is already as the hunk would make it, from line " + std::to_string(line) +
         " on, so leave the hunk out";
}

// Returns true if the `@@` line has other numbers than those for the line `line`, or if it has none and the
// hunk needs them: where its text is at fault, no number can help.
bool has_wrong_numbers(const Hunk& hunk, const Reject& reject, std::int64_t line) {
  if (!hunk.stated) return !reject.nearest;
  return !has_right_counts(hunk) || stated_line_of(hunk) != line;
}

std::string_view advice_for_several_places(const FileLines& file, const Hunk& hunk) {
  if (hunk.headings_name_blocks && !hunk.headings.empty() && block_of_headings(file, hunk).first == 0)
    return "; its heading is not exactly once in the file, so give it another, or more context";
  if (!hunk.headings.empty())
    return hunk.headings_name_blocks ? ", so give it more context, or a further heading"
                                     : "; its heading does not tell which, so give it more context";
  if (hunk.stated) return ", so give it the right line or more context";
  return ", so give it more context, or a heading: @@ def f():";
}

// Returns true if the second hunk begins where the first one ends, and both add the same lines there.
bool adds_the_same(const PlacedHunk& first, const PlacedHunk& second) {
  const std::string_view added = added_below(first.sides);
  return !added.empty() && first.offset + first.sides.before.size() == second.offset &&
         added == added_above(second.sides);
}

// Returns true if a file that has the new lines of a hunk, wherever, shows that it was applied: they are
// distinctive, and no part of its old lines, as the context of a hunk that only removes at one end is.
bool shows_that_it_was_made(const HunkSides& sides) {
  return is_distinctive(sides.after) && FileLines(sides.before).places_of(sides.after).empty();
}

// Says what a hunk without old lines needs. A form without numbers needs context.
std::string insertion_without_place(const Hunk& hunk) {
  const std::string message = "the hunk shows no old line, so its place is not known: ";
  if (!hunk.headings_name_blocks)
    return message +
           "write @@ -LINE,0 +LINE,COUNT @@ to insert after the first LINE, or add lines of context";
  if (hunk.headings.empty()) return message + "add the line above or below it, with a blank before it";
  return message + "to insert below its heading, repeat that line as the first one of the hunk, with a " +
         "blank before it; elsewhere, add the line above or below it";
}

class HunkPlacer {
 public:
  HunkPlacer(std::string_view file, const std::vector<Hunk>& hunks, LineEnds line_ends)
      : file_(file), hunks_(hunks), line_ends_(line_ends) {}

  Result<Placement> run(bool exact_lines, const std::stop_token& stop) {
    const std::vector<StatedLine> stated_lines = find_stated_lines();
    std::optional<StatedRanges> last;
    std::vector<Candidate> at_stated_lines;
    for (std::size_t i = 0; i < hunks_.size(); ++i) {
      if (stop.stop_requested()) return cancelled_write_error();
      Candidate candidate{
          .hunk = &hunks_[i], .sides = sides_in_file(hunks_[i], hunks_[i].body), .stated = stated_lines[i]};
      if (exact_lines) {
        place_exactly(std::move(candidate), last);
        last = hunks_[i].stated;
      } else if (fits_at_stated_line(candidate)) {
        at_stated_lines.push_back(std::move(candidate));
      } else {
        place_by_content(std::move(candidate));
      }
    }
    const std::size_t placed_by_content = result_.hunks.size();
    for (Candidate& candidate : at_stated_lines) {
      if (stop.stop_requested()) return cancelled_write_error();
      confirm_stated_line(std::move(candidate), placed_by_content);
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
    if (fault.empty() && fits) {
      const StatedLine stated = candidate.stated;
      return accept(std::move(candidate), stated.number, stated.offset);
    }
    Reject reject = fault.empty() ? mismatch_at_stated_line(candidate)
                                  : Reject{.reason = RejectReason::malformed, .message = std::move(fault)};
    const std::vector<std::int64_t> places = fits ? std::vector<std::int64_t>() : places_of(candidate.sides);
    const std::optional<std::int64_t> applied = applied_line_by_number(candidate);
    if (applied && reject.reason != RejectReason::malformed)
      add_to_message(reject, already_applied(*applied));
    add_places(places, *candidate.hunk, reject);
    const bool is_malformed = reject.reason == RejectReason::malformed;
    const std::int64_t line =
        reject.applicable_line.value_or(fits || is_malformed ? candidate.stated.number : 0);
    add_reject(*candidate.hunk, std::move(reject), line);
  }

  // Returns the first of the hunks placed by content, `count` of them, that has its numbers from the same
  // text as `hunk` and is at another line than it states, or null. A correction states lines of the file that
  // the other hunks need not know.
  const PlacedHunk* moved_hunk_beside(const Hunk& hunk, std::size_t count) const {
    const auto end = result_.hunks.begin() + static_cast<std::ptrdiff_t>(count);
    const auto moved = std::find_if(result_.hunks.begin(), end, [&](const PlacedHunk& placed) {
      const std::optional<std::int64_t> stated = stated_line_of(*placed.hunk);
      return placed.hunk->text == hunk.text && stated && *stated != placed.line;
    });
    return moved == end ? nullptr : &*moved;
  }

  // Places a hunk at the stated line, where it fits. If its old lines occur elsewhere, too, the stated line
  // decides only if no other hunk is moved, and the heading does not contradict.
  void confirm_stated_line(Candidate candidate, std::size_t placed_by_content) {
    const Hunk& hunk = *candidate.hunk;
    const PlacedHunk* const moved = moved_hunk_beside(hunk, placed_by_content);
    const bool is_in_block =
        hunk.headings.empty() || is_below_heading(file_, candidate.stated.offset, hunk.headings.back());
    if (moved == nullptr && is_in_block) return place_at_stated_line(std::move(candidate));
    const std::vector<std::int64_t> places = places_of(candidate.sides);
    if (places.size() == 1) return place_at_stated_line(std::move(candidate));
    const std::int64_t line = place_by_headings(file_lines(), places, hunk);
    if (moved != nullptr && line != 0) return place(std::move(candidate), line, file_lines().offset(line));
    // Blank lines and braces are in many blocks, so that they prove nothing.
    const bool is_contradicted = moved == nullptr && line != 0 && line != candidate.stated.number &&
                                 is_distinctive(candidate.sides.before);
    if (moved == nullptr && !is_contradicted) return place_at_stated_line(std::move(candidate));
    Reject reject{.reason = RejectReason::ambiguous, .line = candidate.stated.number};
    reject.message =
        moved != nullptr
            ? "hunk " + std::to_string(moved->hunk->index + 1) + " of this file is at line " +
                  std::to_string(moved->line) + ", not at the line " +
                  std::to_string(stated_line_of(*moved->hunk).value_or(0)) +
                  " that it states, so the line of this one decides nothing"
            : "the hunk fits at the line that it states, but its heading names the block at line " +
                  std::to_string(line) + ", where it fits, too: correct one of them";
    if (places.empty()) add_to_message(reject, "add lines of context to this one");
    if (is_contradicted)
      set_places(places, reject);
    else
      add_places(places, hunk, reject);
    add_reject(hunk, std::move(reject), 0);
  }

  void place_by_content(Candidate candidate) {
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
    if (fits_but_for_final_newline(candidate)) return add_reject(hunk, mismatch_at_stated_line(candidate), 0);
    const std::optional<std::int64_t> applied =
        is_distinctive(candidate.sides.after) ? applied_line_by_number(candidate, places) : std::nullopt;
    if (applied) return reject_as_present(hunk, *applied, already_applied(*applied));
    if (places.size() == 1 &&
        reject_present_addition(candidate, places.front(), file_lines().offset(places.front())))
      return;
    if (reject_for_block(candidate, places)) return;
    const std::int64_t line =
        places.size() == 1 ? places.front() : place_by_headings(file_lines(), places, hunk);
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

  // Rejects a hunk that has the headings of another block than those with its old lines, which are at
  // `places`, if that block has what the hunk would make, or lines that differ from the old ones in little:
  // then it was changed, and the places are copies. Returns whether it did.
  bool reject_for_block(const Candidate& candidate, const std::vector<std::int64_t>& places) {
    const Hunk& hunk = *candidate.hunk;
    const HunkSides& sides = candidate.sides;
    const LineRange block = block_of_headings(file_lines(), hunk);
    const std::int64_t heading = block.first - 1;
    const std::int64_t end = block.first + block.count;
    const bool is_in_block = std::ranges::any_of(
        places, [&](std::int64_t line) { return line + sides.before_lines > heading && line < end; });
    if (block.count == 0 || is_in_block) return false;
    const std::size_t begin = file_lines().offset(heading);
    const FileLines lines(file_.substr(begin, file_lines().offset(end) - begin));
    if (shows_that_it_was_made(sides)) {
      const std::vector<std::int64_t> made = lines.places_of(sides.after);
      if (!made.empty()) {
        const std::int64_t line = made.front() + heading - 1;
        reject_as_present(hunk, line, already_applied(line));
        return true;
      }
    }
    const std::optional<SimilarText> similar = SimilarTextSearch(lines).find_lines(sides.before, {});
    if (!similar || !is_much_alike(sides.before, similar->nearest)) return false;
    const std::int64_t line = similar->nearest.line + heading - 1;
    Reject reject = mismatch(file_, file_lines().offset(line), line, sides);
    reject.message = "the hunk fits " +
                     (places.size() == 1 ? "at line " + std::to_string(places.front())
                                         : std::to_string(places.size()) + " times") +
                     ", but its heading names the block at line " + std::to_string(heading) +
                     ", where the lines from " + std::to_string(line) +
                     " on are like its own: correct those, or the heading";
    reject.nearest = differences_at(file_lines(), sides.before, line);
    set_places(places, reject);
    add_reject(hunk, std::move(reject), 0);
    return true;
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
    Reject reject = has_position ? mismatch_at_stated_line(candidate)
                                 : Reject{.reason = RejectReason::context_mismatch,
                                          .message = insertion_without_place(hunk)};
    add_reject(hunk, std::move(reject), 0);
  }

  void reject_without_place(const Candidate& candidate) {
    const Hunk& hunk = *candidate.hunk;
    const HunkSides& sides = candidate.sides;
    std::optional<SimilarText> similar = similar_texts().find_lines(sides.before, expected_place(candidate));
    const std::optional<std::int64_t> applied = applied_line(candidate);
    // What the hunk would make may also be a text like it, beside the one that it has to change.
    const bool is_elsewhere = similar && applied &&
                              (similar->nearest.line >= *applied + sides.after_lines ||
                               *applied >= similar->nearest.line + sides.before_lines);
    if (applied && is_distinctive(sides.after) && !is_elsewhere)
      return reject_as_present(hunk, *applied, already_applied(*applied));
    Reject reject;
    if (similar) {
      const std::int64_t line = similar->nearest.line;
      reject = mismatch(file_, file_lines().offset(line), line, sides);
      reject.message =
          "the old lines of the hunk occur nowhere in the file; " +
          (similar->what_differs.empty()
               ? "most like them are those from line " + std::to_string(line) + " on, but " + reject.message
               : "those from line " + std::to_string(line) + " on differ only in " + similar->what_differs);
      if (!similar->other_lines.empty())
        reject.message += ", and so do those from line " + std::to_string(similar->other_lines.front()) +
                          " on, so give it more context, too";
    } else if (hunk.stated) {
      reject = mismatch_at_stated_line(candidate);
      reject.message += ", and its old lines occur nowhere in the file";
    } else {
      reject = mismatch(file_, no_offset, 0, sides);
      reject.line.reset();
      reject.message = "the old lines of the hunk occur nowhere in the file";
    }
    if (applied) add_to_message(reject, already_applied(*applied));
    if (similar) reject.nearest = std::move(similar->nearest);
    add_reject(hunk, std::move(reject), 0);
  }

  // Rejects a hunk that would make what the file has at `line`.
  void reject_as_present(const Hunk& hunk, std::int64_t line, std::string message) {
    add_reject(hunk, {.reason = RejectReason::context_mismatch, .message = std::move(message), .line = line},
               0);
  }

  bool fits_at_stated_line(const Candidate& candidate) const {
    const Hunk& hunk = *candidate.hunk;
    // Where lines are inserted is only clear if the header says that it shows none.
    if (candidate.sides.before.empty() && (!hunk.stated || hunk.stated->before.count != 0)) return false;
    return has_lines_at(file_, candidate.stated.offset, candidate.sides.before, candidate.sides.ends_file);
  }

  // Returns true if the file ends at the stated line with the old lines of the hunk, but without a newline.
  bool fits_but_for_final_newline(const Candidate& candidate) const {
    if (candidate.stated.offset == no_offset) return false;
    const std::string_view end = file_.substr(candidate.stated.offset);
    std::string_view before = candidate.sides.before;
    if (end.empty() || end.ends_with('\n') || !before.ends_with('\n')) return false;
    before.remove_suffix(line_ends_ == LineEnds::cr_added ? 2 : 1);
    return before == end;
  }

  Reject mismatch_at_stated_line(const Candidate& candidate) const {
    return mismatch(file_, candidate.stated.offset, candidate.stated.number, candidate.sides);
  }

  // Returns the line from which on the file has the new lines of the hunk, at its stated line or, if they are
  // distinctive, elsewhere; nullopt if it has not.
  std::optional<std::int64_t> applied_line(const Candidate& candidate) {
    if (const std::optional<std::int64_t> line = applied_line_by_number(candidate)) return line;
    const HunkSides& sides = candidate.sides;
    if (!shows_that_it_was_made(sides)) return std::nullopt;
    const std::vector<std::int64_t> lines = places_of(sides.after, sides.after_lines, sides.ends_file);
    return lines.empty() ? std::nullopt : std::optional(lines.front());
  }

  // Returns the line if the file has the hunk's new lines at its stated line, as after the patch was applied.
  // The stated line of the new side is not used, because it is often wrong. New lines that are a part of the
  // old ones prove nothing where the file has the old ones, which is at `places`, nor, if these are nowhere,
  // for a hunk that removes its last lines: they may only be written in another way.
  std::optional<std::int64_t> applied_line_by_number(const Candidate& candidate,
                                                     const std::vector<std::int64_t>& places = {}) {
    const HunkSides& sides = candidate.sides;
    const StatedLine& stated = candidate.stated;
    if (stated.offset == no_offset || sides.after.empty()) return std::nullopt;
    if (places.empty() && sides.before.starts_with(sides.after)) return std::nullopt;
    auto is_applied_at = [&](std::int64_t line, std::size_t offset) {
      return has_lines_at(file_, offset, sides.after, sides.ends_file) &&
             std::ranges::none_of(places, [&](std::int64_t old_line) {
               return old_line <= line && line + sides.after_lines <= old_line + sides.before_lines;
             });
    };
    const std::int64_t line = stated.number_afterwards;
    const bool has_line = line >= 1 && line <= file_lines().count() + 1;
    if (has_line && is_applied_at(line, file_lines().offset(line))) return line;
    return is_applied_at(stated.number, stated.offset) ? std::optional(stated.number) : std::nullopt;
  }

  // Returns the lines at which the old lines of a hunk occur.
  std::vector<std::int64_t> places_of(const HunkSides& sides) {
    return places_of(sides.before, sides.before_lines, sides.ends_file);
  }

  std::vector<std::int64_t> places_of(std::string_view lines, std::int64_t line_count, bool ends_file) {
    std::vector<std::int64_t> places = file_lines().places_of(lines);
    if (ends_file)
      std::erase_if(places, [&](std::int64_t line) { return line + line_count <= file_lines().count(); });
    return places;
  }

  ExpectedPlace expected_place(const Candidate& candidate) {
    LineRange block = block_of_headings(file_lines(), *candidate.hunk);
    if (block.count > 0) {  // The hunk may show lines above its heading.
      const std::int64_t above = std::min(candidate.hunk->before_count, block.first - 1);
      block = {.first = block.first - above, .count = block.count + above};
    }
    return {.line = candidate.stated.number, .block = block};
  }

  SimilarTextSearch& similar_texts() {
    if (!similar_texts_) similar_texts_.emplace(file_lines());
    return *similar_texts_;
  }

  // The index is made when the first hunk does not fit at its line.
  const FileLines& file_lines() {
    if (!file_lines_) file_lines_.emplace(file_);
    return *file_lines_;
  }

  // Returns the line from which on the file already has what the hunk would add at `offset`, or nullopt. Only
  // hunks without context on one side are examined: git writes these only at the ends of a file, unless it is
  // asked for no context.
  std::optional<std::int64_t> line_of_present_addition(const HunkSides& sides, std::int64_t line,
                                                       std::size_t offset) const {
    if (sides.ends_file) return std::nullopt;
    const std::string_view below = added_below(sides);
    if (is_distinctive(below) && has_lines_at(file_, offset + sides.before.size(), below, false))
      return line + sides.before_lines;
    const std::string_view above = added_above(sides);
    if (is_distinctive(above) && offset >= above.size() &&
        has_lines_at(file_, offset - above.size(), above, false))
      return line - (sides.after_lines - sides.before_lines);
    return std::nullopt;
  }

  // Rejects a hunk whose old lines are at `line` if the file already has there what it would add. Returns
  // whether it did.
  bool reject_present_addition(const Candidate& candidate, std::int64_t line, std::size_t offset) {
    const std::optional<std::int64_t> present = line_of_present_addition(candidate.sides, line, offset);
    if (present)
      reject_as_present(*candidate.hunk, *present,
                        "what the hunk adds is already in the file from line " + std::to_string(*present) +
                            " on, so leave the hunk out; to add it again, show the lines on both sides");
    return present.has_value();
  }

  void place(Candidate candidate, std::int64_t line, std::size_t offset) {
    if (!reject_present_addition(candidate, line, offset)) accept(std::move(candidate), line, offset);
  }

  void accept(Candidate candidate, std::int64_t line, std::size_t offset) {
    const bool is_outside =
        line != candidate.stated.number && is_outside_headings(file_lines(), line, *candidate.hunk);
    result_.hunks.push_back({.hunk = candidate.hunk,
                             .sides = std::move(candidate.sides),
                             .offset = offset,
                             .line = line,
                             .is_outside_heading = is_outside});
  }

  void place_at_stated_line(Candidate candidate) {
    const std::int64_t line = candidate.stated.number;
    const std::size_t offset = candidate.stated.offset;
    place(std::move(candidate), line, offset);
  }

  static void set_places(const std::vector<std::int64_t>& places, Reject& reject) {
    if (places.size() == 1) reject.applicable_line = places.front();
    if (places.size() < 2) return;
    reject.places.assign(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(
                                                              std::min(places.size(), reject_places_max)));
    reject.places_total = static_cast<std::int64_t>(places.size());
  }

  void add_places(const std::vector<std::int64_t>& places, const Hunk& hunk, Reject& reject) {
    set_places(places, reject);
    if (places.size() < 2) return;
    add_to_message(reject, "the hunk fits more than once, first at the lines " + std::to_string(places[0]) +
                               " and " + std::to_string(places[1]) +
                               std::string(advice_for_several_places(file_lines(), hunk)));
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
    std::ranges::sort(hunks, {}, [](const PlacedHunk& hunk) {
      return std::tuple(hunk.offset, !hunk.sides.before.empty(), hunk.hunk->index);
    });
    std::vector<PlacedHunk> separate;
    for (PlacedHunk& next : hunks) {
      const bool has_last = !separate.empty();
      const bool overlaps =
          has_last && next.offset < separate.back().offset + separate.back().sides.before.size();
      const bool follows_end = has_last && !overlaps && separate.back().sides.ends_file;
      const bool repeats = has_last && !overlaps && adds_the_same(separate.back(), next);
      if (!overlaps && !follows_end && !repeats) {
        separate.push_back(std::move(next));
        continue;
      }
      const bool is_later = next.hunk->index > separate.back().hunk->index;
      const PlacedHunk& rejected = is_later ? next : separate.back();
      Reject reject{.reason = RejectReason::context_mismatch,
                    .message = "the hunk overlaps the lines of an earlier hunk; write both as one hunk",
                    .applicable_line = rejected.line};
      if (repeats)
        reject.message =
            "the hunk adds the same lines at the same place as another hunk; leave one of them out";
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
  std::optional<SimilarTextSearch> similar_texts_;
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

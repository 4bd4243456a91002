#include "tools/engine/patch/apply.h"

#include <algorithm>
#include <cstring>

#include "tools/engine/base/common_errors.h"

namespace snapgen::core {
namespace {

constexpr std::size_t no_position = std::string_view::npos;
constexpr std::string_view must_end =
    "the hunk's last line has no newline, so the file must end there, but it has more lines";

// A hunk as two texts, of which the second replaces the first.
struct Sides {
  std::string before;
  std::string after;
  bool lacks_final_newline =
      false;  // The hunk must end at the end of the file: one of its lines has no newline.
};

Sides sides_of(const Hunk& hunk) {
  Sides sides;
  HunkLine line;
  for (std::string_view body = hunk.body; next_line(body, line);) {
    if (!line.has_newline) sides.lacks_final_newline = true;
    for (std::string* side : {&sides.before, &sides.after}) {
      if (line.kind == (side == &sides.before ? '+' : '-')) continue;
      *side += line.text;
      if (line.has_newline) *side += '\n';
    }
  }
  return sides;
}

std::string shown_line(std::string_view line) { return std::string(line.substr(0, reject_line_bytes_max)); }

// LineStarts finds the offsets of lines; queries must be in ascending order.
class LineStarts {
 public:
  explicit LineStarts(std::string_view text) : text_(text) {}

  // Returns the offset of `line`, from 1. The line after the last one is at the end of the file; a line
  // beyond that is at no_position.
  std::size_t of(std::int64_t line) {
    while (line_ < line) {
      if (at_ == text_.size()) return no_position;
      std::size_t end = text_.find('\n', at_);
      at_ = end == no_position ? text_.size() : end + 1;
      ++line_;
    }
    return at_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

bool begins_line(std::string_view file, std::size_t at) { return at == 0 || file[at - 1] == '\n'; }

bool fits(std::string_view file, std::size_t at, const Sides& sides) {
  if (at == no_position || !begins_line(file, at) || file.size() - at < sides.before.size()) return false;
  if (sides.lacks_final_newline && file.size() - at != sides.before.size()) return false;
  return std::memcmp(file.data() + at, sides.before.data(), sides.before.size()) == 0;
}

// Returns the first offsets at which the hunk fits, at most two. A hunk without old lines fits only at its
// own line.
std::vector<std::size_t> places_of(std::string_view file, const Sides& sides) {
  const std::string& block = sides.before;
  std::vector<std::size_t> found;
  if (block.empty() || block.size() > file.size()) return found;
  if (sides.lacks_final_newline) {
    std::size_t at = file.size() - block.size();
    if (fits(file, at, sides)) found.push_back(at);
    return found;
  }
  for (std::size_t from = 0; from + block.size() <= file.size();) {
    const void* hit = ::memmem(file.data() + from, file.size() - from, block.data(), block.size());
    if (hit == nullptr) break;
    std::size_t at = static_cast<std::size_t>(static_cast<const char*>(hit) - file.data());
    if (begins_line(file, at)) {
      found.push_back(at);
      if (found.size() == 2) return found;
    }
    from = at + 1;
  }
  return found;
}

std::int64_t line_number_at(std::string_view file, std::size_t at) {
  return 1 + std::count(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(at), '\n');
}

// Describes why lines cannot be inserted at `at`, which follows line `hunk.before.first`.
Reject misplaced_insertion(std::string_view file, std::size_t at, const Hunk& hunk) {
  const std::int64_t last = hunk.before.first;
  Reject reject{.reason = RejectReason::eof_newline, .line = last};
  if (at == no_position) {
    reject.reason = RejectReason::context_mismatch;
    reject.message = "the file ends before line " + std::to_string(last) + ", after which the hunk inserts";
  } else if (!begins_line(file, at)) {
    reject.message = "line " + std::to_string(last) + " of the file has no newline, so no line can follow it";
  } else {
    reject.line = last + 1;
    reject.found = shown_line(file.substr(at, std::min(file.find('\n', at), file.size()) - at));
    reject.message = std::string(must_end);
  }
  return reject;
}

// Describes the first difference between the file at `at` and the hunk.
Reject mismatch(std::string_view file, std::size_t at, const Hunk& hunk) {
  if (hunk.before.count == 0) return misplaced_insertion(file, at, hunk);
  std::int64_t number = hunk.before.first;
  std::string_view rest = at == no_position ? std::string_view() : file.substr(at);
  HunkLine line;
  for (std::string_view body = hunk.body; next_line(body, line);) {
    if (line.kind == '+') continue;
    Reject reject{
        .reason = RejectReason::context_mismatch, .line = number, .expected = shown_line(line.text)};
    if (rest.empty()) {
      reject.message = "the file ends before line " + std::to_string(number) + ", which the hunk shows";
      return reject;
    }
    std::size_t end = std::min(rest.find('\n'), rest.size());
    reject.found = shown_line(rest.substr(0, end));
    if (rest.substr(0, end) != line.text) {
      reject.message = "line " + std::to_string(number) + " of the file is not what the hunk shows";
      return reject;
    }
    if ((end < rest.size()) != line.has_newline) {
      reject.reason = RejectReason::eof_newline;
      reject.message = line.has_newline
                           ? "the file ends without a newline, but the hunk's line has one: add the line "
                             "`\\ No newline at end of file` after it"
                           : "the hunk's line has no newline, but the file's line has one: remove the line "
                             "`\\ No newline at end of file` after it";
      return reject;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
  }
  std::size_t end = std::min(rest.find('\n'), rest.size());
  return Reject{.reason = RejectReason::eof_newline,
                .message = std::string(must_end),
                .line = number,
                .found = shown_line(rest.substr(0, end))};
}

// Whether the file has the hunk's new lines at `at`, as after the patch was applied.
bool has_new_lines(std::string_view file, std::size_t at, const Sides& sides) {
  return !sides.after.empty() &&
         fits(file, at, {.before = sides.after, .lacks_final_newline = sides.lacks_final_newline});
}

struct Placed {
  std::size_t at = 0;
  std::size_t size = 0;  // The number of bytes to replace.
  std::string after;
};

}  // namespace

Result<AppliedHunks> apply_hunks(std::string_view before, const std::vector<Hunk>& hunks, bool allow_offset,
                                 std::stop_token stop) {
  AppliedHunks result;
  std::vector<Placed> placed;
  LineStarts starts(before);
  LineStarts new_starts(before);  // For the line numbers after the patch.
  std::size_t end_of_last = 0;
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    if (stop.stop_requested()) return cancelled_write_error();
    const Hunk& hunk = hunks[i];
    auto number = static_cast<std::int64_t>(i);
    Sides sides = sides_of(hunk);
    std::size_t at = starts.of(first_line_of(hunk.before));
    const std::size_t new_at = new_starts.of(first_line_of(hunk.after));
    std::int64_t moved = 0;
    if (!fits(before, at, sides)) {
      const std::vector<std::size_t> places = places_of(before, sides);
      const std::size_t elsewhere = places.size() == 1 ? places.front() : no_position;
      Reject reject = mismatch(before, at, hunk);
      if (has_new_lines(before, new_at, sides))
        reject.message += "; the file is already as the hunk would make it there, so leave the hunk out";
      if (places.size() > 1)
        reject.message += "; the hunk fits more than once, first at the lines " +
                          std::to_string(line_number_at(before, places[0])) + " and " +
                          std::to_string(line_number_at(before, places[1])) + ", so give it the right line";
      reject.hunk_index = number;
      reject.patch_line = hunk.patch_line;
      if (elsewhere != no_position) reject.applicable_line = line_number_at(before, elsewhere);
      if (!allow_offset || elsewhere == no_position) {
        result.rejects.push_back(std::move(reject));
        continue;
      }
      at = elsewhere;
      moved = *reject.applicable_line - hunk.before.first;
    }
    if (at < end_of_last) {
      result.rejects.push_back(Reject{.hunk_index = number,
                                      .reason = RejectReason::context_mismatch,
                                      .message = "the hunk overlaps the lines of an earlier hunk",
                                      .patch_line = hunk.patch_line,
                                      .applicable_line = line_number_at(before, at)});
      continue;
    }
    end_of_last = at + sides.before.size();
    if (moved != 0) result.offsets.push_back(HunkOffset{.hunk_index = number, .line_offset = moved});
    placed.push_back(Placed{.at = at, .size = sides.before.size(), .after = std::move(sides.after)});
  }
  if (!result.rejects.empty()) return result;

  std::size_t from = 0;
  for (const Placed& change : placed) {
    result.bytes.append(before, from, change.at - from);
    result.bytes += change.after;
    from = change.at + change.size;
  }
  result.bytes.append(before, from);
  return result;
}

}  // namespace snapgen::core

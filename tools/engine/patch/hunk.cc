#include "tools/engine/patch/hunk.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/file_header.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t number_max = std::int64_t{1} << 48;
constexpr std::string_view marker = "\\ ";
// `git format-patch` ends a patch with this line and git's version.
constexpr std::string_view mail_signature = "-- ";
constexpr std::string_view end_of_file_line = "*** End of File";

bool take_number(std::string_view& text, std::int64_t& out) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || out > number_max) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_range(std::string_view& text, LineRange& out) {
  out.count = 1;
  return take_number(text, out.first) && (!take_prefix(text, ",") || take_number(text, out.count));
}

bool take_ranges(std::string_view& text, StatedRanges& out) {
  return take_prefix(text, "@@ -") && take_range(text, out.before) && take_prefix(text, " +") &&
         take_range(text, out.after) && take_prefix(text, " @@");
}

enum class HunkForm : std::uint8_t { unified, v4a };

void read_hunk_header(std::string_view line, HunkForm form, Hunk& hunk) {
  std::string_view rest = line;
  StatedRanges stated;
  if (take_ranges(rest, stated)) {
    hunk.stated = stated;
  } else {
    rest = line.substr(2);
    // Anything but two ranges between two `@@`, such as an ellipsis, states nothing.
    const std::size_t second = form == HunkForm::unified ? rest.find("@@") : std::string_view::npos;
    if (second != std::string_view::npos) rest.remove_prefix(second + 2);
  }
  if (const std::string_view heading = trimmed(rest); !heading.empty()) hunk.headings.push_back(heading);
}

bool is_blank_line(std::string_view line) { return line.empty() || line == "\r"; }

std::string range_text(std::int64_t line, std::int64_t count) {
  return std::to_string(line - (count == 0 ? 1 : 0)) + "," + std::to_string(count);
}

// Reads the lines of a hunk.
class BodyReader {
 public:
  BodyReader(PatchLines& lines, HunkForm form, Hunk& hunk)
      : lines_(lines), form_(form), hunk_(hunk), begin_(lines.offset()), end_(begin_) {}

  std::optional<PatchFault> read() {
    while (!lines_.at_end() && !is_at_text_ && !is_at_end_of_hunk()) {
      if (std::optional<PatchFault> fault = read_line()) return fault;
    }
    if (form_ == HunkForm::v4a && trimmed(lines_.line()) == end_of_file_line) {
      if (std::optional<PatchFault> fault = end_file()) return fault;
    } else {
      add_counted_blank_lines();
    }
    hunk_.body = lines_.text().substr(begin_, end_ - begin_);
    return std::nullopt;
  }

  bool has_change() const { return has_change_; }

 private:
  PatchFault fault(std::string message) const { return {lines_.number(), std::move(message)}; }

  // Returns true if the stated counts are those of the lines so far, with `blank_lines` blank lines.
  bool counts_are_right(std::size_t blank_lines) const {
    const auto more = static_cast<std::int64_t>(blank_lines);
    return hunk_.stated && hunk_.stated->before.count == hunk_.before_count + more &&
           hunk_.stated->after.count == hunk_.after_count + more;
  }

  bool is_at_end_of_hunk() const {
    const std::string_view line = lines_.line();
    if (form_ == HunkForm::v4a) return line.starts_with("@@") || line.starts_with('*');
    if (line.starts_with("@@") || begins_diff_part(lines_)) return true;
    if (line == mail_signature && counts_are_right(blank_line_ends_.size())) return true;
    return begins_side_lines(lines_) && !is_content_like_side_lines();
  }

  // Returns true if the lines `--- ` and `+++ ` are a removed and an added line.
  bool is_content_like_side_lines() const {
    const auto more = static_cast<std::int64_t>(blank_line_ends_.size()) + 1;
    const bool counts_have_room = hunk_.stated && hunk_.stated->before.count >= hunk_.before_count + more &&
                                  hunk_.stated->after.count >= hunk_.after_count + more;
    if (!counts_have_room) return false;
    if (!begins_side_lines_with_hunk(lines_)) return true;
    PatchLines ahead = lines_;
    SideLine old_side, new_side;
    return read_side_line(ahead, "--- ", old_side) || read_side_line(ahead, "+++ ", new_side) ||
           !path_of_sides(old_side, new_side, {});
  }

  std::optional<PatchFault> read_line() {
    const std::string_view line = lines_.line();
    if (is_blank_line(line)) {
      lines_.advance();
      blank_line_ends_.push_back(lines_.offset());
      return std::nullopt;
    }
    const bool is_marker = line.starts_with(marker);
    const char kind = line.front();
    if (!is_marker && kind != ' ' && kind != '-' && kind != '+') return end_before_text();
    std::optional<PatchFault> fault = add_blank_lines();
    if (!fault) fault = is_marker ? add_marker() : add(kind);
    if (fault) return fault;
    lines_.advance();
    end_ = lines_.offset();
    return std::nullopt;
  }

  std::optional<PatchFault> add(char kind) {
    const bool is_old = kind != '+';
    const bool is_new = kind != '-';
    if ((is_old && old_ended_) || (is_new && new_ended_))
      return fault("a line follows the one that is marked as the file's last without a newline");
    hunk_.before_count += is_old ? 1 : 0;
    hunk_.after_count += is_new ? 1 : 0;
    if (kind != ' ') has_change_ = true;
    last_kind_ = kind;
    return std::nullopt;
  }

  // Adds the blank lines since the last other line as context.
  std::optional<PatchFault> add_blank_lines() {
    for (std::size_t i = 0; i < blank_line_ends_.size(); ++i) {
      if (std::optional<PatchFault> fault = add(' ')) return fault;
    }
    if (!blank_line_ends_.empty()) end_ = blank_line_ends_.back();
    blank_line_ends_.clear();
    return std::nullopt;
  }

  // Reads the line `*** End of File`, above which blank lines are content.
  std::optional<PatchFault> end_file() {
    if (std::optional<PatchFault> fault = add_blank_lines()) return fault;
    hunk_.is_at_end_of_file = true;
    lines_.advance();
    return std::nullopt;
  }

  std::optional<PatchFault> add_marker() {
    if (last_kind_ == 0) return fault("a no-newline marker precedes the first line of its hunk");
    if (last_kind_ != '+') old_ended_ = true;
    if (last_kind_ != '-') new_ended_ = true;
    last_kind_ = 0;
    return std::nullopt;
  }

  // Ends the hunk before other text. It is an error if lines of the hunk may follow, because a context line
  // has lost its blank: to skip them would lose changes.
  std::optional<PatchFault> end_before_text() {
    const bool is_complete = form_ == HunkForm::v4a ? is_at_closing_fence(lines_)
                                                    : counts_are_right(blank_line_ends_.size()) ||
                                                          counts_are_right(0) || !has_lines_after_text();
    if (!is_complete)
      return fault(
          "this line of a hunk begins with neither a blank nor + nor -; a context line begins with a "
          "blank");
    is_at_text_ = true;
    return std::nullopt;
  }

  bool has_lines_after_text() const {
    PatchLines rest = lines_;
    const bool is_closed = is_fence(rest.line());
    for (rest.advance(); !rest.at_end() && !begins_part(rest); rest.advance()) {
      if (rest.line().starts_with("@@")) return !is_closed;
      if (is_fence(rest.line())) return false;
      if (!rest.line().empty() && std::string_view(" +-").find(rest.line().front()) != std::string_view::npos)
        return true;
      if (is_closed) return false;
    }
    return false;
  }

  void add_counted_blank_lines() {
    const std::size_t end = end_;
    for (std::size_t count = 1; count <= blank_line_ends_.size(); ++count) {
      if (!counts_are_right(count) || old_ended_ || new_ended_) continue;
      end_ = blank_line_ends_[count - 1];
      hunk_.separator_bytes = end_ - end;
      hunk_.before_count += static_cast<std::int64_t>(count);
      hunk_.after_count += static_cast<std::int64_t>(count);
      return;
    }
  }

  PatchLines& lines_;
  HunkForm form_;
  Hunk& hunk_;
  std::size_t begin_;
  std::size_t end_;                           // The end of the last line that is not blank.
  std::vector<std::size_t> blank_line_ends_;  // The ends of the blank lines since then.
  char last_kind_ = 0;                        // The kind of the line that a marker would refer to; 0: none.
  bool old_ended_ = false;
  bool new_ended_ = false;
  bool has_change_ = false;
  bool is_at_text_ = false;
};

std::optional<PatchFault> read_body(PatchLines& lines, HunkForm form, Hunk& out) {
  BodyReader body(lines, form, out);
  if (std::optional<PatchFault> fault = body.read()) return fault;
  if (!body.has_change()) return PatchFault{out.patch_line, "the hunk changes nothing"};
  return std::nullopt;
}

}  // namespace

bool next_line(std::string_view& body, HunkLine& line) {
  if (body.empty()) return false;
  const std::size_t end = std::min(body.find('\n'), body.size());
  const std::string_view whole = body.substr(0, end);
  body.remove_prefix(std::min(end + 1, body.size()));
  const bool is_blank = is_blank_line(whole);
  line.kind = is_blank ? ' ' : whole.front();
  line.text = is_blank ? whole : whole.substr(1);
  line.has_newline = !body.starts_with(marker);
  if (!line.has_newline) {
    const std::size_t marker_end = std::min(body.find('\n'), body.size());
    // If the marker has a CR, so have all lines of the patch, and that of this line is not content.
    if (body[marker_end - 1] == '\r' && line.text.ends_with('\r')) line.text.remove_suffix(1);
    body.remove_prefix(std::min(marker_end + 1, body.size()));
  }
  return true;
}

std::optional<PatchFault> read_hunk(PatchLines& lines, Hunk& out) {
  out.patch_line = lines.number();
  const std::optional<PatchFault> fault_of_header = fault_of_header_line(lines);
  const std::string_view header = lines.header_line();
  lines.advance();
  if (fault_of_header) return fault_of_header;
  if (header.starts_with("@@@"))
    return PatchFault{out.patch_line, "this is the diff of a merge, which cannot be applied"};
  read_hunk_header(header, HunkForm::unified, out);
  return read_body(lines, HunkForm::unified, out);
}

std::optional<PatchFault> read_v4a_hunk(PatchLines& lines, Hunk& out) {
  out.patch_line = lines.number();
  out.headings_name_blocks = true;
  if (lines.line().starts_with('*'))
    return PatchFault{out.patch_line, "this line is neither a header of a file nor part of a hunk"};
  for (; lines.line().starts_with("@@"); lines.advance()) {
    if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
    read_hunk_header(lines.header_line(), HunkForm::v4a, out);
  }
  return read_body(lines, HunkForm::v4a, out);
}

std::string hunk_header(const Hunk& hunk, std::int64_t line, std::int64_t shift) {
  return "@@ -" + range_text(line, hunk.before_count) + " +" + range_text(line + shift, hunk.after_count) +
         " @@";
}

}  // namespace snapgen::core

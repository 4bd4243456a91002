#include "tools/engine/patch/hunk.h"

#include <charconv>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t number_max = std::int64_t{1} << 48;
constexpr std::size_t header_bytes_max = 64 * 1024;  // Two paths with every byte escaped, and some margin.
constexpr std::string_view marker = "\\ ";

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

bool read_ranges(std::string_view text, LineRange& before, LineRange& after) {
  return take_prefix(text, "@@ -") && take_range(text, before) && take_prefix(text, " +") &&
         take_range(text, after) && take_prefix(text, " @@") && (text.empty() || text.front() == ' ');
}

std::string lines_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " line" : " lines");
}

// Reads the lines of a hunk and checks their number against the header.
class Body {
 public:
  Body(PatchLines& lines, const Hunk& hunk)
      : lines_(lines), old_left_(hunk.before.count), new_left_(hunk.after.count) {}

  std::optional<PatchFault> read() {
    while (old_left_ > 0 || new_left_ > 0) {
      if (std::optional<PatchFault> fault = read_line()) return fault;
    }
    if (!lines_.at_end() && lines_.line().starts_with(marker)) {
      if (std::optional<PatchFault> fault = read_marker()) return fault;
    }
    return std::nullopt;
  }

  bool has_change() const { return has_change_; }
  bool lacks_final_newline() const { return old_ended_ || new_ended_; }

 private:
  PatchFault fault(std::string message) const { return {lines_.number(), std::move(message)}; }

  std::optional<PatchFault> read_line() {
    if (lines_.at_end()) return fault("the patch ends inside a hunk, which lacks " + missing());
    std::string_view line = lines_.line();
    if (line.starts_with(marker)) return read_marker();
    char kind = line.empty() ? ' ' : line.front();
    if (kind != ' ' && kind != '-' && kind != '+')
      return fault("the hunk ends here but still lacks " + missing());
    if (!lines_.has_newline())
      return fault("the last line of the patch has no newline, so it may have been cut off");
    bool on_old = kind != '+';
    bool on_new = kind != '-';
    if ((on_old && old_left_ == 0) || (on_new && new_left_ == 0))
      return fault("the hunk has more lines here than its @@ line says; it still lacks " + missing());
    if ((on_old && old_ended_) || (on_new && new_ended_))
      return fault("a line follows the one that is marked as the file's last without a newline");
    old_left_ -= on_old ? 1 : 0;
    new_left_ -= on_new ? 1 : 0;
    if (kind != ' ') has_change_ = true;
    last_kind_ = kind;
    lines_.advance();
    return std::nullopt;
  }

  std::optional<PatchFault> read_marker() {
    if (last_kind_ == 0) return fault("a no-newline marker precedes the first line of its hunk");
    if (!lines_.has_newline())
      return fault("the last line of the patch has no newline, so it may have been cut off");
    if (last_kind_ != '+') old_ended_ = true;
    if (last_kind_ != '-') new_ended_ = true;
    last_kind_ = 0;
    lines_.advance();
    return std::nullopt;
  }

  std::string missing() const {
    const std::string old_side = old_left_ == 0 ? "" : lines_text(old_left_) + " of the old side";
    const std::string new_side = new_left_ == 0 ? "" : lines_text(new_left_) + " of the new side";
    return old_side + (old_side.empty() || new_side.empty() ? "" : " and ") + new_side;
  }

  PatchLines& lines_;
  std::int64_t old_left_;
  std::int64_t new_left_;
  char last_kind_ = 0;  // The kind of the line that a marker would refer to; 0: none.
  bool old_ended_ = false;
  bool new_ended_ = false;
  bool has_change_ = false;
};

// Returns true if the next line belongs to a hunk.
bool goes_on(const PatchLines& lines) {
  return !lines.at_end() && !lines.line().empty() &&
         std::string_view(" +-\\").find(lines.line().front()) != std::string_view::npos &&
         !lines.line().starts_with("--- ");
}

}  // namespace

bool next_line(std::string_view& body, HunkLine& line) {
  if (body.empty()) return false;
  std::size_t end = body.find('\n');
  std::string_view whole = body.substr(0, end);
  body.remove_prefix(end + 1);
  line.kind = whole.empty() ? ' ' : whole.front();
  line.text = whole.empty() ? whole : whole.substr(1);
  line.has_newline = !body.starts_with(marker);
  if (!line.has_newline) body.remove_prefix(body.find('\n') + 1);
  return true;
}

std::optional<PatchFault> fault_of_header_line(const PatchLines& lines) {
  if (!lines.has_newline())
    return PatchFault{lines.number(),
                      "the last line of the patch has no newline, so it may have been cut off"};
  if (lines.line().size() > header_bytes_max)
    return PatchFault{lines.number(), "this header line is too long"};
  if (lines.line().ends_with('\r'))
    return PatchFault{lines.number(),
                      "a header line of the patch ends in CR LF; the patch's own lines must end in LF"};
  return std::nullopt;
}

std::optional<PatchFault> read_hunk(PatchLines& lines, ParsedHunk& out) {
  std::int64_t number = lines.number();
  Hunk& hunk = out.hunk;
  hunk.patch_line = number;
  if (!read_ranges(lines.line(), hunk.before, hunk.after)) {
    if (std::optional<PatchFault> fault = fault_of_header_line(lines)) return fault;
    return PatchFault{number, "this is not a hunk's header, which reads @@ -line,count +line,count @@"};
  }
  if (hunk.before.first == 0 && hunk.before.count != 0)
    return PatchFault{number, "a hunk that shows old lines cannot begin at line 0"};
  lines.advance();

  std::size_t begin = lines.offset();
  Body body(lines, hunk);
  if (std::optional<PatchFault> fault = body.read()) return fault;
  hunk.body = lines.text().substr(begin, lines.offset() - begin);
  // Excess lines are an error, because skipping them would lose changes.
  if (goes_on(lines)) return PatchFault{lines.number(), "the hunk has more lines than its @@ line says"};
  if (!body.has_change()) return PatchFault{number, "the hunk changes nothing"};
  out.lacks_final_newline = body.lacks_final_newline();
  return std::nullopt;
}

}  // namespace snapgen::core

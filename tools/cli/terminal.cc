#include "tools/cli/terminal.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

constexpr auto progress_after = std::chrono::seconds(1);
constexpr std::size_t progress_bar_columns = 24;
constexpr std::size_t width_usual = 80;

constexpr std::array<std::string_view, 7> codes = {"", "1", "2", "31", "32", "33", "36"};

bool knows_colours() {
  return !environment_variable("NO_COLOR") && environment_variable("TERM").value_or("dumb") != "dumb";
}

std::size_t width_of(int fd) {
  winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return width_usual;
}

// Characters that are invisible or change how others are displayed: line separators, and the general category
// Cf except visible signs such as U+0600.
constexpr std::array<std::pair<char32_t, char32_t>, 13> unseen = {{{0x00ad, 0x00ad},
                                                                   {0x061c, 0x061c},
                                                                   {0x180e, 0x180e},
                                                                   {0x200b, 0x200f},
                                                                   {0x2028, 0x202e},
                                                                   {0x2060, 0x206f},
                                                                   {0xfeff, 0xfeff},
                                                                   {0xfff9, 0xfffb},
                                                                   {0x13430, 0x1343f},
                                                                   {0x1bca0, 0x1bca3},
                                                                   {0x1d173, 0x1d17a},
                                                                   {0xe0001, 0xe0001},
                                                                   {0xe0020, 0xe007f}}};

bool is_unseen(char32_t character) {
  return std::any_of(unseen.begin(), unseen.end(), [&](const auto& range) {
    return character >= range.first && character <= range.second;
  });
}

// Returns the first character of `text` and its size in bytes; for invalid UTF-8, U+FFFD and one byte.
std::pair<char32_t, std::size_t> first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  char32_t value = size == 1 ? lead : lead & (0xffU >> (size + 1));
  bool whole = size <= text.size() && (lead < 0x80 || lead >= 0xc2) && lead < 0xf5;
  for (std::size_t i = 1; whole && i < size; ++i) {
    whole = (text[i] & 0xc0) == 0x80;
    value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  if (!whole) return {0xfffd, 1};
  return {value, size};
}

std::string named_character(char32_t character) {
  char text[16];
  std::snprintf(text, sizeof text, "<U+%04X>", static_cast<unsigned>(character));
  return text;
}

enum class Breaks : bool { become_spaces, stay };

std::string harmless(std::string_view text, Breaks breaks) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [character, size] = first_character(text);
    const bool is_break = character == '\n' || character == '\t' || character == '\r';
    // A \r without a line feed would overwrite printed text, so it does not stay.
    const bool stays = breaks == Breaks::stay && (character != '\r' || text.substr(1).starts_with('\n'));
    if (is_break && (stays || breaks == Breaks::become_spaces)) {
      out += stays ? text[0] : ' ';
    } else if (hidden_character_bytes(text) > 0) {
      out += visible(std::string(text.substr(0, size)));
    } else if (is_unseen(character)) {
      out += named_character(character);
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

// Returns the first `columns` of a text, with an ellipsis if it is longer.
std::string cut(std::string text, std::size_t columns) {
  if (code_point_count(text) <= columns) return text;
  if (columns == 0) return "";
  std::size_t end = 0;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((text[at] & 0xc0) == 0x80) continue;
    if (end++ == columns - 1) break;
  }
  text.resize(at);
  return text + "…";
}

struct Piece {
  std::string text;
  Colour colour = Colour::plain;
};

// Removes trailing blanks, and cuts the line to `width` unless that is 0.
void fit_into(std::vector<Piece>& line, std::size_t width) {
  std::size_t length = 0;
  bool ends = true;
  for (auto piece = line.rbegin(); piece != line.rend(); ++piece) {
    if (ends) piece->text.resize(piece->text.find_last_not_of(' ') + 1);
    ends = ends && piece->text.empty();
    length += code_point_count(piece->text);
  }
  if (width == 0 || length <= width) return;
  std::size_t left = width;
  for (Piece& piece : line) {
    const std::size_t wanted = code_point_count(piece.text);
    // A piece that would fill the rest is cut, because one column is reserved for the ellipsis.
    if (wanted < left) {
      left -= wanted;
      continue;
    }
    if (left > 0) piece.text = cut(piece.text + ' ', left);
    if (left == 0) piece.text.clear();
    left = 0;
  }
}

}  // namespace

Terminal Terminal::of(int fd) {
  Terminal found{.fd = fd, .is_terminal = ::isatty(fd) == 1};
  if (!found.is_terminal) return found;
  found.has_colours = knows_colours();
  found.width = width_of(fd);
  return found;
}

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!has_colours || colour == Colour::plain || text.empty()) return std::string(text);
  return "\033[" + std::string(codes[static_cast<std::size_t>(colour)]) + "m" + std::string(text) + "\033[0m";
}

Result<Unit> Terminal::print(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) return Unit{};
    if (written < 0)
      return Error(ErrorCode::unavailable,
                   "The output cannot be written: " + std::string(std::strerror(errno)) + ".");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return Unit{};
}

std::string Terminal::sanitized(std::string_view text) const {
  return is_terminal ? harmless(text, Breaks::stay) : std::string(text);
}

std::string printable(std::string_view text) { return harmless(text, Breaks::become_spaces); }

std::string AlignedRows::text(const Terminal& terminal, std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      // The last cell of a row does not widen its column.
      if (i + 1 < row.size() || row[i].is_right_aligned)
        widths[i] = std::max(widths[i], code_point_count(printable(row[i].text)));
    }
  }
  std::string out;
  for (const std::vector<Cell>& row : rows_) {
    std::vector<Piece> line = {{.text = std::string(indent, ' ')}};
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool last = i + 1 == row.size();
      std::string text = printable(row[i].text);
      const std::size_t length = code_point_count(text);
      const std::string padding(length < widths[i] ? widths[i] - length : 0, ' ');
      if (row[i].is_right_aligned) line.push_back({.text = padding});
      line.push_back({.text = std::move(text), .colour = row[i].colour});
      if (!last) line.push_back({.text = (row[i].is_right_aligned ? "" : padding) + "  "});
    }
    fit_into(line, terminal.width);
    for (const Piece& each : line) out += terminal.paint(each.colour, each.text);
    out += '\n';
  }
  return out;
}

std::string facts_text(const Facts& facts, const Terminal& terminal) {
  AlignedRows rows;
  // The terminal's width is left out, so that values are never cut.
  const Terminal endless{
      .fd = terminal.fd, .is_terminal = terminal.is_terminal, .has_colours = terminal.has_colours};
  for (const auto& [name, value] : facts) rows.add({{name, Colour::dim}, {value}});
  return rows.text(endless);
}

std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find_first_of(" \n", at);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(at, end - at);
    const std::size_t length = code_point_count(word);
    if (length > 0) {
      const bool first = column == indent;
      if (!first && width > 0 && column + 1 + length > width) {
        out += "\n" + std::string(indent, ' ');
        column = indent;
      } else if (!first) {
        out += ' ';
        ++column;
      }
      out += word;
      column += length;
    }
    if (end < text.size() && text[end] == '\n') {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    at = end + 1;
  }
  return out;
}

ProgressLine::ProgressLine(Terminal terminal)
    : terminal_(terminal), start_(std::chrono::steady_clock::now()) {}

void ProgressLine::report(double done, std::optional<double> total, std::string_view message) {
  progress_ = done;
  total_ = total;
  message_ = printable(message);
  redraw();
}

std::string ProgressLine::line() const {
  const auto took = std::chrono::steady_clock::now() - start_;
  std::string text;
  if (total_ && *total_ > 0) {
    const double part = std::clamp(progress_ / *total_, 0.0, 1.0);
    const auto full = static_cast<std::size_t>(std::floor(part * progress_bar_columns));
    text = "[" + std::string(full, '#') + std::string(progress_bar_columns - full, '.') + "] " +
           std::to_string(static_cast<int>(std::floor(part * 100))) + "%  ";
  }
  text += duration_text(std::chrono::duration_cast<std::chrono::seconds>(took).count() * 1000);
  if (!message_.empty()) text += "  " + message_;
  // The last column remains empty, because some terminals start a new line there.
  return cut(std::move(text), terminal_.width > 0 ? terminal_.width - 1 : width_usual);
}

void ProgressLine::redraw() {
  if (!is_shown() || std::chrono::steady_clock::now() - start_ < progress_after) return;
  is_drawn_ = true;
  static_cast<void>(terminal_.print("\r\033[K" + line()));
}

void ProgressLine::hide() {
  if (!std::exchange(is_drawn_, false)) return;
  static_cast<void>(terminal_.print("\r\033[K"));
}

std::string number_text(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string age_text(std::int64_t ms, std::int64_t now_ms) {
  const std::int64_t seconds = std::max<std::int64_t>(0, now_ms - ms) / 1000;
  const auto in_words = [](std::int64_t count, const char* unit) {
    return std::to_string(count) + " " + unit + (count == 1 ? " ago" : "s ago");
  };
  if (seconds < 10) return "just now";
  if (seconds < 60) return in_words(seconds, "second");
  if (seconds < 3600) return in_words(seconds / 60, "minute");
  if (seconds < 86400) return in_words(seconds / 3600, "hour");
  if (seconds < 86400 * 60) return in_words(seconds / 86400, "day");
  if (seconds < std::int64_t{86400} * 730) return in_words(seconds / (86400 * 30), "month");
  return in_words(seconds / (std::int64_t{86400} * 365), "year");
}

std::string time_text(std::int64_t ms, const Terminal& terminal) {
  if (terminal.is_terminal) return core::local_time(ms);
  std::string text = core::iso_time(ms);
  text.resize(std::string_view("2026-11-22T00:40:00").size());
  text[text.find('T')] = ' ';
  return text + " UTC";
}

std::string duration_text(std::int64_t ms) {
  if (ms < 1000) return std::to_string(ms) + " ms";
  const std::int64_t seconds = ms / 1000;
  if (seconds < 60) return std::to_string(seconds) + "." + std::to_string(ms % 1000 / 100) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds % 3600 / 60) + " min";
}

}  // namespace snapgen::tools

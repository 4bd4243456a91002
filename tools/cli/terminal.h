#pragma once
// Terminal: the output of commands: colours, width, aligned rows, and a progress line. Rows replace hidden
// characters (runtime/base/visible.h) by their codes, and other invisible ones by their names (<U+200B>), so
// that output cannot control the terminal.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/base/phrase.h"

namespace snapgen::tools {

enum class Colour : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

struct Terminal {
  int fd = -1;
  bool is_terminal = false;
  bool has_colours = false;  // The terminal supports colours, and NO_COLOR is not set.
  std::size_t width = 0;     // Number of columns; 0 means unlimited, because it is not a terminal.

  // Returns the terminal of descriptor 1 or 2.
  static Terminal of(int fd);

  std::string paint(Colour colour, std::string_view text) const;
  // Prepares text with several lines. For a terminal, does as printable(), but line breaks and tabs remain;
  // otherwise returns it unchanged.
  std::string sanitized(std::string_view text) const;

  // Prints the whole text. Errors: unavailable (a full disk). It is not an error if the reader closed the
  // pipe.
  Result<Unit> print(std::string_view text) const;
};

// Makes characters visible that control a terminal or mislead readers; line breaks and tabs become spaces.
std::string printable(std::string_view text);

// AlignedRows aligns cells in columns. No line is longer than the terminal's width.
class AlignedRows {
 public:
  struct Cell {
    std::string text;
    Colour colour = Colour::plain;
    bool is_right_aligned = false;  // The cell is right-aligned, as numbers are.
  };

  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // Returns one line per row, indented by `indent` columns.
  std::string text(const Terminal& terminal, std::size_t indent = 0) const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

// Facts are names with values, which facts_text() prints in two columns.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string facts_text(const Facts& facts, const Terminal& terminal);

// Wraps words into lines of at most `width` columns (0: one line); all but the first are indented by
// `indent`.
std::string wrapped_text(std::string_view text, std::size_t width, std::size_t indent);

// A progress line with a bar, redrawn in place. It is shown only on a terminal, after one second, and erased
// at the end.
class ProgressLine {
 public:
  explicit ProgressLine(Terminal terminal);
  ProgressLine(ProgressLine&&) = delete;
  ~ProgressLine() { hide(); }

  // Returns whether redraw() should be called regularly.
  bool is_shown() const { return terminal_.is_terminal; }
  // `total` is nullopt if it is unknown.
  void report(double done, std::optional<double> total, std::string_view message);
  void redraw();
  void hide();

 private:
  std::string line() const;

  Terminal terminal_;
  std::chrono::steady_clock::time_point start_;
  double progress_ = 0;
  std::optional<double> total_;
  std::string message_;
  bool is_drawn_ = false;
};

// Returns a number with separators: 1234567 as "1,234,567".
std::string number_text(std::uint64_t value);
using core::size_text;
// Returns an age such as "just now", "5 minutes ago" or "3 days ago". Arguments are milliseconds since 1970.
std::string age_text(std::int64_t ms, std::int64_t now_ms);
// Returns a time such as "2026-11-22 00:40:00 UTC"; on a terminal in local time, "2026-11-22 01:40:00".
std::string time_text(std::int64_t ms, const Terminal& terminal);
// Returns a duration such as "1.2 s" or "3 min 4 s".
std::string duration_text(std::int64_t ms);

}  // namespace snapgen::tools

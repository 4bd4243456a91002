#pragma once
// Terminal: where a command prints to. Colours, width, aligned rows, and the line that tells how far long
// work is. Nothing that is printed in rows can steer a terminal: control characters become question marks,
// and what is not seen, or turns the direction of writing, is named: <U+202E>.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen::tools {

enum class Colour : std::uint8_t { plain, bold, dim, red, green, yellow, cyan };

struct Terminal {
  int fd = -1;
  bool is_terminal = false;
  bool colours = false;   // A terminal that knows them, and no NO_COLOR in the environment.
  std::size_t width = 0;  // Columns; 0: of any length, for it is no terminal.

  // The one behind this descriptor: 1 or 2.
  static Terminal of(int fd);

  std::string paint(Colour colour, std::string_view text) const;
  // Text of several lines: as it is, or, on a terminal, like printable() but with its line breaks and tabs.
  std::string fit(std::string_view text) const;

  // The whole text. Errors: unavailable (a disk that is full). A reader that has gone is none: it has what it
  // wanted.
  Result<Unit> print(std::string_view text) const;
};

// Without what steers a terminal or deceives who reads; line breaks and tabs become spaces.
std::string printable(std::string_view text);

// Columns that stand below each other. No line is longer than a terminal is wide.
class Rows {
 public:
  struct Cell {
    std::string text;
    Colour colour = Colour::plain;
    bool right = false;  // Its end stands below the ends of the others: numbers.
  };

  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  // A line for each row, `indent` columns in.
  std::string text(const Terminal& terminal, std::size_t indent = 0) const;

 private:
  std::vector<std::vector<Cell>> rows_;
};

// Names and what they are, the ones below the others.
using Facts = std::vector<std::pair<std::string, std::string>>;
std::string aligned(const Facts& facts, const Terminal& terminal);

// Words broken into lines of at most `width` columns (0: one line), all but the first `indent` columns in.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// How far long work is: one line with a bar, redrawn in place. It comes after a second, on a terminal alone,
// and is gone at the end.
class Progress {
 public:
  explicit Progress(Terminal terminal);
  Progress(Progress&&) = delete;
  ~Progress() { hide(); }

  // Whether it is worth while to call redraw() from time to time.
  bool shows() const { return terminal_.is_terminal; }
  // `total`: none if nobody knows.
  void report(double done, std::optional<double> total, std::string_view message);
  void redraw();
  void hide();

 private:
  std::string line() const;

  Terminal terminal_;
  std::chrono::steady_clock::time_point began_;
  double done_ = 0;
  std::optional<double> total_;
  std::string message_;
  bool drawn_ = false;
};

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);
// "3.4 MiB"
std::string sized(std::uint64_t bytes);
// "just now", "5 minutes ago", "3 days ago". Both in milliseconds since 1970.
std::string aged(std::int64_t ms, std::int64_t now_ms);
// "2026-11-22 00:40:00 UTC"; on a terminal by the clock of the place, "2026-11-22 01:40:00".
std::string dated(std::int64_t ms, const Terminal& terminal);
// "1.2 s", "3 min 4 s"
std::string lasted(std::int64_t ms);

}  // namespace snapgen::tools

#pragma once
// RoffWriter writes a manual page with the macros of man(7). It escapes text, so that man does not read any
// of it as a request or an escape sequence.
#include <string>
#include <string_view>

namespace snapgen::cli {

class RoffWriter {
 public:
  void add_heading(std::string_view title);
  void add_subheading(std::string_view title);
  // Adds text. Empty lines separate paragraphs, and indented lines are shown verbatim.
  void add_text(std::string_view paragraphs);
  // Adds a paragraph `what` with the title `tag`, which is already roff (see bold(), italic()).
  void add_item(std::string_view tag, std::string_view what);
  // Adds a paragraph that consists of one line of roff.
  void add_paragraph(std::string_view roff);
  // Adds a line that is already roff.
  void add_line(std::string_view roff);

  std::string take() { return std::move(out_); }

 private:
  void add_prose(std::string_view sentences);
  void add_verbatim(std::string_view lines);

  // Begins a new paragraph, except after a heading.
  void begin_paragraph();

  std::string out_;
  bool at_heading_ = false;
};

// Escapes text within a line of roff. Hyphens become minus signs, so that options can be searched and copied.
std::string roff_escaped(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace snapgen::cli

#pragma once
// roff: escapes text for man(7), so that no content is read as a request or an escape.
#include <string>
#include <string_view>

namespace snapgen::cli {

class Roff {
 public:
  void heading(std::string_view title);
  void subheading(std::string_view title);
  // Empty lines separate paragraphs. Indented lines are verbatim.
  void text(std::string_view paragraphs);
  // A paragraph that describes `tag`, which is roff (see bold(), italic()).
  void item(std::string_view tag, std::string_view what);
  // A paragraph of one line of roff.
  void paragraph(std::string_view roff);
  // A line of roff.
  void line(std::string_view roff);

  std::string take() { return std::move(out_); }

 private:
  void prose(std::string_view sentences);
  void verbatim(std::string_view lines);

  // Separates new text from existing text, except after a heading.
  void separate();

  std::string out_;
  bool at_heading_ = false;
};

// Escapes text within a line of roff. Hyphens become minus signs, so that options can be searched and copied.
std::string roff_escaped(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace snapgen::cli

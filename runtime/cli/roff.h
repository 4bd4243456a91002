#pragma once
// roff: text as man(7) has it. Nothing that is said is read as a request or an escape.
#include <string>
#include <string_view>

namespace snapgen::cli {

class Roff {
 public:
  void heading(std::string_view title);
  void subheading(std::string_view title);
  // Paragraphs are parted by empty lines. An indented line stays as it is.
  void text(std::string_view paragraphs);
  // What `tag` is, which is roff (see bold(), italic()), in a paragraph of its own.
  void item(std::string_view tag, std::string_view what);
  // A paragraph of one line, which is roff.
  void paragraph(std::string_view roff);
  // A line of roff.
  void line(std::string_view roff);

  std::string take() { return std::move(out_); }

 private:
  void prose(std::string_view sentences);
  void verbatim(std::string_view lines);

  // Parts what comes from what is there; behind a heading nothing does.
  void part();

  std::string out_;
  bool at_heading_ = false;
};

// Text that may stand within a line of roff. What is typed has hyphens that can be searched and copied, so
// that all of them are made minus signs.
std::string roff_escaped(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

}  // namespace snapgen::cli

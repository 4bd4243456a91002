#include "runtime/cli/roff.h"

namespace snapgen::cli {
namespace {

constexpr std::size_t line_max = 78;  // Columns of a line in the roff source.

// Returns the next line and removes it from `text`.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace

std::string roff_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '"': out += "\\(dq"; break;
      case '\n': out += ' '; break;
      default: out += c;
    }
  }
  // roff reads a line that begins with a dot or a quote as a request. Quotes were escaped above.
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string bold(std::string_view text) { return "\\fB" + roff_escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff_escaped(text) + "\\fR"; }

void RoffWriter::add_line(std::string_view roff) {
  out_ += roff;
  out_ += '\n';
  at_heading_ = false;
}

void RoffWriter::add_heading(std::string_view title) {
  add_line(".SH \"" + roff_escaped(title) + "\"");
  at_heading_ = true;
}

void RoffWriter::add_subheading(std::string_view title) {
  add_line(".SS \"" + roff_escaped(title) + "\"");
  at_heading_ = true;
}

void RoffWriter::begin_paragraph() {
  if (!at_heading_) add_line(".PP");
}

void RoffWriter::add_paragraph(std::string_view roff) {
  begin_paragraph();
  add_line(roff);
}

// Starts each sentence on a new line, because roff then chooses the space between sentences. Long sentences
// are wrapped.
void RoffWriter::add_prose(std::string_view sentences) {
  std::string at;
  while (!sentences.empty()) {
    const std::size_t end = std::min(sentences.find(' '), sentences.size());
    const std::string word = roff_escaped(sentences.substr(0, end));
    sentences.remove_prefix(std::min(sentences.find_first_not_of(' ', end), sentences.size()));
    if (word.empty()) continue;
    const bool sentence_ends = at.ends_with('.') || at.ends_with(':');
    if (!at.empty() && (sentence_ends || at.size() + 1 + word.size() > line_max)) {
      add_line(at);
      at.clear();
    }
    at += (at.empty() ? "" : " ") + word;
  }
  if (!at.empty()) add_line(at);
}

void RoffWriter::add_verbatim(std::string_view lines) {
  begin_paragraph();
  add_line(".RS 4\n.nf");
  while (!lines.empty()) {
    const std::string_view each = next_line(lines);
    add_line(each.empty() ? "\\&" : roff_escaped(each));
  }
  add_line(".fi\n.RE");
}

void RoffWriter::add_text(std::string_view paragraphs) {
  std::string flowing, indented;
  const auto flush = [&] {
    if (!flowing.empty()) begin_paragraph();
    add_prose(flowing);
    if (!indented.empty()) add_verbatim(indented);
    flowing.clear();
    indented.clear();
  };
  while (!paragraphs.empty()) {
    const std::string_view each = next_line(paragraphs);
    if (is_blank(each)) {
      flush();
    } else if (each.starts_with(' ')) {
      // Indented text belongs to the paragraph before it.
      if (!flowing.empty()) flush();
      indented += std::string(each.substr(std::min<std::size_t>(2, each.find_first_not_of(' ')))) + "\n";
    } else {
      if (!indented.empty()) flush();
      flowing += (flowing.empty() ? "" : " ") + std::string(each);
    }
  }
  flush();
}

void RoffWriter::add_item(std::string_view tag, std::string_view what) {
  add_line(".TP");
  add_line(tag);
  if (is_blank(what))
    add_line("\\&");
  else
    add_prose(what);
}

}  // namespace snapgen::cli

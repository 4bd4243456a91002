#include <algorithm>

#include "codegen/pages/document.h"
#include "codegen/pages/text.h"

namespace snapgen::codegen::pages {
namespace {

// Returns text as code, between more backticks than it contains in a row. In a table, escapes bars, which
// would end the cell.
std::string code_span(const std::string& text, bool in_table) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  std::string space = !text.empty() && (text.front() == '`' || text.back() == '`') ? " " : "";
  std::string words;
  for (char c : text) {
    if (c == '|' && in_table) words += '\\';
    words += c == '\n' ? ' ' : c;
  }
  return fence + space + words + space + fence;
}

class MarkdownWriter {
 public:
  explicit MarkdownWriter(const Page& page) : page_(page) {}

  std::string run() {
    out_ = "# " + markdown_escaped(page_.title) + "\n\n";
    if (!page_.names.empty()) {
      for (const std::string& each : page_.names)
        out_ += (&each == &page_.names.front() ? "" : " or ") + code_span(each, false);
      out_ += "\n\n";
    }
    for (const Block& each : page_.blocks) std::visit([&](const auto& block) { write(block); }, each);
    if (!page_.source.empty()) out_ += "Made from `" + page_.source + "`.\n";
    while (out_.ends_with("\n\n")) out_.pop_back();
    return std::move(out_);
  }

 private:
  std::string spans(const Spans& all, bool in_table = false) const {
    std::string text;
    for (const Span& each : all) {
      switch (each.kind) {
        case Span::Kind::text: text += markdown_escaped(each.text); break;
        case Span::Kind::code: text += code_span(each.text, in_table); break;
        case Span::Kind::strong: text += "**" + markdown_escaped(each.text) + "**"; break;
        case Span::Kind::link: text += "[" + markdown_escaped(each.text) + "](" + target(each) + ")"; break;
        case Span::Kind::code_link:
          text += "[" + code_span(each.text, in_table) + "](" + target(each) + ")";
          break;
        case Span::Kind::image:
          // Markdown pages are in a folder of the site.
          text +=
              "![" + markdown_escaped(each.text) + "](../" + relative_link(page_.path, each.target, "") + ")";
          break;
      }
    }
    return text;
  }
  std::string target(const Span& span) const { return relative_link(page_.path, span.target, ".md"); }

  void write(const Heading& heading) {
    // The anchor is HTML, because Markdown has no syntax for anchors.
    out_ += "<a id=\"" + html_escaped(heading.anchor) + "\"></a>\n\n" +
            std::string(static_cast<std::size_t>(heading.level), '#') + " " +
            (heading.code ? code_span(heading.text, false) : markdown_escaped(heading.text));
    if (!heading.aside.empty()) out_ += " " + spans(heading.aside);
    out_ += "\n\n";
  }
  void write(const Paragraph& paragraph) { out_ += spans(paragraph.spans) + "\n\n"; }
  void write(const List& list) {
    std::size_t number = 0;
    for (const Spans& each : list.items)
      out_ += (list.ordered ? std::to_string(++number) + ". " : "- ") + spans(each) + "\n";
    out_ += "\n";
  }
  void write(const Table& table) {
    row(table.header);
    out_ += "|";
    for (std::size_t i = 0; i < table.header.size(); ++i) out_ += "---|";
    out_ += "\n";
    for (const auto& each : table.rows) row(each);
    out_ += "\n";
  }
  void row(const std::vector<Spans>& cells) {
    out_ += "|";
    for (const Spans& each : cells) out_ += " " + spans(each, true) + " |";
    out_ += "\n";
  }
  void write(const CodeSample& sample) {
    if (!sample.caption.empty()) out_ += markdown_escaped(sample.caption) + ":\n\n";
    std::string fence = "```";
    while (sample.text.find(fence) != std::string::npos) fence += "`";
    out_ += fence + sample.language + "\n" + sample.text + "\n" + fence + "\n\n";
  }
  void write(const Facts& facts) {
    for (const Fact& each : facts.rows)
      out_ += "- " + markdown_escaped(each.name) + ": " + spans(each.value) + "\n";
    out_ += "\n";
  }
  void write(const Fields& fields) {
    Table table{
        .header = {plain_spans("Name"), plain_spans("Type"), plain_spans("Limits"), plain_spans("Meaning")}};
    for (const FieldRow& each : fields.rows) {
      Spans name = code_spans(each.name);
      if (each.required) name += plain_spans(" (required)");
      if (each.deprecated) name += plain_spans(" (deprecated)");
      Spans limits;
      for (const Spans& limit : each.limits) {
        if (!limits.empty()) limits += plain_spans("; ");
        limits += limit;
      }
      if (each.default_value) {
        limits += plain_spans(limits.empty() ? "default " : "; default ");
        limits += code_spans(*each.default_value);
      }
      table.rows.push_back({name, each.type, limits, each.description});
    }
    write(table);
  }
  void write(const PageLinks& entries) {
    for (const PageLink& each : entries.rows) {
      Span link{.kind = each.code ? Span::Kind::code_link : Span::Kind::link,
                .text = each.name,
                .target = each.target};
      out_ += "- " + spans({link});
      if (!each.summary.empty()) out_ += ": " + spans(each.summary);
      out_ += "\n";
    }
    out_ += "\n";
  }

  const Page& page_;
  std::string out_;
};

}  // namespace

std::string markdown_page(const Page& page) { return MarkdownWriter(page).run(); }

}  // namespace snapgen::codegen::pages

#include <algorithm>
#include <cctype>

#include "codegen/pages/document.h"
#include "codegen/pages/text.h"

namespace snapgen::codegen::pages {
namespace {

// Marks keys, strings and other values of JSON for the style sheet.
std::string coloured_json(std::string_view text) {
  std::string out;
  auto mark = [&](const char* kind, std::string_view part) {
    out += std::string("<span class=\"") + kind + "\">" + html_escaped(part) + "</span>";
  };
  for (std::size_t i = 0; i < text.size();) {
    char c = text[i];
    std::size_t end = i + 1;
    if (c == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      bool key = end < text.size() && text[end] == ':';
      mark(key ? "k" : "s", text.substr(i, end - i));
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '-') {
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) ||
                                   std::string_view("+-.").find(text[end]) != std::string_view::npos))
        ++end;
      mark("n", text.substr(i, end - i));
    } else {
      out += html_escaped(text.substr(i, 1));
    }
    i = end;
  }
  return out;
}

// Returns a name in which a line may break before each word: after `_` and `.`, and before a capital letter.
std::string breakable(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned char before = i > 0 ? static_cast<unsigned char>(name[i - 1]) : ' ';
    const auto here = static_cast<unsigned char>(name[i]);
    const bool begins = (std::isupper(here) != 0 && std::islower(before) != 0) ||
                        (std::isalnum(here) != 0 && (before == '_' || before == '.'));
    text += (begins ? "<wbr>" : "") + html_escaped(name.substr(i, 1));
  }
  return text;
}

std::string code_element(const std::string& name) { return "<code>" + breakable(name) + "</code>"; }

class HtmlWriter {
 public:
  HtmlWriter(const Page& page, const Site& site) : page_(page), site_(site) {}

  std::string run() {
    std::string root;
    for (char c : page_.path)
      if (c == '/') root += "../";
    head(root);
    header(root);
    out_ += "<div class=\"frame\">\n";
    navigation();
    main();
    contents();
    out_ += "</div>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  std::string link(std::string_view target) const {
    return html_escaped(relative_link(page_.path, target, ".html"));
  }

  void head(const std::string& root) {
    std::string title = page_.title + (page_.kind == "Index" ? "" : " · " + site_.title);
    out_ +=
        "<!DOCTYPE html>\n<html lang=\"en\" data-root=\"" + root + "\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += "<title>" + html_escaped(title) + "</title>\n";
    out_ += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out_ += "<meta name=\"description\" content=\"" + html_escaped(text_of(spans_of(page_.summary, {}))) +
            "\">\n";
    out_ += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    out_ += "<link rel=\"icon\" href=\"data:,\">\n";
    out_ += "<link rel=\"stylesheet\" href=\"" + root + "site.css\">\n";
    out_ += "<script src=\"" + root + "site.js\"></script>\n<script src=\"" + root +
            "search.js\" defer></script>\n</head>\n";
  }

  void header(const std::string& root) {
    out_ +=
        "<body id=\"top\">\n<a class=\"skip\" href=\"#main\">Skip to the text</a>\n<header class=\"bar\">\n";
    out_ += "<a class=\"home\" href=\"" + root + "index.html\">" + html_escaped(site_.title) + "</a>\n";
    out_ += R"(<form class="search" role="search">
<input id="search" type="search" placeholder="Search" aria-label="Search the reference" autocomplete="off"
 spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</form>
<button id="theme" type="button" class="quiet" hidden>Auto</button>
<button id="menu" type="button" class="quiet" aria-expanded="false" aria-controls="navigation" hidden>Menu</button>
</header>
)";
  }

  void items(const std::vector<NavigationItem>& all) {
    out_ += "<ul>\n";
    for (const NavigationItem& each : all) {
      bool here = each.target == page_.path;
      out_ += "<li><a href=\"" + link(each.target) + "\"" + (here ? " aria-current=\"page\"" : "") + ">" +
              breakable(each.text) + "</a></li>\n";
    }
    out_ += "</ul>\n";
  }

  void navigation() {
    out_ += "<nav id=\"navigation\" class=\"navigation\" aria-label=\"Pages\">\n";
    for (const NavigationGroup& group : site_.navigation) {
      if (group.target.empty()) {
        out_ += "<h2>" + html_escaped(group.text) + "</h2>\n";
      } else {
        bool here = group.target == page_.path;
        out_ += "<h2><a href=\"" + link(group.target) + "\"" + (here ? " aria-current=\"page\"" : "") + ">" +
                html_escaped(group.text) + "</a></h2>\n";
      }
      if (!group.tools.empty()) items(group.tools);
      if (group.messages.empty()) continue;
      bool open = std::ranges::any_of(group.messages,
                                      [&](const NavigationItem& each) { return each.target == page_.path; });
      out_ += std::string("<details") + (open ? " open" : "") + "><summary>" +
              (group.target.empty() ? "Pages" : "Messages") + "</summary>\n";
      items(group.messages);
      out_ += "</details>\n";
    }
    out_ += "</nav>\n";
  }

  void main() {
    out_ += "<main id=\"main\" tabindex=\"-1\">\n<article>\n<header>\n";
    if (!page_.family.empty()) {
      std::string family = page_.path.substr(0, page_.path.rfind('/'));
      auto group = std::ranges::find_if(site_.navigation,
                                        [&](const NavigationGroup& each) { return each.target == family; });
      out_ += "<p class=\"above\">" + html_escaped(page_.kind) + " · ";
      out_ += group == site_.navigation.end()
                  ? html_escaped(page_.family)
                  : "<a href=\"" + link(family) + "\">" + html_escaped(group->text) + "</a>";
      out_ += "</p>\n";
    }
    out_ += "<h1>" + breakable(page_.title) + "</h1>\n";
    if (!page_.names.empty()) {
      out_ += "<p class=\"names\">";
      for (const std::string& each : page_.names)
        out_ += "<button type=\"button\" class=\"name copy\" data-copy=\"" + html_escaped(each) +
                "\" title=\"Copy\">" + code_element(each) + "</button> ";
      out_ += "</p>\n";
    }
    out_ += "</header>\n";
    // Narrow screens show the table of contents here, folded.
    if (const std::string list = contents_list(); !list.empty())
      out_ += "<details class=\"folded\"><summary>On this page</summary>\n" + list + "</details>\n";
    for (const Block& each : page_.blocks) std::visit([&](const auto& block) { write(block); }, each);
    if (!page_.source.empty())
      out_ += "<footer><p>Made from <code>" + html_escaped(page_.source) + "</code>.</p></footer>\n";
    out_ += "</article>\n</main>\n";
  }

  // Returns the table of contents of the page; empty if it has at most one section.
  std::string contents_list() const {
    std::string list;
    std::size_t count = 0;
    for (const Block& each : page_.blocks) {
      const auto* heading = std::get_if<Heading>(&each);
      if (!heading || heading->level != 2) continue;
      ++count;
      list += "<li><a href=\"#" + html_escaped(heading->anchor) + "\">" + breakable(heading->text) +
              "</a></li>\n";
    }
    return count > 1 ? "<ul>\n" + list + "</ul>\n" : "";
  }

  // Adds the table of contents for wide screens.
  void contents() {
    const std::string list = contents_list();
    out_ += "<aside class=\"contents\" aria-label=\"On this page\">\n";
    if (!list.empty()) out_ += "<p>On this page</p>\n" + list;
    out_ += "</aside>\n";
  }

  std::string spans(const Spans& all) const {
    std::string text;
    for (const Span& each : all) {
      std::string words = html_escaped(each.text);
      switch (each.kind) {
        case Span::Kind::text: text += words; break;
        case Span::Kind::code: text += code_element(each.text); break;
        case Span::Kind::strong: text += "<strong>" + words + "</strong>"; break;
        case Span::Kind::link: text += "<a href=\"" + link(each.target) + "\">" + words + "</a>"; break;
        case Span::Kind::code_link:
          text += "<a href=\"" + link(each.target) + "\">" + code_element(each.text) + "</a>";
          break;
        case Span::Kind::image:
          text += "<img src=\"" + html_escaped(relative_link(page_.path, each.target, "")) + "\" alt=\"" +
                  words + "\">";
          break;
      }
    }
    return text;
  }

  void write(const Heading& heading) {
    std::string tag = "h" + std::to_string(heading.level);
    std::string words = heading.code ? code_element(heading.text) : html_escaped(heading.text);
    out_ += "<" + tag + " id=\"" + html_escaped(heading.anchor) + "\"><a class=\"here\" href=\"#" +
            html_escaped(heading.anchor) + "\">" + words + "</a>";
    if (!heading.aside.empty()) out_ += " <span class=\"aside\">" + spans(heading.aside) + "</span>";
    out_ += "</" + tag + ">\n";
  }

  void write(const Paragraph& paragraph) {
    out_ += std::string("<p") + (paragraph.is_lead ? " class=\"lead\"" : "") + ">" + spans(paragraph.spans) +
            "</p>\n";
  }

  void write(const List& list) {
    const char* tag = list.ordered ? "ol" : "ul";
    out_ += std::string("<") + tag + " class=\"plain\">\n";
    for (const Spans& each : list.items) out_ += "<li>" + spans(each) + "</li>\n";
    out_ += std::string("</") + tag + ">\n";
  }

  void write(const Table& table) {
    out_ += "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<thead><tr>";
    for (const Spans& each : table.header) out_ += "<th scope=\"col\">" + spans(each) + "</th>";
    out_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      for (const Spans& each : row) out_ += "<td>" + spans(each) + "</td>";
      out_ += "</tr>\n";
    }
    out_ += "</tbody>\n</table></div>\n";
  }

  void write(const CodeSample& sample) {
    out_ += std::string("<figure class=\"sample") + (sample.caption.empty() ? " bare" : "") +
            "\">\n<figcaption><span>" + html_escaped(sample.caption) +
            "</span><button type=\"button\" class=\"quiet copy\" hidden aria-label=\"Copy" +
            (sample.caption.empty() ? std::string() : ": " + html_escaped(sample.caption)) +
            "\">Copy</button></figcaption>\n";
    out_ += std::string("<pre tabindex=\"0\"") + (sample.one_line ? " class=\"line\"" : "") + "><code>" +
            (sample.language == "json" ? coloured_json(sample.text) : html_escaped(sample.text)) +
            "</code></pre>\n</figure>\n";
  }

  void write(const Facts& facts) {
    out_ += "<dl class=\"facts\">\n";
    for (const Fact& each : facts.rows)
      out_ += "<div><dt>" + html_escaped(each.name) + "</dt><dd>" + spans(each.value) + "</dd></div>\n";
    out_ += "</dl>\n";
  }

  void write(const Fields& fields) {
    out_ += "<dl class=\"fields\">\n";
    for (const FieldRow& each : fields.rows) {
      out_ += "<div id=\"" + html_escaped(each.anchor) + "\">\n<dt>" + code_element(each.name);
      if (each.required) out_ += " <span class=\"mark\">required</span>";
      if (each.deprecated) out_ += " <span class=\"mark\">deprecated</span>";
      out_ += "</dt>\n<dd>\n<p class=\"type\">" + spans(each.type);
      if (each.default_value)
        out_ += "<span class=\"more\">default <code>" + html_escaped(*each.default_value) + "</code></span>";
      for (const Spans& limit : each.limits) out_ += "<span class=\"more\">" + spans(limit) + "</span>";
      out_ += "</p>\n";
      if (!each.description.empty()) out_ += "<p>" + spans(each.description) + "</p>\n";
      out_ += "</dd>\n</div>\n";
    }
    out_ += "</dl>\n";
  }

  void write(const PageLinks& entries) {
    out_ += "<ul class=\"entries\">\n";
    for (const PageLink& each : entries.rows) {
      std::string name = each.code ? code_element(each.name) : html_escaped(each.name);
      out_ += "<li><p class=\"entry\"><a href=\"" + link(each.target) + "\">" + name + "</a>";
      if (!each.title.empty()) out_ += " <span>" + html_escaped(each.title) + "</span>";
      out_ += "</p>\n";
      if (!each.summary.empty()) out_ += "<p>" + spans(each.summary) + "</p>";
      out_ += "</li>\n";
    }
    out_ += "</ul>\n";
  }

  const Page& page_;
  const Site& site_;
  std::string out_;
};

}  // namespace

std::string html_page(const Page& page, const Site& site) { return HtmlWriter(page, site).run(); }

}  // namespace snapgen::codegen::pages

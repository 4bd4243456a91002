#pragma once
// document: the content of a page, independent of its format. HTML and Markdown are both written from these
// blocks, so they have the same content.
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace snapgen::codegen::pages {

// A piece of text of one kind. A link's target is a page of the site without extension, optionally with `#`
// and an anchor (substrate/snapshot_file#errors), or an absolute URL. An image's target is a file of the
// site, with its extension, and its text describes it.
struct Span {
  enum class Kind : std::uint8_t { text, code, strong, link, code_link, image };
  Kind kind = Kind::text;
  std::string text;
  std::string target;
};
using Spans = std::vector<Span>;

struct Heading {
  int level = 2;  // From 2 to 4; the page title is 1.
  std::string text;
  std::string anchor;
  Spans aside;  // Secondary text beside the heading.
  bool code = false;
};
struct Paragraph {
  Spans spans;
  bool is_lead = false;
};
struct List {
  std::vector<Spans> items;
  bool ordered = false;
};
struct Table {
  std::vector<Spans> header;
  std::vector<std::vector<Spans>> rows;
};
// A text that readers can copy.
struct CodeSample {
  std::string caption;
  std::string language;   // The language: json, sh, cpp, ts, or empty.
  std::string text;       // The text, without a line break at its end.
  bool one_line = false;  // The text is a protocol message, which is shown wrapped and copied as one line.
};
struct Fact {
  std::string name;
  Spans value;
};
struct Facts {
  std::vector<Fact> rows;
};
struct FieldRow {
  std::string name;
  std::string anchor;
  Spans type;
  bool required = false;
  bool deprecated = false;
  std::vector<Spans> limits;                 // Each limit is a few words.
  std::optional<std::string> default_value;  // The default value as JSON.
  Spans description;
};
struct Fields {
  std::vector<FieldRow> rows;
};
// A row in a list of links to pages, with a sentence about the page.
struct PageLink {
  std::string name;
  std::string target;
  std::string title;  // Of the tool, beside its name; empty if they are equal.
  Spans summary;
  bool code = true;
};
struct PageLinks {
  std::vector<PageLink> rows;
};
using Block = std::variant<Heading, Paragraph, List, Table, CodeSample, Facts, Fields, PageLinks>;

struct Page {
  std::string path;  // The file without extension, such as substrate/snapshot_file.
  std::string kind;  // The kind of page: Tool, Message, Family, Manual or Index.
  std::string title;
  std::string family;              // The family of a tool or message.
  std::vector<std::string> names;  // The spellings of a tool's name, in documents and in clients.
  std::string source;              // The path of the schema file, or empty.
  std::string summary;             // One sentence of plain text about the page.
  std::vector<std::string> terms;  // The types, members and constants that the page describes.
  std::string search_words;        // Additional words that the search finds.
  std::vector<Block> blocks;

  void add(Block block) { blocks.push_back(std::move(block)); }
};

// A link in the navigation, which every page shows.
struct NavigationItem {
  std::string text;
  std::string target;
};
struct NavigationGroup {
  std::string text;
  std::string target;  // The path of the group's page; may be empty.
  std::vector<NavigationItem> tools;
  std::vector<NavigationItem> messages;
};

struct Site {
  std::string title;
  std::vector<NavigationGroup> navigation;
  std::vector<Page> pages;  // All pages, sorted by path.
};

// Writes a page as one HTML file, which also works if it is opened from disk.
std::string html_page(const Page& page, const Site& site);

// Writes a page as Markdown, for editors and models.
std::string markdown_page(const Page& page);

}  // namespace snapgen::codegen::pages

#pragma once
// document: the content of a page, independent of its format. HTML and Markdown are written from the same
// blocks, so they have the same content.
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace snapgen::codegen::pages {

// A piece of text of one kind. A link's target is a page of the site without extension, optionally with `#`
// and an anchor (substrate/snapshot_file#errors), or an absolute URL.
struct Span {
  enum class Kind : std::uint8_t { text, code, strong, link, code_link };
  Kind kind = Kind::text;
  std::string text;
  std::string target;
};
using Spans = std::vector<Span>;

struct Heading {
  int level = 2;  // 2 to 4; the page title is 1.
  std::string text;
  std::string anchor;
  Spans aside;  // Secondary text beside it.
  bool code = false;
};
struct Paragraph {
  Spans spans;
  bool lead = false;
};
struct List {
  std::vector<Spans> items;
  bool ordered = false;
};
struct Table {
  std::vector<Spans> header;
  std::vector<std::vector<Spans>> rows;
};
// Text to copy.
struct Sample {
  std::string caption;
  std::string language;   // json, sh, cpp, ts, or empty
  std::string text;       // Without a trailing line break.
  bool one_line = false;  // A protocol message: shown wrapped, copied as one line.
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
  std::vector<Spans> limits;                 // A few words each.
  std::optional<std::string> default_value;  // JSON
  Spans description;
};
struct Fields {
  std::vector<FieldRow> rows;
};
// Links to pages with a sentence each.
struct Entry {
  std::string name;
  std::string target;
  std::string title;
  Spans summary;
  bool code = true;
};
struct Entries {
  std::vector<Entry> rows;
};
using Block = std::variant<Heading, Paragraph, List, Table, Sample, Facts, Fields, Entries>;

struct Page {
  std::string path;  // The file without extension: substrate/snapshot_file
  std::string kind;  // Tool, Message, Family, Manual, Index
  std::string title;
  std::string family;              // For tools and messages.
  std::vector<std::string> names;  // Spellings of a tool's name in documents and in clients.
  std::string source;              // The schema file, or empty.
  std::string summary;             // One sentence of plain text.
  std::string words;               // Additional text for the search.
  std::vector<Block> blocks;
};

// A link that every page has.
struct NavigationItem {
  std::string text;
  std::string target;
};
struct NavigationGroup {
  std::string text;
  std::string target;  // The group's page; may be empty.
  std::vector<NavigationItem> tools;
  std::vector<NavigationItem> messages;
};

struct Site {
  std::string title;
  std::vector<NavigationGroup> navigation;
  std::vector<Page> pages;  // In order of path.
};

}  // namespace snapgen::codegen::pages

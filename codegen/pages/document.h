#pragma once
// document: what a page says, before it is HTML or Markdown. Both are written from the same blocks, so they
// say the same.
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace snapgen::codegen::pages {

// A stretch of text of one kind. A link's target is a page of this site without its ending, perhaps with `#`
// and a place in it (substrate/snapshot_file#errors), or a whole address (https://...).
struct Span {
  enum class Kind : std::uint8_t { text, code, strong, link, code_link };
  Kind kind = Kind::text;
  std::string text;
  std::string target;
};
using Spans = std::vector<Span>;

struct Heading {
  int level = 2;  // 2 to 4; a page's own is 1.
  std::string text;
  std::string anchor;
  Spans aside;  // Said beside it, in a smaller voice.
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
  std::string text;       // Without a line break at its end.
  bool one_line = false;  // A line of the protocol: shown broken, copied whole.
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
  std::vector<Spans> limits;                 // Each a few words.
  std::optional<std::string> default_value;  // JSON
  Spans description;
};
struct Fields {
  std::vector<FieldRow> rows;
};
// Links to pages, each with a sentence.
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
  std::string path;  // substrate/snapshot_file: of the file, without its ending
  std::string kind;  // Tool, Message, Family, Manual, Index
  std::string title;
  std::string family;              // Of a tool or message.
  std::vector<std::string> names;  // Of a tool: as documents and as clients spell it.
  std::string source;              // The schema file it is made of, or nothing.
  std::string summary;             // One sentence, plain.
  std::string words;               // What a search looks through beside title and names.
  std::vector<Block> blocks;
};

// What is linked from every page.
struct NavigationItem {
  std::string text;
  std::string target;
};
struct NavigationGroup {
  std::string text;
  std::string target;  // Of the group's own page; may be empty.
  std::vector<NavigationItem> tools;
  std::vector<NavigationItem> messages;
};

struct Site {
  std::string title;
  std::vector<NavigationGroup> navigation;
  std::vector<Page> pages;  // In order of path.
};

}  // namespace snapgen::codegen::pages

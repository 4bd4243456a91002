#pragma once
// text: converts plain text to spans, and escapes spans for HTML and Markdown.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/pages/document.h"
#include "runtime/json/document.h"

namespace snapgen::codegen::pages {

// Words that become links: the names of tools, with the page of each.
using LinkedWords = std::map<std::string, std::string, std::less<>>;

// Marks `code` and words_with_underscores as code, and words of `known` as links, except to `own`. `rich`
// text (handwritten pages, not descriptions) may also have **strong**, ![text](image) and [text](target),
// where a page may be named by its source file.
Spans spans_of(std::string_view text, const LinkedWords& known, std::string_view own = {}, bool rich = false);
Spans plain_spans(std::string_view text);
Spans code_spans(std::string text);
Spans& operator+=(Spans& spans, const Spans& more);
Spans operator+(Spans spans, const Spans& more);
std::string text_of(const Spans& spans);

// Splits a long text into paragraphs of a few sentences; existing line breaks remain.
std::vector<std::string> paragraphs(std::string_view text);
std::string first_sentence(std::string_view text);
// Returns a name as words: "Snapshot create" for snapshot_create.
std::string name_in_words(std::string_view name);
// Returns a heading's anchor, which has letters, digits and `-`.
std::string anchor_of(std::string_view text);

// Formats a value over several lines with two spaces per level; short values remain on one line.
std::string pretty_json(const json::Node& value);

std::string html_escaped(std::string_view text);  // Returns the text, escaped for HTML and its attributes.
std::string markdown_escaped(std::string_view text);

// Returns the relative path from page `from` to `target`, which are both without extension:
// ../common/path.html#x. An absolute URL is unchanged.
std::string relative_link(std::string_view from, std::string_view target, std::string_view ending);

}  // namespace snapgen::codegen::pages

#pragma once
// text: from plain words to spans, and from spans to what HTML and Markdown can say safely.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/pages/document.h"
#include "runtime/json/document.h"

namespace snapgen::codegen::pages {

// Words that become links wherever they stand: names of tools.
using Known = std::map<std::string, std::string, std::less<>>;

// `code`; a word of `known` is a link, but to `own`; and a word_with_underscores is code. Where the text is
// `rich`, as a page written by hand is and a description is not, also **strong** and [text](target), where
// pages may be named by the files that they are made from.
Spans spans_of(std::string_view text, const Known& known, std::string_view own = {}, bool rich = false);
Spans plain(std::string_view text);
Spans code(std::string text);
Spans& operator+=(Spans& spans, const Spans& more);
std::string text_of(const Spans& spans);

// A long text in paragraphs of some sentences each; line breaks of the author's own are kept.
std::vector<std::string> paragraphs(std::string_view text);
std::string first_sentence(std::string_view text);
// snapshot_create -> Snapshot create
std::string in_words(std::string_view name);
// Of a heading: letters, digits and `-`.
std::string anchor_of(std::string_view text);

// A value over several lines, with two spaces for each depth; what is short stays on one.
std::string pretty_json(const json::Node& value);

std::string html(std::string_view text);  // Escaped, also for attributes.
std::string markdown(std::string_view text);

// From the page `from` to `target`, both without ending: ../common/path.html#x. Whole addresses stay.
std::string relative(std::string_view from, std::string_view target, std::string_view ending);

}  // namespace snapgen::codegen::pages

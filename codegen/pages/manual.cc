#include "codegen/pages/manual.h"

#include <set>

#include "codegen/front/name.h"

namespace snapgen::codegen::pages {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const LinkedWords& known, Page& page)
      : text_(text), linked_words_(known), page_(page) {}

  void run() {
    for (std::string_view line; next(line);) {
      if (line.starts_with("```"))
        flush(), sample(line.substr(3));
      else if (line.starts_with("#"))
        flush(), heading(line);
      else if (line.starts_with("|"))
        table(line);
      else if (line.find_first_not_of(' ') == std::string_view::npos)
        flush();
      else if (line.starts_with("- "))
        item(line.substr(2), false);
      else if (std::size_t dot = line.find(". "); dot == 1 && line[0] >= '0' && line[0] <= '9')
        item(line.substr(3), true);
      else
        words_ += (words_.empty() ? "" : " ") + std::string(line.substr(line.find_first_not_of(' ')));
    }
    flush();
  }

 private:
  bool next(std::string_view& line) {
    if (text_.empty()) return false;
    std::size_t end = std::min(text_.find('\n'), text_.size());
    line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

  Spans spans(std::string_view words) const { return spans_of(words, linked_words_, page_.path, true); }

  void end_item() {
    if (in_item_) list_.items.push_back(spans(words_));
    in_item_ = false;
    if (!words_.empty()) add_search_words(words_);
    words_.clear();
  }

  void flush() {
    bool item = in_item_;
    std::string paragraph = words_;
    end_item();
    if (!list_.items.empty()) page_.add(std::move(list_));
    list_ = {};
    if (!table_.header.empty()) page_.add(std::move(table_));
    table_ = {};
    if (item || paragraph.empty()) return;
    bool lead = page_.summary.empty();
    Spans made = spans(paragraph);
    if (lead) page_.summary = first_sentence(text_of(made));
    page_.add(Paragraph{.spans = made, .is_lead = lead});
  }

  void add_search_words(const std::string& words) { page_.search_words += " " + text_of(spans(words)); }

  void item(std::string_view words, bool ordered) {
    if (!in_item_) flush();
    end_item();
    list_.ordered = ordered;
    in_item_ = true;
    words_ = words;
  }

  void heading(std::string_view line) {
    std::size_t level = line.find_first_not_of('#');
    if (level == std::string_view::npos) return;
    std::string title = text_of(spans(line.substr(line.find_first_not_of(' ', level))));
    if (level == 1) {
      page_.title = title;
      return;
    }
    add_search_words(title);
    page_.add(Heading{.level = static_cast<int>(std::min<std::size_t>(level, 4)),
                      .text = title,
                      .anchor = unique_name(anchor_of(title), anchors_)});
  }

  void sample(std::string_view language) {
    CodeSample made{.caption = "", .language = std::string(language)};
    for (std::string_view line; next(line) && !line.starts_with("```");)
      made.text += std::string(line) + "\n";
    while (made.text.ends_with('\n')) made.text.pop_back();
    page_.search_words += " " + made.text;
    page_.add(std::move(made));
  }

  void table(std::string_view line) {
    if (table_.header.empty()) flush();
    std::vector<Spans> cells;
    bool ruler = line.find_first_not_of("|-: ") == std::string_view::npos;
    line.remove_prefix(1);
    while (!line.empty()) {
      std::size_t end = std::min(line.find('|'), line.size());
      std::string_view cell = line.substr(0, end);
      std::size_t begin = std::min(cell.find_first_not_of(' '), cell.size());
      cell.remove_prefix(begin);
      while (cell.ends_with(' ')) cell.remove_suffix(1);
      if (!ruler) cells.push_back(spans(cell)), add_search_words(std::string(cell));
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    if (ruler) return;
    if (table_.header.empty())
      table_.header = std::move(cells);
    else
      table_.rows.push_back(std::move(cells));
  }

  std::string_view text_;
  const LinkedWords& linked_words_;
  Page& page_;
  std::string words_;
  bool in_item_ = false;
  List list_;
  Table table_;
  std::set<std::string> anchors_ = {"main", "top", "search", "navigation"};
};

}  // namespace

Page read_manual(std::string_view text, const std::string& path, const LinkedWords& known) {
  Page page;
  page.path = path;
  page.kind = "Manual";
  Reader(text, known, page).run();
  if (page.title.empty()) page.title = name_in_words(path);
  return page;
}

}  // namespace snapgen::codegen::pages

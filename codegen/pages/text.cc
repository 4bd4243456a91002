#include "codegen/pages/text.h"

#include <algorithm>
#include <cctype>

#include "runtime/json/writer.h"

namespace snapgen::codegen::pages {
namespace {

bool letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool word_byte(char c) { return letter_or_digit(c) || c == '_' || c == '.' || c == '-'; }

// Returns whether a word is in snake_case, CODE_NAMES or camelCase.
bool looks_like_code(std::string_view word) {
  auto is = [&](std::size_t i, auto test) { return test(static_cast<unsigned char>(word[i])) != 0; };
  auto lower = [](unsigned char c) { return std::islower(c); };
  auto upper = [](unsigned char c) { return std::isupper(c); };
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    if (word[i] == '_' && letter_or_digit(word[i - 1]) && letter_or_digit(word[i + 1])) return true;
    if (i > 1 && is(0, lower) && is(i - 1, lower) && is(i, upper) && is(i + 1, lower)) return true;
  }
  return false;
}

// Returns whether a tool's name is also an English word. Such a name is a link only between backticks.
bool is_english(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

void add_text(Spans& spans, std::string_view text) {
  if (text.empty()) return;
  if (!spans.empty() && spans.back().kind == Span::Kind::text)
    spans.back().text += text;
  else
    spans.push_back({.kind = Span::Kind::text, .text = std::string(text)});
}

// Returns the word at the start of `text`: letters, digits, `_`, `.` and `-`, without trailing punctuation.
std::string_view word_at(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && word_byte(text[size])) ++size;
  while (size > 0 && !letter_or_digit(text[size - 1])) --size;
  return text.substr(0, size);
}

// Returns whether a link is allowed, to a page of this site or an http(s) URL. Other links could run a
// script.
bool is_target(std::string_view target) {
  if (target.starts_with("https://") || target.starts_with("http://")) return true;
  return !target.empty() && target[0] != '/' && std::ranges::all_of(target, [](char c) {
    return letter_or_digit(c) || c == '_' || c == '-' || c == '/' || c == '#' || c == '.';
  });
}

// Converts a link to a source file to a link to its page: `guide.md#paths`, or a schema's
// `../common/path.json`.
std::string page_link(std::string_view target) {
  const std::size_t position = std::min(target.find('#'), target.size());
  std::string_view page = target.substr(0, position);
  const bool is_address = target.find("://") != std::string_view::npos;
  if (!is_address && page.ends_with(".md"))
    page.remove_suffix(3);
  else if (!is_address && page.starts_with("../") && page.ends_with(".json"))
    page = page.substr(3, page.size() - 3 - 5);
  return std::string(page) + std::string(target.substr(position));
}

bool link_at(std::string_view text, Span& link, std::size_t& size) {
  std::size_t close = text.find("](");
  std::size_t end = close == std::string_view::npos ? close : text.find(')', close);
  if (end == std::string_view::npos) return false;
  if (text.substr(1, close - 1).find_first_of("[\n") != std::string_view::npos) return false;
  if (text.substr(close, end - close).find_first_of(" \n") != std::string_view::npos) return false;
  if (!is_target(text.substr(close + 2, end - close - 2))) return false;
  link = {.kind = Span::Kind::link,
          .text = std::string(text.substr(1, close - 1)),
          .target = page_link(text.substr(close + 2, end - close - 2))};
  size = end + 1;
  return true;
}

void pretty(std::string& out, const json::Node& value, std::size_t depth) {
  constexpr std::size_t short_max = 76;
  std::string flat;
  json::Writer writer(flat);
  json::write(writer, value);
  bool list = value.is(json::Kind::array);
  std::size_t count = list ? value.items.size() : value.members.size();
  bool simple = std::ranges::none_of(value.members, [](const json::Member& each) {
    return each.value.is(json::Kind::object) && !each.value.members.empty();
  });
  bool container = list || value.is(json::Kind::object);
  if (!container) {
    out += flat;
    return;
  }
  if (count == 0) {
    out += list ? "[]" : "{}";
    return;
  }
  bool inline_too = simple && (depth > 0 || count == 1) && flat.size() + 2 * count + 2 * depth <= short_max;
  std::string space = inline_too ? std::string(" ") : "\n" + std::string(2 * depth + 2, ' ');
  out += list ? "[" : "{";
  for (std::size_t i = 0; i < count; ++i) {
    if (i) out += ",";
    if (!(list && inline_too && i == 0)) out += space;
    if (!list) out += json::quoted(value.members[i].key) + ": ";
    pretty(out, list ? value.items[i] : value.members[i].value, depth + 1);
  }
  if (!inline_too)
    out += "\n" + std::string(2 * depth, ' ');
  else if (!list)
    out += " ";
  out += list ? "]" : "}";
}

}  // namespace

Spans& operator+=(Spans& spans, const Spans& more) {
  spans.insert(spans.end(), more.begin(), more.end());
  return spans;
}

Spans operator+(Spans spans, const Spans& more) { return std::move(spans += more); }

Spans plain_spans(std::string_view text) {
  Spans spans;
  add_text(spans, text);
  return spans;
}

Spans code_spans(std::string text) { return {{.kind = Span::Kind::code, .text = std::move(text)}}; }

std::string text_of(const Spans& spans) {
  std::string text;
  for (const Span& each : spans) text += each.text;
  return text;
}

Spans spans_of(std::string_view text, const LinkedWords& known, std::string_view own, bool rich) {
  Spans spans;
  auto named = [&](std::string_view word, bool is_code) {
    const auto found = is_code || !is_english(word) ? known.find(word) : known.end();
    bool links = found != known.end() && found->second != own;
    if (links)
      spans.push_back({.kind = Span::Kind::code_link, .text = std::string(word), .target = found->second});
    else if (is_code || found != known.end() || looks_like_code(word))
      spans.push_back({.kind = Span::Kind::code, .text = std::string(word)});
    else
      add_text(spans, word);
  };
  while (!text.empty()) {
    std::size_t size = 1;
    Span link;
    if (text[0] == '`' && text.find('`', 1) != std::string_view::npos && text.find('`', 1) > 1) {
      std::size_t end = text.find('`', 1);
      named(text.substr(1, end - 1), true);
      size = end + 1;
    } else if (rich && text.starts_with("**") && text.find("**", 2) != std::string_view::npos &&
               text.find("**", 2) > 2) {
      std::size_t end = text.find("**", 2);
      spans.push_back({.kind = Span::Kind::strong, .text = std::string(text.substr(2, end - 2))});
      size = end + 2;
    } else if (rich && text[0] == '[' && link_at(text, link, size)) {
      spans.push_back(std::move(link));
    } else if (rich && text.starts_with("![") && link_at(text.substr(1), link, size)) {
      link.kind = Span::Kind::image;
      spans.push_back(std::move(link));
      ++size;
    } else if (std::string_view word = word_at(text); !word.empty()) {
      named(word, false);
      size = word.size();
    } else {
      add_text(spans, text.substr(0, 1));
    }
    text.remove_prefix(size);
  }
  return spans;
}

std::vector<std::string> paragraphs(std::string_view text) {
  constexpr std::size_t enough = 300;
  constexpr std::size_t rest_min = 120;
  std::vector<std::string> found;
  std::string now;
  auto flush = [&] {
    std::size_t begin = now.find_first_not_of(' ');
    if (begin != std::string::npos) found.push_back(now.substr(begin));
    now.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      flush();
      continue;
    }
    now += text[i];
    bool sentence_ends = text[i] == '.' && i + 2 < text.size() && text[i + 1] == ' ' &&
                         std::isupper(static_cast<unsigned char>(text[i + 2])) != 0;
    if (sentence_ends && now.size() >= enough && text.size() - i >= rest_min) flush();
  }
  flush();
  return found;
}

std::string first_sentence(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') return std::string(text.substr(0, i));
    if (text[i] == '.' && i + 2 < text.size() && text[i + 1] == ' ' &&
        std::isupper(static_cast<unsigned char>(text[i + 2])) != 0)
      return std::string(text.substr(0, i + 1));
  }
  return std::string(text);
}

std::string name_in_words(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c == '_') c = ' ';
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string anchor_of(std::string_view text) {
  std::string anchor;
  for (char c : text) {
    if (letter_or_digit(c))
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!anchor.empty() && anchor.back() != '-')
      anchor += '-';
  }
  while (!anchor.empty() && anchor.back() == '-') anchor.pop_back();
  return anchor.empty() ? "section" : anchor;
}

std::string pretty_json(const json::Node& value) {
  std::string text;
  pretty(text, value, 0);
  return text;
}

std::string html_escaped(std::string_view text) {
  std::string safe;
  for (char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default:
        // HTML allows no control characters besides line feed and tab.
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
          safe += "\xEF\xBF\xBD";
        else
          safe += c;
    }
  }
  return safe;
}

std::string markdown_escaped(std::string_view text) {
  std::string safe;
  for (char c : text) {
    if (std::string_view("\\`*[]<>|#~").find(c) != std::string_view::npos) safe += '\\';
    if (c == '_') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string relative_link(std::string_view from, std::string_view target, std::string_view ending) {
  if (target.starts_with("https://") || target.starts_with("http://")) return std::string(target);
  std::size_t hash = std::min(target.find('#'), target.size());
  std::string_view path = target.substr(0, hash);
  std::string_view location = target.substr(hash);
  if (path.empty() || path == from) return std::string(location.empty() ? "#top" : location);
  std::string up;
  std::size_t same = 0;
  for (std::size_t i = 0; i < from.size() && i < path.size() && from[i] == path[i]; ++i)
    if (from[i] == '/') same = i + 1;
  for (char c : from.substr(same))
    if (c == '/') up += "../";
  return up + std::string(path.substr(same)) + std::string(ending) + std::string(location);
}

}  // namespace snapgen::codegen::pages

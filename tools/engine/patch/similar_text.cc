#include "tools/engine/patch/similar_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/patch/file_lines.h"
#include "tools/engine/patch/nearest.h"
#include "tools/engine/patch/sides.h"
#include "tools/engine/patch/substring_index.h"

namespace snapgen::core {
namespace {

// The kinds of differences that folding removes.
struct FoldedKinds {
  bool white_space = true;
  bool quotes = true;
  bool letter_case = true;
  bool escapes = true;
};

constexpr std::size_t similar_places_max = 20;
constexpr std::size_t folded_bytes_min = 3;  // Shorter texts are similar to too much.

// Texts that models write for one another.
constexpr std::array<std::pair<std::string_view, char>, 9> quote_forms{{
    {"\"", '\''},
    {"`", '\''},
    {"\u2018", '\''},
    {"\u2019", '\''},
    {"\u201c", '\''},
    {"\u201d", '\''},
    {"\u2013", '-'},
    {"\u2014", '-'},
    {"\u2212", '-'},
}};
constexpr std::array<std::pair<std::string_view, char>, 5> escape_forms{{
    {"&lt;", '<'},
    {"&gt;", '>'},
    {"&amp;", '&'},
    {"&quot;", '"'},
    {"&#39;", '\''},
}};
constexpr std::array<std::string_view, 5> spaces{" ", "\t", "\r", "\n", "\u00a0"};

template <std::size_t Size>
const std::pair<std::string_view, char>* form_at(
    const std::array<std::pair<std::string_view, char>, Size>& forms, std::string_view text) {
  for (const auto& form : forms)
    if (text.starts_with(form.first)) return &form;
  return nullptr;
}

class Folding {
 public:
  explicit Folding(FoldedKinds kinds) : kinds_(kinds) {}

  FoldedText fold(std::string_view text) const {
    FoldedText folded;
    folded.text.reserve(text.size());
    folded.begins.reserve(text.size());
    folded.ends.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      std::string_view rest = text.substr(at);
      const std::size_t skipped = skipped_bytes(rest);
      if (skipped > 0) {
        at += skipped;
        continue;
      }
      const auto [byte, size] = folded_character(rest);
      folded.text += byte;
      folded.begins.push_back(static_cast<std::uint32_t>(at));
      at += size;
      folded.ends.push_back(static_cast<std::uint32_t>(at));
    }
    return folded;
  }

 private:
  // Returns the number of bytes at the beginning that count for nothing.
  std::size_t skipped_bytes(std::string_view rest) const {
    if (kinds_.white_space)
      for (const std::string_view space : spaces)
        if (rest.starts_with(space)) return space.size();
    if (!kinds_.escapes || rest.front() != '\\') return 0;
    const bool is_white_space =
        rest.size() > 1 && std::string_view("ntr").find(rest[1]) != std::string_view::npos;
    return is_white_space && kinds_.white_space ? 2 : 1;
  }

  std::pair<char, std::size_t> folded_character(std::string_view rest) const {
    char byte = rest.front();
    std::size_t size = 1;
    if (kinds_.escapes && byte == '&') {
      if (const auto* form = form_at(escape_forms, rest)) {
        byte = form->second;
        size = form->first.size();
      }
    }
    if (kinds_.quotes) {
      const std::string_view text = size == 1 ? rest : std::string_view(&byte, 1);
      if (const auto* form = form_at(quote_forms, text)) {
        size = std::max(size, form->first.size());
        byte = form->second;
      }
    }
    if (kinds_.letter_case && byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    return {byte, size};
  }

  FoldedKinds kinds_;
};

bool are_equal_without(FoldedKinds kinds, std::string_view a, std::string_view b) {
  const Folding folding(kinds);
  return folding.fold(a).text == folding.fold(b).text;
}

// Returns true if the texts differ only at the beginnings of lines.
bool differ_in_indentation(std::string_view a, std::string_view b) {
  if (a.ends_with('\n') != b.ends_with('\n')) return false;
  std::string_view line_a, line_b;
  while (true) {
    const bool has_a = next_line(a, line_a);
    if (has_a != next_line(b, line_b)) return false;
    if (!has_a) return true;
    const auto text_a = line_a.substr(std::min(line_a.find_first_not_of(" \t"), line_a.size()));
    const auto text_b = line_b.substr(std::min(line_b.find_first_not_of(" \t"), line_b.size()));
    if (text_a != text_b) return false;
  }
}

// Returns for example "letter case and quotes" for two texts that are equal when folded. Whether they begin
// lines decides whether white space may be indentation.
std::string what_differs(std::string_view a, std::string_view b, bool begin_lines) {
  FoldedKinds kinds;
  std::vector<std::string> words;
  for (const auto& [kind, word] :
       {std::pair(&FoldedKinds::letter_case, "letter case"),
        std::pair(&FoldedKinds::quotes, "quotes or dashes"), std::pair(&FoldedKinds::escapes, "escapes"),
        std::pair(&FoldedKinds::white_space, "white space")}) {
    kinds.*kind = false;
    if (are_equal_without(kinds, a, b)) continue;
    kinds.*kind = true;
    const bool is_indentation =
        kind == &FoldedKinds::white_space && begin_lines && differ_in_indentation(a, b);
    words.emplace_back(is_indentation ? "indentation" : word);
  }
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// Returns the line that shares the most letters with the longest line of `wanted`, in whole words; 0 if no
// line shares half of them.
std::int64_t line_with_same_words(const FileLines& file, std::string_view wanted) {
  auto words_of = [](std::string_view line) {
    std::set<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
      std::size_t end = at;
      while (end < line.size() && is_ascii_word_character(line[end])) ++end;
      if (end > at) words.insert(line.substr(at, end - at));
      at = std::max(end, at + 1);
    }
    return words;
  };
  auto letters_of = [](const std::set<std::string_view>& words) {
    std::size_t letters = 0;
    for (const std::string_view word : words) letters += word.size();
    return letters;
  };
  std::string_view rest = wanted, line, longest;
  while (next_line(rest, line))
    if (trimmed(line).size() > longest.size()) longest = trimmed(line);
  const std::set<std::string_view> words = words_of(longest);
  const std::size_t letters = letters_of(words);
  std::size_t most = letters / 2;
  std::int64_t best = 0;
  for (std::int64_t number = 1; number <= file.count(); ++number) {
    std::size_t shared = 0;
    for (const std::string_view word : words_of(file.line(number)))
      if (words.contains(word)) shared += word.size();
    if (shared <= most) continue;
    most = shared;
    best = number;
  }
  return best;
}

// `span` is a part of the file. Completes `wanted` to whole lines with the text around the part.
NearestLines differences_of_part(const FileLines& lines, TextSpan span, std::int64_t line,
                                 std::string_view wanted) {
  const std::string_view file = lines.file();
  const std::size_t begin = lines.offset(line);
  const std::size_t end = std::min(file.find('\n', span.end), file.size());
  std::string block(file.substr(begin, span.begin - begin));
  block += wanted;
  block += file.substr(span.end, end - span.end);
  if (end < file.size() && !block.ends_with('\n')) block += '\n';
  return differences_at(lines, block, line);
}

constexpr std::string_view white_space = " \t\r\n";

bool is_white_space(std::string_view text) { return trimmed(text).empty(); }

// A text has the white space `leading` before it. Returns where the white space begins that corresponds to it
// in the file before `at`: as many lines, and the blanks at its beginning only if `leading` begins with one.
std::size_t begin_with(std::string_view leading, std::string_view file, std::size_t at) {
  auto lines = std::ranges::count(leading, '\n');
  const bool begins_with_blank = !leading.empty() && leading.front() != '\n';
  for (; at > 0 && is_white_space(file.substr(at - 1, 1)); --at) {
    const bool is_line_feed = file[at - 1] == '\n';
    if (lines == 0 && (is_line_feed || !begins_with_blank)) break;
    if (is_line_feed) --lines;
  }
  return at;
}

// The same for the white space after a text: returns where it ends.
std::size_t end_with(std::string_view trailing, std::string_view file, std::size_t at) {
  auto lines = std::ranges::count(trailing, '\n');
  const bool ends_with_blank = !trailing.empty() && trailing.back() != '\n';
  for (; at < file.size() && is_white_space(file.substr(at, 1)); ++at) {
    const bool is_line_feed = file[at] == '\n';
    if (lines == 0 && (is_line_feed || !ends_with_blank)) break;
    if (is_line_feed) --lines;
  }
  return at;
}

// Whether a word of the file continues beyond the span where `wanted` has white space after it or before it.
bool cuts_word(const TextSpan& span, std::string_view file, std::string_view wanted) {
  const auto is_within_word = [&](std::size_t at) {
    return at > 0 && at < file.size() && are_of_one_word(file[at - 1], file[at]);
  };
  return (is_white_space(wanted.substr(0, 1)) && is_within_word(span.begin)) ||
         (is_white_space(wanted.substr(wanted.size() - 1)) && is_within_word(span.end));
}

}  // namespace

bool are_of_one_word(char byte, char next) {
  const auto is_of_word = [](char c) {
    return is_ascii_word_character(c) || static_cast<unsigned char>(c) >= 0x80;
  };
  return is_of_word(byte) && is_of_word(next);
}

std::vector<SimilarTextSearch::FoldedMatch> SimilarTextSearch::folded_matches(std::string_view wanted) {
  const std::string_view file = file_.file();
  if (file.size() > folded_bytes_max || wanted.size() > folded_bytes_max) return {};
  const Folding folding{FoldedKinds()};
  const FoldedText folded_wanted = folding.fold(wanted);
  if (folded_wanted.text.size() < folded_bytes_min) return {};
  if (!folded_) folded_ = folding.fold(file);
  std::vector<FoldedMatch> matches;
  std::int64_t line = 1;
  std::size_t counted = 0;  // The line feeds before this offset are counted.
  for (const std::size_t offset : places_in(folded_->text, folded_wanted.text, similar_places_max)) {
    const TextSpan span{.begin = folded_->begins[offset],
                        .end = folded_->ends[offset + folded_wanted.text.size() - 1]};
    line += std::ranges::count(file.substr(counted, span.begin - counted), '\n');
    counted = span.begin;
    if (cuts_word(span, file, wanted)) continue;
    matches.push_back({.span = span, .line = line});
  }
  return matches;
}

SimilarText SimilarTextSearch::similar_at(const FoldedMatch& match, std::string_view wanted,
                                          bool has_whole_lines) const {
  const std::string_view file = file_.file();
  const std::size_t leading = wanted.find_first_not_of(white_space);
  const std::size_t trailing = wanted.find_last_not_of(white_space) + 1;
  TextSpan span{.begin = begin_with(wanted.substr(0, leading), file, match.span.begin),
                .end = end_with(wanted.substr(trailing), file, match.span.end)};
  if (has_whole_lines && !begins_line(file, span.begin)) {  // The line above is none of the text's.
    const std::size_t feed = file.substr(0, match.span.begin).find('\n', span.begin);
    span.begin = feed == std::string_view::npos ? file_.offset(match.line) : feed + 1;
  }
  const std::int64_t line =
      match.line - std::ranges::count(file.substr(span.begin, match.span.begin - span.begin), '\n');
  SimilarText similar;
  similar.what_differs =
      what_differs(file.substr(span.begin, span.end - span.begin), wanted, begins_line(file, span.begin));
  similar.nearest = differences_of_part(file_, span, line, wanted);
  return similar;
}

std::optional<SimilarText> SimilarTextSearch::find(std::string_view wanted) {
  const std::vector<FoldedMatch> matches = folded_matches(wanted);
  if (!matches.empty()) {
    SimilarText similar = similar_at(matches.front(), wanted, false);
    for (std::size_t i = 1; i < matches.size(); ++i) similar.other_lines.push_back(matches[i].line);
    return similar;
  }
  if (std::optional<NearestPlace> nearest = nearest_place(file_, wanted, {}))
    return SimilarText{.what_differs = {}, .other_lines = {}, .nearest = std::move(nearest->lines)};
  if (file_.count() > nearest_lines_max) return std::nullopt;
  const std::int64_t line = line_with_same_words(file_, wanted);
  if (line == 0) return std::nullopt;
  return SimilarText{.what_differs = {}, .other_lines = {}, .nearest = differences_at(file_, wanted, line)};
}

std::optional<SimilarText> SimilarTextSearch::find_lines(std::string_view wanted,
                                                         const ExpectedPlace& expected) {
  const std::string_view file = file_.file();
  std::vector<FoldedMatch> matches = folded_matches(wanted);
  std::erase_if(matches, [&](const FoldedMatch& match) {
    const std::size_t begin = file_.offset(match.line);
    const std::size_t feed = std::min(file.find('\n', match.span.end), file.size());
    return !is_white_space(file.substr(begin, match.span.begin - begin)) ||
           !is_white_space(file.substr(match.span.end, feed - match.span.end));
  });
  const auto rank = [&](const FoldedMatch& match) {
    return std::pair(expected.cost_at(match.line), std::abs(match.line - expected.line));
  };
  const auto match = std::ranges::min_element(matches, {}, rank);
  std::optional<NearestPlace> nearest = nearest_place(file_, wanted, expected);
  if (match != matches.end() &&
      (!nearest || different_line_cost + expected.cost_at(match->line) <= nearest->cost)) {
    SimilarText similar = similar_at(*match, wanted, true);
    for (auto other = matches.begin(); other != matches.end(); ++other)
      if (other != match) similar.other_lines.push_back(other->line);
    return similar;
  }
  if (!nearest) return std::nullopt;
  return SimilarText{.what_differs = {}, .other_lines = {}, .nearest = std::move(nearest->lines)};
}

}  // namespace snapgen::core

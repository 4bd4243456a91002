#include "tools/engine/patch/similar_text.h"

#include <algorithm>
#include <array>
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

// A text without such differences, and the begin and end of the original part of each of its bytes.
struct FoldedText {
  std::string text;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> ends;
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

// Returns for example "letter case and quotes" for two texts that are equal when folded.
std::string what_differs(std::string_view a, std::string_view b) {
  FoldedKinds kinds;
  std::vector<std::string> words;
  for (const auto& [kind, word] :
       {std::pair(&FoldedKinds::letter_case, "letter case"),
        std::pair(&FoldedKinds::quotes, "quotes or dashes"), std::pair(&FoldedKinds::escapes, "escapes"),
        std::pair(&FoldedKinds::white_space, "white space")}) {
    kinds.*kind = false;
    if (are_equal_without(kinds, a, b)) continue;
    kinds.*kind = true;
    const bool is_indentation = kind == &FoldedKinds::white_space && differ_in_indentation(a, b);
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

std::optional<SimilarText> similar_when_folded(const FileLines& lines, std::string_view wanted) {
  const std::string_view file = lines.file();
  if (file.size() > folded_bytes_max || wanted.size() > folded_bytes_max) return std::nullopt;
  const Folding folding{FoldedKinds()};
  const FoldedText folded_wanted = folding.fold(wanted);
  if (folded_wanted.text.size() < folded_bytes_min) return std::nullopt;
  const FoldedText folded = folding.fold(file);
  const std::vector<std::size_t> places = places_in(folded.text, folded_wanted.text, similar_places_max);
  if (places.empty()) return std::nullopt;
  SimilarText similar;
  std::vector<std::int64_t> numbers;
  for (const std::size_t offset : places) {
    const std::string_view before = file.substr(0, folded.begins[offset]);
    numbers.push_back(std::ranges::count(before, '\n') + 1);
  }
  similar.line = numbers.front();
  similar.other_lines.assign(numbers.begin() + 1, numbers.end());
  // White space at the ends of `wanted` is compared, too.
  const std::size_t last = places.front() + folded_wanted.text.size();
  const std::size_t limit = last < folded.begins.size() ? folded.begins[last] : file.size();
  TextSpan span{.begin = folded.begins[places.front()], .end = folded.ends[last - 1]};
  const std::size_t leading = folded_wanted.begins.front();
  while (span.begin > lines.offset(similar.line) && leading > 0 &&
         std::string_view(" \t").find(file[span.begin - 1]) != std::string_view::npos)
    --span.begin;
  if (wanted.ends_with('\n')) {
    const std::size_t feed = file.find('\n', span.end);
    if (feed < limit) span.end = feed;
  }
  const std::string_view trimmed_wanted =
      wanted.ends_with('\n') ? wanted.substr(0, wanted.size() - 1) : wanted;
  similar.what_differs = what_differs(file.substr(span.begin, span.end - span.begin), trimmed_wanted);
  similar.nearest = differences_of_part(lines, span, similar.line, trimmed_wanted);
  return similar;
}

}  // namespace

std::optional<SimilarText> similar_text(std::string_view file, std::string_view wanted) {
  const FileLines lines(file);
  if (std::optional<SimilarText> similar = similar_when_folded(lines, wanted)) return similar;
  if (lines.count() > nearest_lines_max) return std::nullopt;
  if (std::optional<NearestLines> nearest = nearest_lines(lines, wanted, 1)) {
    const std::int64_t line = nearest->line;
    return SimilarText{.line = line, .what_differs = {}, .other_lines = {}, .nearest = *std::move(nearest)};
  }
  const std::int64_t line = line_with_same_words(lines, wanted);
  if (line == 0) return std::nullopt;
  return SimilarText{
      .line = line, .what_differs = {}, .other_lines = {}, .nearest = differences_at(lines, wanted, line)};
}

}  // namespace snapgen::core

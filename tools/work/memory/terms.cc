#include "tools/work/memory/terms.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/work/memory/bm25.h"

namespace snapgen::core {
namespace {

constexpr std::size_t word_bytes_min = 2;
constexpr std::size_t word_bytes_max = 64;
constexpr std::size_t name_bytes_min = 4;       // Shorter names are abbreviations, such as "e.g".
constexpr std::size_t extension_bytes_max = 6;  // In "a.method", a longer part is a member, not an extension.
// A learning of a whole task names all files that it changed. The words of any file after the first few have
// the weight of a folder's words.
constexpr std::size_t weighty_files_max = 4;

// English words that are too common to search for, sorted.
constexpr std::array<std::string_view, 116> common_words = {
    "a",     "add",  "after", "again", "all",     "also",  "always", "am",    "an",    "and",  "any",
    "are",   "as",   "at",    "be",    "because", "been",  "before", "but",   "by",    "can",  "could",
    "did",   "do",   "does",  "done",  "each",    "every", "first",  "for",   "from",  "get",  "gets",
    "give",  "had",  "has",   "have",  "he",      "her",   "his",    "how",   "i",     "if",   "in",
    "into",  "is",   "it",    "its",   "just",    "like",  "make",   "may",   "more",  "most", "must",
    "my",    "need", "needs", "never", "new",     "no",    "not",    "now",   "of",    "off",  "on",
    "one",   "only", "or",    "other", "our",     "out",   "over",   "own",   "same",  "she",  "should",
    "since", "so",   "some",  "still", "such",    "than",  "that",   "the",   "their", "them", "then",
    "there", "they", "this",  "to",    "too",     "two",   "under",  "until", "up",    "use",  "very",
    "want",  "was",  "we",    "were",  "what",    "when",  "where",  "which", "while", "who",  "why",
    "will",  "with", "would", "yet",   "you",     "your"};

bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
// Returns whether a character may belong to a word. The tokenizer decides about characters beyond ASCII.
bool is_of_word(char c) { return is_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80; }

void append_word(std::string& out, std::string_view word) {
  if (word.size() < word_bytes_min || word.size() > word_bytes_max) return;
  if (!std::binary_search(common_words.begin(), common_words.end(), to_lower(word))) (out += word) += ' ';
}

// Appends the words of `text`, each with a space after it. A word in camel case is appended as a whole and in
// its parts.
void append_words(std::string& out, std::string_view text) {
  for (std::size_t begin = 0; begin < text.size();) {
    if (!is_of_word(text[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    std::size_t part = begin;
    for (; end < text.size() && is_of_word(text[end]); ++end) {
      if (end == part || !is_upper(text[end])) continue;
      const bool ends_acronym = is_upper(text[end - 1]) && end + 1 < text.size() && is_lower(text[end + 1]);
      if (!is_lower_or_digit(text[end - 1]) && !ends_acronym) continue;
      append_word(out, text.substr(part, end - part));
      part = end;
    }
    append_word(out, text.substr(part, end - part));
    if (part > begin) append_word(out, text.substr(begin, end - begin));
    begin = end;
  }
}

// Returns whether the text has parts that are joined by a mark or by their case: "no-console", "useEffect".
bool is_identifier(std::string_view text) {
  if (text.size() < name_bytes_min) return false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (is_lower_or_digit(text[i]) && is_upper(text[i + 1])) return true;
    const bool joins = std::string_view("-_.:").find(text[i + 1]) != std::string_view::npos;
    if (joins && i + 2 < text.size() && is_alphanumeric(text[i]) && is_alphanumeric(text[i + 2])) return true;
  }
  return false;
}

std::string identifier_term(std::string_view identifier) { return "=" + to_lower(identifier); }

bool has_extension(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || !is_ascii_word_character(name[dot - 1])) return false;
  const std::string_view extension = name.substr(dot + 1);
  // A number after the last dot is part of a version, such as 1.2, not an extension.
  return !extension.empty() && extension.size() <= extension_bytes_max && !is_digit(extension.front()) &&
         std::all_of(extension.begin(), extension.end(), is_alphanumeric);
}

// Returns whether a word is the path of a file: "src/auth.ts", "a/b/c" or "auth.ts", but not "and/or".
bool is_path(std::string_view word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return is_ascii_word_character(c) || std::string_view(".@+/-").find(c) != std::string_view::npos;
  });
  if (!plain || word.size() < name_bytes_min || word.front() == '/' || word.back() == '/') return false;
  return std::count(word.begin(), word.end(), '/') >= 2 || has_extension(base_name(word));
}

// Removes quotes, brackets and punctuation around a word, a line number at its end, and a leading "./".
std::string_view bare(std::string_view word) {
  constexpr std::string_view around = ",:;!?()[]{}\"'`<>";
  const std::size_t begin = word.find_first_not_of(around);
  if (begin == std::string_view::npos) return {};
  word.remove_prefix(begin);
  while (!word.empty() && (word.back() == '.' || around.find(word.back()) != std::string_view::npos))
    word.remove_suffix(1);
  for (std::size_t colon = word.rfind(':'); colon != std::string_view::npos; colon = word.rfind(':')) {
    const std::string_view number = word.substr(colon + 1);
    if (number.find_first_not_of("0123456789") != std::string_view::npos) break;
    word = word.substr(0, colon);
  }
  take_prefix(word, "./");
  return word;
}

class TermCollector {
 public:
  explicit TermCollector(const Database& database) : database_(database) {}

  void add_text(std::string_view text) {
    constexpr std::string_view space = " \t\r\n\v\f";
    std::string words;
    for (std::size_t begin = text.find_first_not_of(space); begin != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(space, begin), text.size());
      const std::string_view word = bare(text.substr(begin, end - begin));
      begin = text.find_first_not_of(space, end);
      if (is_path(word)) {
        add_path(word, true);
        continue;
      }
      if (is_identifier(word)) add(identifier_term(word), word_weight);
      append_words(words, word);
    }
    add_words(words, word_weight);
  }

  // Adds the terms of a path. `is_weighty` is false if the file is one of many.
  void add_path(std::string_view path, bool is_weighty) {
    const std::string_view name = base_name(path);
    if (name.empty()) return;
    if (known_paths_.emplace(path).second) terms_.paths.emplace_back(path);
    const std::int64_t weight = is_weighty ? word_weight : folder_weight;
    add("*/" + to_lower(name), weight);
    // The name's first byte may be a dot. A part between stem and extension, such as "test" in a.test.ts, has
    // a smaller weight because it is common.
    const std::size_t dot = name.find('.', 1);
    add_names(name.substr(0, dot), weight);
    const std::size_t last = name.rfind('.');
    if (dot != std::string_view::npos && last > dot) add_names(name.substr(dot, last - dot), folder_weight);
    add_names(path.substr(0, path.size() - name.size()), folder_weight);
  }

  void end_text() { terms_.length = weight_; }
  Terms take() {
    for (Term& each : terms_.words)
      if (each.is_folder_name_only) each.weight = std::min(each.weight, word_weight - 1);
    return std::move(terms_);
  }

 private:
  void add(std::string text, std::int64_t weight) {
    const auto [at, is_new] = known_.try_emplace(std::move(text), terms_.words.size());
    if (is_new) terms_.words.push_back({.text = at->first});
    Term& one = terms_.words[at->second];
    one.weight += weight;
    one.is_folder_name_only = one.is_folder_name_only && weight < word_weight;
    weight_ += weight;
  }
  void add_words(const std::string& words, std::int64_t weight) {
    for (std::string& stem : database_.stems(words)) add(std::move(stem), weight);
  }
  void add_names(std::string_view names, std::int64_t weight) {
    std::string words;
    append_words(words, names);
    add_words(words, weight);
  }

  const Database& database_;
  Terms terms_;
  std::map<std::string, std::size_t> known_;  // The index of each term in terms_.words.
  std::set<std::string, std::less<>> known_paths_;
  std::int64_t weight_ = 0;
};

}  // namespace

Terms terms_of(const Database& database, const Learning& learning) {
  TermCollector collector(database);
  for (const std::string& each : learning.keywords) collector.add_text(each);
  collector.add_text(learning.trigger);
  collector.add_text(learning.action);
  collector.end_text();
  for (std::size_t i = 0; i < learning.files.size(); ++i)
    collector.add_path(learning.files[i], i < weighty_files_max);
  return collector.take();
}

std::string path_term(std::string_view path) { return "/" + std::string(path); }
bool is_identifier_term(std::string_view term) { return term.starts_with('='); }

std::vector<std::string> code_terms(const Database& database, std::string_view code) {
  if (code.empty() || code.find_first_of(" \t\r\n") != std::string_view::npos) return {};
  if (is_identifier(code)) {
    std::vector<std::string> terms{identifier_term(code)};
    // The name of a rule is often used without its plugin, as in "@typescript-eslint/no-explicit-any".
    if (const std::string_view name = base_name(code); name != code && is_identifier(name))
      terms.push_back(identifier_term(name));
    return terms;
  }
  const bool is_numbered = std::any_of(code.begin(), code.end(), is_digit) &&
                           std::all_of(code.begin(), code.end(), is_alphanumeric);
  return is_numbered ? database.stems(code) : std::vector<std::string>();
}

}  // namespace snapgen::core

#pragma once
// Cursor: a position in a source text that counts lines only on request.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"

namespace snapgen::core {

inline bool is_word_character(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Returns whether the text has this word of ASCII letters, digits and underscores, also in a comment or a
// string.
inline bool contains_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_ascii_word_character(text[at - 1])) &&
        (end == text.size() || !is_ascii_word_character(text[end])))
      return true;
  }
  return false;
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  // Returns the byte `ahead` bytes after the position; NUL past the end.
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  // Returns the byte `back` bytes before the position, which must exist.
  char peek_back(std::size_t back) const { return text_[at_ - back]; }
  bool looking_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip(std::size_t count = 1) { at_ = std::min(at_ + count, text_.size()); }
  void go_to(std::size_t at) { at_ = std::min(at, text_.size()); }
  // Moves to the next byte `what`, or to the end.
  void skip_to(char what) { go_to(text_.find(what, at_)); }
  // Moves behind the next `what`. If it is absent, moves to the end and returns false.
  bool skip_past(std::string_view what) {
    std::size_t found = text_.find(what, at_);
    go_to(found == std::string_view::npos ? text_.size() : found + what.size());
    return found != std::string_view::npos;
  }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\f') skip();
  }
  // Takes the word at the position, which may be empty.
  std::string_view take_word() {
    std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view text_since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  // Takes a string on one line whose opening quote is at the position, and moves behind the closing quote. An
  // unclosed string ends with the line. Escapes are not decoded.
  std::string_view take_quoted() {
    char quote = peek();
    std::size_t begin = at_ + 1;
    std::size_t i = begin;
    while (i < text_.size() && text_[i] != quote && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
    i = std::min(i, text_.size());
    go_to(i < text_.size() && text_[i] == quote ? i + 1 : i);
    return text_.substr(begin, i - begin);
  }

  // Returns the line number of a position; positions must not decrease between calls.
  std::int64_t line_of(std::size_t position) {
    line_ += std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                        text_.begin() + static_cast<std::ptrdiff_t>(position), '\n');
    counted_ = position;
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  std::size_t counted_ = 0;
};

}  // namespace snapgen::core

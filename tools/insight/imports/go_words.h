#pragma once
// Splits the lines of go.mod and go.sum.
#include <string_view>
#include <vector>

#include "tools/engine/base/plain_text.h"

namespace snapgen::core {

// Returns the words of a line of go.mod or go.sum without its comment; quotes are removed.
inline std::vector<std::string_view> go_words(std::string_view line) {
  line = line.substr(0, line.find("//"));
  std::vector<std::string_view> words;
  while (!(line = trimmed(line)).empty()) {
    // The bracket in `require(` is a separate word, even without a blank before it.
    const std::size_t end = line.find_first_of(" \t(", 1);
    std::string_view word = line.substr(0, end);
    line.remove_prefix(word.size());
    if (word.size() > 1 && (word[0] == '"' || word[0] == '`') && word.back() == word[0])
      word = word.substr(1, word.size() - 2);
    words.push_back(word);
  }
  return words;
}

}  // namespace snapgen::core

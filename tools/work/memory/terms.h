#pragma once
// Terms are what a learning and a task can have in common:
//
//   auth                    a word of a text or of a file's name, as its stem
//   =no-floating-promises   an identifier, besides its words
//   */auth.ts               the name of a file
//   /src/auth.ts            the path of a file
//
// The words of a folder's name have a smaller weight, and extensions are no words: most paths of a workspace
// have the same ones.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/work/memory/database.h"
#include "tools/work/memory/records.h"

namespace snapgen::core {

struct Term {
  std::string text;
  // The sum of the weights of all occurrences (bm25.h). It is below word_weight if is_folder_name_only.
  std::int64_t weight = 0;
  bool is_folder_name_only = true;  // The term occurs only in the names of folders.
};

struct Terms {
  // Distinct terms, without paths: keywords first, then words of the text, then of files.
  std::vector<Term> words;
  std::vector<std::string> paths;  // Distinct paths: the files, and the paths that the text names.
  std::int64_t length = 0;         // The sum of the weights of the text and the keywords.
};

// Returns the terms of a learning, or of a task that is described like one. `database` finds the stems.
Terms terms_of(const Database& database, const Learning& learning);

// Returns the term that all learnings on a path have.
std::string path_term(std::string_view path);
// Returns whether the term is an identifier, besides its words.
bool is_identifier_term(std::string_view term);

// Returns the terms that learnings about a finding's code have, such as "TS2322" or "no-unused-vars". Returns
// none if the code may be an ordinary word, or is a sentence.
std::vector<std::string> code_terms(const Database& database, std::string_view code);

}  // namespace snapgen::core

#pragma once
// Finds syntax errors with the parsers that languages come with: python3, node, gofmt, bash, ruby and php.
//
// They read a text from standard input and only parse it, in the folder `/` and with an environment of a few
// variables. Programs below the workspace are not used, because its files may have made them.
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/syntax/syntax.h"

namespace snapgen::core {

struct SourceText {
  std::string path;
  std::string text;
};

struct ParserVerdict {
  std::string_view tool;   // The name, such as "Python syntax"; empty if no parser read the text.
  std::string_view doubt;  // Why the text may be right although the parser rejects it, or empty.
  std::optional<SyntaxFault> fault = {};  // The first syntax error, if there is one.
};

class ParserPrograms {
 public:
  // `path_variable` is a value of PATH.
  ParserPrograms(const std::string& root, std::string_view path_variable);

  // Returns whether a parser of the text's language is installed.
  bool has_parser(std::string_view path, std::string_view text) const;
  // Returns a verdict for each text. Ends after 10 seconds for a language, or if the stop is requested:
  // the rest has no verdict.
  std::vector<ParserVerdict> parse(std::span<const SourceText> texts, const std::stop_token& stop) const;

 private:
  std::string program(std::string_view name) const;

  std::string root_;
  std::string path_variable_;  // PATH without the folders of the workspace.
};

}  // namespace snapgen::core

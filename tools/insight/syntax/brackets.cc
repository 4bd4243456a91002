#include "tools/insight/syntax/brackets.h"

#include <utility>

namespace snapgen::core {
namespace {

char closing(char bracket) { return bracket == '(' ? ')' : bracket == '[' ? ']' : '}'; }

std::string in_quotes(char bracket) {
  return bracket == '$' ? std::string("'${'") : std::string("'") + bracket + "'";
}

}  // namespace

void BracketLexer::fail(std::size_t at, std::string message) {
  if (!fault_) fault_ = fault_at(text_, at, std::move(message));
}

void BracketLexer::set_doubt(std::string_view why) {
  if (doubt_.empty()) doubt_ = why;
}

void BracketLexer::fail_if_open() {
  if (!open_.empty()) fail(open_.back().at, in_quotes(open_.back().bracket) + " is never closed");
}

BracketCheck BracketLexer::result() && { return {.fault = std::move(fault_), .doubt = doubt_}; }

void BracketLexer::take_byte() {
  const char c = in_.peek();
  if (c == '(' || c == '[' || c == '{')
    open_.push_back({.bracket = c, .at = in_.at()});
  else if (c == ')' || c == ']' || c == '}')
    close(c);
  in_.skip();
}

void BracketLexer::close(char bracket) {
  if (open_.empty()) return fail(in_.at(), in_quotes(bracket) + " closes nothing");
  const OpenBracket& last = open_.back();
  if (last.bracket == '$' || closing(last.bracket) != bracket) {
    const SyntaxFault opened = fault_at(text_, last.at, {});
    return fail(in_.at(), in_quotes(bracket) + " does not match " + in_quotes(last.bracket) + " in line " +
                              std::to_string(opened.line));
  }
  open_.pop_back();
}

void BracketLexer::skip_escape() { in_.skip(in_.peek(1) == '\r' && in_.peek(2) == '\n' ? 3 : 2); }

bool BracketLexer::skip_string() {
  const char quote = in_.peek();
  in_.skip();
  while (!in_.at_end() && in_.peek() != quote && in_.peek() != '\n') {
    if (in_.peek() == '\\')
      skip_escape();
    else
      in_.skip();
  }
  if (in_.peek() != quote) return false;
  in_.skip();
  return true;
}

void BracketLexer::take_string(std::string_view what) {
  const std::size_t begin = in_.at();
  if (!skip_string()) fail(begin, std::string(what) + " is not terminated");
}

void BracketLexer::take_until(std::size_t begin, std::string_view end, std::string_view what) {
  if (!in_.skip_past(end)) fail(begin, std::string(what) + " is not terminated");
}

}  // namespace snapgen::core

#include "tools/insight/analysis/definition.h"

#include <algorithm>
#include <array>

#include "runtime/base/ascii.h"
#include "tools/engine/base/plain_text.h"
#include "tools/insight/imports/cursor.h"

namespace snapgen::core {
namespace {

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_ascii_word_character(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

constexpr std::array<std::string_view, 19> before_names = {
    "function", "def",   "class", "struct", "enum", "interface", "type", "fn",    "func", "trait",
    "union",    "const", "let",   "var",    "mod",  "concept",   "impl", "macro", "using"};
constexpr std::array<std::string_view, 3> variable_words = {"const", "let", "var"};
constexpr std::array<std::string_view, 22> modifiers = {
    "export",  "default", "async",    "public", "private",   "protected", "static",  "abstract",
    "final",   "pub",     "unsafe",   "extern", "constexpr", "inline",    "declare", "readonly",
    "typedef", "virtual", "template", "crate",  "explicit",  "override"};
constexpr std::array<std::string_view, 12> no_functions = {"if",     "for",  "while",  "switch",
                                                           "return", "else", "sizeof", "catch",
                                                           "throw",  "new",  "delete", "co_return"};

constexpr std::array<std::string_view, 4> python_blocks = {"else", "try", "finally", "lambda"};
constexpr std::array<std::string_view, 11> method_modifiers = {"public",  "private",  "protected", "static",
                                                               "async",   "override", "readonly",  "abstract",
                                                               "declare", "get",      "set"};
constexpr std::array<std::string_view, 8> no_methods = {"function", "constructor", "super", "with",
                                                        "await",    "async",       "yield", "typeof"};
constexpr std::array<std::string_view, 7> no_members = {"case",  "default", "do",      "try",
                                                        "using", "goto",    "co_await"};
constexpr std::array<std::string_view, 4> method_qualifiers = {"const", "noexcept", "override", "final"};
constexpr std::array<std::string_view, 7> constant_modifiers = {
    "inline", "static", "extern", "constexpr", "constinit", "const", "thread_local"};

// Returns the name of a C function that a line begins, such as `int Folder::open(const char*
// name) {`: the word before the first bracket, if a type precedes it.
std::string_view function_of(std::string_view line) {
  const std::size_t bracket = line.find('(');
  if (bracket == std::string_view::npos || bracket == 0 || line.find('=') < bracket) return {};
  std::size_t begin = bracket;
  while (begin > 0 && is_ascii_word_character(line[begin - 1])) --begin;
  const std::string_view name = line.substr(begin, bracket - begin);
  const bool typed = begin > 0 && (line[begin - 1] == ' ' || line[begin - 1] == '*' ||
                                   line[begin - 1] == '&' || line[begin - 1] == ':');
  if (name.empty() || !typed || is_one_of(no_functions, name) || is_one_of(no_functions, word_at(line)))
    return {};
  return name;
}

constexpr std::size_t name_bytes_min = 3;

bool is_name(std::string_view name) { return name.size() >= name_bytes_min; }

bool is_indented(std::string_view line) { return !line.empty() && (line[0] == ' ' || line[0] == '\t'); }

// Returns the end of the brackets that begin at `open`: the position behind the one that closes them, or
// npos.
std::size_t end_of_brackets(std::string_view line, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool is_upper_case(std::string_view name) {
  return std::ranges::any_of(name, is_upper) && std::ranges::none_of(name, is_lower);
}

// Finds `NAME = value` and `NAME: Type = value` of Python, at the beginning of a line, or in a class.
Definition python_assignment(std::string_view line) {
  // A deeper line is in a function.
  constexpr std::size_t class_indentation_max = 4;
  const std::string_view rest = without_blanks(line);
  const std::string_view name = word_at(rest);
  const std::string_view behind = without_blanks(rest.substr(name.size()));
  const bool is_assigned = behind.starts_with('=') && !behind.starts_with("==");
  const bool is_annotated = behind.starts_with(": ") && behind.size() > 2 && !is_one_of(python_blocks, name);
  const std::size_t indentation = line.size() - rest.size();
  if ((!is_assigned && !is_annotated) || name.starts_with("__") || indentation > class_indentation_max)
    return {};
  // A word such as `data` is also in documents that do not mean the variable.
  const bool is_word = name.find('_', 1) == std::string_view::npos && std::ranges::none_of(name, is_upper);
  if (is_word || (indentation > 0 && !is_upper_case(name))) return {};
  return {.name = name,
          .kind = Definition::Kind::constant,
          .scope = indentation > 0 ? Definition::Scope::type_or_namespace : Definition::Scope::anywhere};
}

// Finds a method of a class of JavaScript: `name(…) {`, `async name(…)`, `name(…): Type;`.
Definition javascript_method(std::string_view line) {
  if (!is_indented(line)) return {};
  std::string_view rest = without_blanks(line);
  bool has_modifier = false;
  std::string_view name = word_at(rest);
  while (is_one_of(method_modifiers, name) && is_indented(rest.substr(name.size()))) {
    has_modifier = true;
    rest = without_blanks(rest.substr(name.size()));
    if (rest.starts_with('*')) rest = without_blanks(rest.substr(1));
    name = word_at(rest);
  }
  rest.remove_prefix(name.size());
  if (rest.starts_with('<')) rest.remove_prefix(std::min(rest.find('('), rest.size()));
  if (!rest.starts_with('(') || is_one_of(no_functions, name) || is_one_of(no_methods, name)) return {};
  const std::size_t end = end_of_brackets(rest, 0);
  const std::string_view behind = end == std::string_view::npos ? std::string_view() : rest.substr(end);
  const bool is_body = without_blanks(behind).starts_with('{');
  const bool has_type = behind.starts_with(':') && (behind.ends_with('{') || behind.ends_with(';'));
  if (!is_body && !has_type && !has_modifier) return {};
  return {.name = name, .kind = Definition::Kind::method};
}

// Finds a method in a class of C++ that has its body, or a word that only methods have, such as `override`.
Definition c_method(std::string_view line) {
  const std::string_view rest = without_blanks(line);
  const std::string_view name = function_of(rest);
  if (name.empty() || is_one_of(no_members, word_at(rest))) return {};
  const std::size_t end = end_of_brackets(rest, rest.find('('));
  if (end == std::string_view::npos || rest[static_cast<std::size_t>(name.data() - rest.data()) - 1] == ':')
    return {};
  std::string_view behind = without_blanks(rest.substr(end));
  bool has_qualifier = word_at(rest) == "virtual";
  for (std::string_view word = word_at(behind); is_one_of(method_qualifiers, word); word = word_at(behind)) {
    has_qualifier = true;
    behind = without_blanks(behind.substr(word.size()));
  }
  const bool is_declared = has_qualifier && (behind.starts_with(';') || behind.starts_with('='));
  if (!behind.starts_with('{') && !behind.starts_with("->") && !is_declared) return {};
  return {.name = name, .kind = Definition::Kind::method};
}

// Finds a constant of C++ that is not local: `inline constexpr int kName = 1;`, `static const Type name{…};`.
Definition c_constant(std::string_view line) {
  std::string_view rest = without_blanks(line);
  bool is_constant = false, is_static = false, is_constexpr = false;
  std::string_view word = word_at(rest);
  for (; is_one_of(constant_modifiers, word); word = word_at(rest)) {
    is_static = is_static || word == "static";
    is_constexpr = is_constexpr || word == "constexpr";
    is_constant = is_constant || word == "const" || word == "constexpr" || word == "constinit";
    rest = without_blanks(rest.substr(word.size()));
  }
  if (!is_constant || (is_indented(line) && !is_static && !is_constexpr)) return {};
  std::size_t end = 0;
  for (int depth = 0; end < rest.size(); ++end) {
    if (rest[end] == '<') ++depth;
    if (rest[end] == '>') --depth;
    if (depth == 0 && std::string_view("={;[,(").find(rest[end]) != std::string_view::npos) break;
  }
  if (end == rest.size() || rest[end] == '(' || rest[end] == ',') return {};
  const std::size_t last = rest.find_last_not_of(" \t", end == 0 ? 0 : end - 1);
  std::size_t begin = last == std::string_view::npos ? 0 : last + 1;
  const std::size_t name_end = begin;
  while (begin > 0 && is_ascii_word_character(rest[begin - 1])) --begin;
  const std::string_view name = rest.substr(begin, name_end - begin);
  if (begin == 0 || name == "operator" || rest[begin - 1] == ':') return {};
  return {.name = name,
          .kind = Definition::Kind::constant,
          .scope = !is_indented(line) ? Definition::Scope::anywhere
                   : is_static        ? Definition::Scope::type_or_namespace
                                      : Definition::Scope::only_namespace};
}

Definition c_member(std::string_view line) {
  const Definition method = is_indented(line) ? c_method(line) : Definition();
  return method.name.empty() ? c_constant(line) : method;
}

}  // namespace

Definition definition_in(std::string_view line, Language language) {
  const bool indented = is_indented(line);
  std::string_view rest = without_blanks(line);
  if (rest.starts_with("#define ")) return {.name = word_at(without_blanks(rest.substr(8)))};
  std::string_view name;
  while (!rest.empty()) {
    const std::string_view word = word_at(rest);
    if (word.empty()) break;
    rest = without_blanks(rest.substr(word.size()));
    // In C, `const` precedes a type. In any language, an indented variable is probably a local one.
    if (is_one_of(variable_words, word) && (indented || language == Language::c)) {
      if (language == Language::c) continue;
      return {};
    }
    if (is_one_of(before_names, word)) {
      if (rest.starts_with('(') && word == "func") {  // A method of Go has its receiver before its name.
        const std::size_t end = rest.find(')');
        rest = end == std::string_view::npos ? std::string_view() : without_blanks(rest.substr(end + 1));
      }
      if (rest.starts_with('*')) rest = without_blanks(rest.substr(1));
      const std::string_view next = word_at(rest);
      if (is_one_of(before_names, next)) continue;  // Skips the second keyword of `enum class` or `const fn`.
      name = next;
      break;
    }
    if (!is_one_of(modifiers, word)) break;
    if (rest.starts_with('(')) {  // Skips the brackets of `pub(crate)`.
      const std::size_t end = rest.find(')');
      rest = end == std::string_view::npos ? std::string_view() : without_blanks(rest.substr(end + 1));
    }
  }
  if (name.empty() && !indented) name = function_of(line);
  if (!name.empty()) return is_name(name) ? Definition{.name = name} : Definition();
  const Definition found = language == Language::python       ? python_assignment(line)
                           : language == Language::javascript ? javascript_method(line)
                           : language == Language::c          ? c_member(line)
                                                              : Definition();
  return is_name(found.name) ? found : Definition();
}

bool is_in_scope(const Definition& definition, std::string_view outer, Language language) {
  if (definition.scope == Definition::Scope::anywhere) return true;
  if (language == Language::python) return outer.starts_with("class ");
  if (outer.find('(') != std::string_view::npos) return false;
  for (std::string_view word = word_at(outer); !word.empty(); word = word_at(outer)) {
    if (word == "namespace") return true;
    if (word == "class" || word == "struct" || word == "union")
      return definition.scope == Definition::Scope::type_or_namespace;
    if (!is_one_of(modifiers, word)) return false;
    outer = without_blanks(outer.substr(word.size()));
  }
  return false;
}

}  // namespace snapgen::core

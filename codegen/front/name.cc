#include "codegen/front/name.h"

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/base/ascii.h"
#include "runtime/base/text.h"

namespace snapgen::codegen {
namespace {

constexpr std::array<std::string_view, 115> reserved_words = {
    // Names that generated code uses for namespaces.
    "json",         "listing",       "mcp",         "snapgen",   "std",
    "NULL",         "alignas",       "alignof",     "and",       "and_eq",
    "asm",          "assert",        "auto",        "bitand",    "bitor",
    "bool",         "break",         "case",        "catch",     "char",
    "char16_t",     "char32_t",      "char8_t",     "class",     "co_await",
    "co_return",    "co_yield",      "compl",       "concept",   "const",
    "const_cast",   "consteval",     "constexpr",   "constinit", "continue",
    "decltype",     "default",       "delete",      "do",        "double",
    "dynamic_cast", "else",          "enum",        "errno",     "explicit",
    "export",       "extern",        "false",       "float",     "for",
    "friend",       "goto",          "if",          "inline",    "int",
    "linux",        "long",          "major",       "makedev",   "minor",
    "mutable",      "namespace",     "new",         "noexcept",  "not",
    "not_eq",       "nullptr",       "operator",    "or",        "or_eq",
    "private",      "protected",     "public",      "register",  "reinterpret_cast",
    "requires",     "return",        "short",       "signed",    "sizeof",
    "static",       "static_assert", "static_cast", "stderr",    "stdin",
    "stdout",       "struct",        "switch",      "template",  "this",
    "thread_local", "throw",         "true",        "try",       "typedef",
    "typeid",       "typename",      "union",       "unix",      "unsigned",
    "using",        "virtual",       "void",        "volatile",  "wchar_t",
    "while",        "xor",           "xor_eq",      "EOF",       "alloca",
    "offsetof",     "signals",       "slots",       "emit",      "environ"};

// Splits a name into words, at characters other than letters and digits, and before capitals.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool word = is_alphanumeric(c);
    if (!word && static_cast<unsigned char>(c) < 0x80) {
      open = false;
      continue;
    }
    bool after_small = i > 0 && (is_lower(text[i - 1]) || is_digit(text[i - 1]));
    bool last_of_capitals = i > 0 && is_upper(text[i - 1]) && i + 1 < text.size() && is_lower(text[i + 1]);
    if (!open || (is_upper(c) && (after_small || last_of_capitals))) found.emplace_back();
    open = true;
    if (word)
      found.back() += c;
    else
      found.back() += hex(std::string_view(&c, 1));
  }
  return found;
}

std::string snake(std::string_view text, std::string_view digit_prefix) {
  std::string name;
  for (const std::string& word : words(text)) {
    if (!name.empty()) name += '_';
    for (char c : word) name += to_lower(c);
  }
  if (name.empty()) name = "key";
  if (is_digit(name[0])) name.insert(0, digit_prefix);
  if (is_reserved(name)) name += '_';
  return name;
}

}  // namespace

std::string type_name_part(std::string_view text) {
  std::string name;
  for (const std::string& word : words(text)) {
    name += to_upper(word[0]);
    name += word.substr(1);
  }
  return name.empty() ? "Key" : name;
}

std::string type_name(std::string_view text) {
  std::string name = type_name_part(text);
  if (is_digit(name[0])) name.insert(0, "T");
  if (is_reserved(name)) name += '_';
  return name;
}

std::string member_name(std::string_view text) { return snake(text, "key_"); }
std::string enumerator_name(std::string_view text) { return snake(text, "v"); }

bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(text[0])) return false;
  return std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '_'; });
}

bool is_reserved(std::string_view text) {
  return std::ranges::find(reserved_words, text) != reserved_words.end();
}

std::string unique_name(const std::string& name, std::set<std::string>& used_names) {
  std::string found = name;
  for (int i = 2; !used_names.insert(found).second; ++i) found = name + "_" + std::to_string(i);
  return found;
}

}  // namespace snapgen::codegen

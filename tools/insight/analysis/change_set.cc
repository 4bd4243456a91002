#include "tools/insight/analysis/change_set.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/section.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/insight/imports/cursor.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

constexpr std::size_t bytes_max = 8 << 20;
constexpr std::size_t changed_files_max = 2000;
constexpr std::size_t name_bytes_min = 3;

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

// Returns the name of a C function that an unindented line begins, such as `int Folder::open(const char*
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

void add_changed_names(std::string_view diff, ChangedFile& file) {
  const Language language = language_of(file.path);
  std::set<std::string, std::less<>> before, after;
  bool in_hunk = false;
  std::string_view line;
  while (next_line(diff, line)) {
    in_hunk = (in_hunk || line.starts_with("@@")) && !line.starts_with(section_prefix);
    if (!in_hunk || line.empty() || (line[0] != '-' && line[0] != '+')) continue;
    const std::string_view name = defined_name(line.substr(1), language);
    if (!name.empty()) (line[0] == '-' ? before : after).emplace(name);
  }
  for (const std::string& name : before)
    file.defined_names.push_back({.name = name, .is_deleted = !after.contains(name)});
}

// Adds the lines that the hunks `@@ -1,2 +1,3 @@` of a diff without context add.
void add_new_lines(std::string_view diff, ChangedFile& file) {
  std::string_view line;
  while (next_line(diff, line)) {
    const std::size_t plus = line.starts_with("@@ ") ? line.find(" +") : std::string_view::npos;
    if (plus == std::string_view::npos) continue;
    std::int64_t first = 0;
    std::int64_t count = 1;
    const char* const end = line.data() + line.size();
    const char* at = std::from_chars(line.data() + plus + 2, end, first).ptr;
    if (at < end && *at == ',') std::from_chars(at + 1, end, count);
    if (count > 0) file.new_lines.push_back({.first = first, .last = first + count - 1});
  }
}

}  // namespace

std::string_view defined_name(std::string_view line, Language language) {
  const bool indented = !line.empty() && (line[0] == ' ' || line[0] == '\t');
  std::string_view rest = without_blanks(line);
  if (rest.starts_with("#define ")) return word_at(without_blanks(rest.substr(8)));
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
  return name.size() < name_bytes_min ? std::string_view() : name;
}

Result<ChangeSet> change_set_since(Workspace& workspace, const Snapshot* before,
                                   const std::vector<std::string>& paths, const std::stop_token& stop) {
  DiffQuery query{.paths = paths,
                  .context = 0,
                  .show_untracked = true,
                  .bytes_max = bytes_max,
                  .files_max = changed_files_max};
  auto read = [&](LiveView& view) {
    return before == nullptr ? diff_live_with_git(workspace, GitBase::head, view, query)
                             : diff_live_with_snapshot(workspace, *before, view, query);
  };
  DiffAnswer answer = TRY(read_without_lease(workspace, stop, read));
  ChangeSet set{.files = {}, .truncated = answer.truncated};
  // The diff text has one section per file, in the order of `answer.files`. Files that the diff omits have no
  // section.
  std::string_view diff = answer.diff;
  for (const DiffedFile& one : answer.files) {
    ChangedFile file{.path = one.path,
                     .is_deleted = one.status == ChangeStatus::deleted,
                     .is_added = one.status == ChangeStatus::added,
                     .defined_names = {},
                     .new_lines = {}};
    const std::string_view from = diff;
    const std::string header = section_header(one.path);
    while (diff.starts_with(header)) take_section(diff);
    const std::string_view parts = from.substr(0, from.size() - diff.size());
    if (!one.binary && language_of(one.path) != Language::none)
      add_changed_names(parts, file);
    else if (!one.binary)
      add_new_lines(parts, file);
    set.files.push_back(std::move(file));
  }
  return set;
}

}  // namespace snapgen::core

#include "tools/insight/analysis/change_set.h"

#include <charconv>
#include <map>
#include <set>

#include "tools/engine/base/plain_text.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/section.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/insight/analysis/definition.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

constexpr std::size_t bytes_max = 8 << 20;
constexpr std::size_t changed_files_max = 2000;

// Returns the heading of a hunk, `@@ -1,2 +1,3 @@ heading`: the last line before it that is not indented.
std::string_view heading_of_hunk(std::string_view line) {
  const std::size_t end = line.find(" @@ ", 2);
  return end == std::string_view::npos ? std::string_view() : line.substr(end + 4);
}

void add_changed_names(std::string_view diff, ChangedFile& file) {
  const Language language = language_of(file.path);
  std::map<std::string, Definition::Kind, std::less<>> before;
  std::set<std::string, std::less<>> after;
  bool in_hunk = false;
  std::string_view line, outer;
  while (next_line(diff, line)) {
    in_hunk = (in_hunk || line.starts_with("@@")) && !line.starts_with(section_prefix);
    if (in_hunk && line.starts_with("@@")) outer = heading_of_hunk(line);
    if (!in_hunk || line.empty() || (line[0] != '-' && line[0] != '+')) continue;
    const std::string_view text = line.substr(1);
    const Definition defined = definition_in(text, language);
    if (line[0] == '+') {
      if (!defined.name.empty()) after.emplace(defined.name);
      continue;
    }
    if (!text.empty() && is_ascii_word_character(text[0])) outer = text;
    if (defined.name.empty() || !is_in_scope(defined, outer, language)) continue;
    Definition::Kind& kind = before.try_emplace(std::string(defined.name), defined.kind).first->second;
    if (defined.kind == Definition::Kind::certain) kind = defined.kind;
  }
  for (const auto& [name, kind] : before) {
    const bool is_deleted = !after.contains(name);
    // Other classes have methods of the same name, so a document may mean one of these.
    if (!is_deleted && kind == Definition::Kind::method) continue;
    file.defined_names.push_back(
        {.name = name, .is_deleted = is_deleted, .is_ambiguous = kind != Definition::Kind::certain});
  }
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

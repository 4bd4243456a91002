#include <algorithm>
#include <charconv>
#include <map>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/delegate.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/operations/diff/report.h"
#include "tools/engine/operations/diff/section.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

// Options of `git diff` that override every setting that could change its text.
constexpr std::string_view options[] = {"-c",
                                        "core.quotePath=true",
                                        "-c",
                                        "diff.suppressBlankEmpty=false",
                                        "-c",
                                        "diff.orderFile=/dev/null",
                                        "diff",
                                        "--no-renames",
                                        "--no-ext-diff",
                                        "--no-textconv",
                                        "--no-color",
                                        "--diff-algorithm=myers",
                                        "--indent-heuristic",
                                        "--inter-hunk-context=0",
                                        "--submodule=short",
                                        "--src-prefix=a/",
                                        "--dst-prefix=b/",
                                        "--abbrev=7",
                                        "--no-relative",
                                        "--ours"};

std::string_view take_field(std::string_view& rest, char end) {
  std::string_view field = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(field.size() + 1, rest.size()));
  return field;
}

struct GitFileChange {
  char letter = 'M';
  bool unmerged = false;
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool binary = false;
};

// Parses `git diff --raw --numstat -z`: `:modes oids letter NUL path NUL`, `added TAB removed TAB path NUL`.
std::map<std::string, GitFileChange> parsed(std::string_view bytes) {
  std::map<std::string, GitFileChange> files;
  while (!bytes.empty()) {
    std::string_view field = take_field(bytes, '\0');
    if (field.starts_with(':')) {
      GitFileChange& change = files[std::string(take_field(bytes, '\0'))];
      if (field.back() == 'U') {
        change.unmerged = true;
      } else {
        change.letter = field.back();
      }
      continue;
    }
    std::string_view added = take_field(field, '\t');
    std::string_view removed = take_field(field, '\t');
    GitFileChange& change = files[std::string(field)];
    change.binary = added == "-";
    std::from_chars(added.data(), added.data() + added.size(), change.added);
    std::from_chars(removed.data(), removed.data() + removed.size(), change.removed);
  }
  return files;
}

ChangeStatus parsed_status(const GitFileChange& change, std::string_view part) {
  if (change.letter == 'A') return ChangeStatus::added;
  if (change.letter == 'D') return ChangeStatus::deleted;
  if (change.letter == 'T') return ChangeStatus::type_changed;
  bool mode_alone =
      part.find("\nold mode ") != std::string_view::npos && part.find("\nindex ") == std::string_view::npos;
  return mode_alone ? ChangeStatus::mode_changed : ChangeStatus::modified;
}

// Returns true if a line is UTF-8 and not ASCII: one side of the section is in UTF-8, so converting the whole
// section would be wrong.
bool has_utf8_line(std::string_view section) {
  std::string_view line;
  while (next_line(section, line))
    if (json::valid_utf8(line) && code_point_count(line) != line.size()) return true;
  return false;
}

// Converts a section to UTF-8, and returns the encoding that it had. git's text has both sides, without the
// rest of their files, so the section is converted as one text.
TextEncoding convert_section(std::string_view path, TextEncodings* encodings, std::string& section) {
  if (encodings == nullptr || json::valid_utf8(section) || has_utf8_line(section)) return TextEncoding::utf8;
  DecodedText text = encodings->text_of(path, std::move(section));
  section = std::move(text.text);
  return text.encoding.encoding;
}

// The current record of the file at `path`; nullopt if there is none. It includes the content's id if an
// equal stat would not prove later that the file is unchanged. Errors: cancelled.
Result<std::optional<FileRecord>> record_now(const Root& root, const std::string& path,
                                             const std::stop_token& stop) {
  std::optional<FileRecord> none;
  const std::int64_t seen_ns = now_ns();
  Result<FileStat> stat = root.lstat(path);
  if (!stat || (kind_of(*stat) != FileKind::file && kind_of(*stat) != FileKind::symlink)) return none;
  if (is_racy(*stat, seen_ns)) {
    Result<FileRecord> observed = observe_file(root, path, stop);
    if (observed) return std::optional(*std::move(observed));
    if (observed.error().code == ErrorCode::cancelled) return std::move(observed).error();
  }
  return std::optional(FileRecord{.path = path, .stat = *stat, .seen_ns = seen_ns, .blob = {}});
}

}  // namespace

Result<DiffAnswer> diff_by_git(Workspace& workspace, GitBase base, LiveView& view, const DiffQuery& query,
                               std::string_view why) {
  const Repository& repository = workspace.repository();
  const std::string prefix = workspace.to_repository_path("");
  auto run = [&](std::vector<std::string> arguments, std::string_view what) -> Result<std::string> {
    arguments.emplace_back("--");
    for (const std::string& path : query.paths) {
      std::string whole = workspace.to_repository_path(path);
      arguments.push_back(whole.empty() ? "." : std::move(whole));
    }
    if (query.paths.empty() && !prefix.empty()) arguments.push_back(prefix);
    git::GitAnswer answer = TRY(git::run_git(repository.git_dir(), repository.root(), workspace.environment(),
                                             arguments, why, view.stop()));
    if (answer.exit_code != 0) return git::git_command_error(what, answer);
    return std::move(answer.output);
  };
  auto run_git = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments(std::begin(options), std::end(options));
    if (base == GitBase::head) arguments.pop_back();  // Removes --ours, which is for conflicts in the index.
    if (!prefix.empty()) arguments.push_back("--relative=" + prefix);
    arguments.insert(arguments.end(), more.begin(), more.end());
    if (base == GitBase::head) arguments.emplace_back("HEAD");
    return run(std::move(arguments), "git diff");
  };
  std::string named = TRY(run_git({"--raw", "-z"}));
  // The files are recorded before git reads them for the answer, so that later writes are detected.
  std::map<std::string, std::optional<FileRecord>> before;
  for (const auto& [path, file] : parsed(named)) {
    std::optional<FileRecord> record = TRY(record_now(workspace.root(), path, view.stop()));
    before.emplace(path, std::move(record));
  }
  std::string output = TRY(run_git({"--raw", "--numstat", "-z"}));
  std::string text = TRY(run_git({"-U" + std::to_string(query.context)}));
  std::string untracked = TRY(run({"ls-files", "--others", "--exclude-standard", "-z"}, "git ls-files"));

  std::map<std::string, std::string> parts;  // Sections by first line; a change of type has two.
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view part = take_section(rest);
    if (!part.starts_with(section_prefix)) continue;  // It is git's line `* Unmerged path`.
    parts[std::string(part.substr(0, part.find('\n') + 1))] += part;
  }
  std::map<std::string, GitFileChange> files = parsed(output);
  for (const std::string& path : query.paths) {
    auto at = files.lower_bound(path);
    if (path.empty() || (at != files.end() && is_at_or_below_folder(at->first, path))) continue;
    Result<FileStat> stat = workspace.root().lstat(path);
    if (!stat) return view.record_missing(path, std::move(stat).error());
  }
  DiffBuilder report(query, HashKind::sha1, view.stop());
  report.answer().omitted_untracked_files = std::count(untracked.begin(), untracked.end(), '\0');
  for (auto& [path, file] : files) {
    auto part = parts.find(section_header(path));
    // git lists a file without a section if its stat changed, but its converted content did not.
    if (part == parts.end()) continue;
    if (is_reserved_path(path)) continue;
    const auto found = before.find(path);
    if (found == before.end()) return changed_while_read_error(path);
    if (found->second) view.mark_touched(*std::move(found->second));
    DiffedFile shown{.path = path,
                     .status = parsed_status(file, part->second),
                     .unmerged = file.unmerged,
                     .added_lines = file.added,
                     .removed_lines = file.removed,
                     .binary = file.binary};
    shown.encoding = convert_section(path, query.encodings, part->second);
    report.add(std::move(shown), part->second);
  }
  return report.finish();
}

}  // namespace snapgen::core

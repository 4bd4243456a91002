#include "tools/work/static_checks/static_checks.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/environment.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/git/repository/tree.h"
#include "tools/engine/operations/diff/changes.h"
#include "tools/engine/operations/nested_repositories.h"
#include "tools/engine/operations/status_files.h"
#include "tools/engine/read/nearest_path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/documents.h"
#include "tools/insight/pattern/detect.h"
#include "tools/insight/syntax/parser_programs.h"
#include "tools/insight/syntax/syntax.h"
#include "tools/work/memory/memory.h"
#include "tools/work/static_checks/broken_imports.h"
#include "tools/work/task/task_store.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t checked_bytes_max = 2 << 20;  // A larger file counts as data and is not checked.
constexpr std::size_t reminders_named_max = 2;
constexpr std::size_t reminder_bytes_max = 60;  // Maximum length of one reminder.

Result<std::vector<std::string>> changed_since(Workspace& workspace, const Snapshot& before,
                                               const std::stop_token& stop) {
  ChangesQuery query;
  query.changes_max = std::numeric_limits<std::size_t>::max();
  auto read = [&](LiveView& view) { return changes_since(workspace, before, view, query); };
  ChangesAnswer answer = TRY(read_without_lease(workspace, stop, read));
  std::vector<std::string> paths;
  for (FileChange& change : answer.changes) paths.push_back(std::move(change.path));
  return paths;
}

// Returns whether `files`, sorted by path, has a file at this path or below it.
template <class File>
bool has_file_at_or_below(const std::vector<File>& files, const std::string& path) {
  auto from = [&](const std::string& bound) {
    return std::lower_bound(files.begin(), files.end(), bound,
                            [](const File& file, const std::string& each) { return file.path < each; });
  };
  const auto same = from(path);
  if (same != files.end() && same->path == path) return true;
  const auto below = from(path + "/");
  return below != files.end() && is_at_or_below_folder(below->path, path);
}

// Returns the files of HEAD, or nullopt if the commit cannot be read.
Result<std::optional<std::vector<NamedGitFile>>> committed_files(Workspace& workspace,
                                                                 const std::stop_token& stop) {
  if (!repository_of(workspace).is_git()) return std::optional(std::vector<NamedGitFile>());
  GitStatus status = TRY(status_of(workspace, stop));
  const std::string& head = status.fingerprint.head_oid;
  if (head.empty()) return std::optional(std::vector<NamedGitFile>());
  const std::optional<git::Oid> oid = git::Oid::from_hex(head);
  if (!oid || oid->size != 20) return std::optional<std::vector<NamedGitFile>>();
  return files_of_commit(repository_of(workspace), *oid, stop);
}

}  // namespace

Result<CheckScope> check_scope_of(Workspace& workspace, const std::optional<std::string>& task_id,
                                  const std::optional<std::vector<std::string>>& files,
                                  const std::stop_token& stop) {
  const TaskStore tasks(record_folders_of(workspace));
  std::optional<Task> task;
  if (task_id) {
    task = TRY(tasks.find_open_task(task_id));
  } else {
    task = tasks.current_task();
  }
  CheckScope scope{
      .paths = {}, .is_named = files && !files->empty(), .start_snapshot = nullptr, .planned_files = {}};
  if (task) {
    Result<std::shared_ptr<const Snapshot>> snapshot = snapshots_of(workspace).load(task->snapshot_id);
    // The snapshot of another work tree does not tell what changed in this one.
    if (snapshot && tasks.other_tree_of(*task).empty()) {
      scope.start_snapshot = *std::move(snapshot);
      scope.task_began_ms = task->started_ms;
    }
    if (!scope.is_named) scope.planned_files = std::move(task->files);
  }
  std::vector<std::string> named = TRY(paths_of_texts(files));
  scope.nested_repositories = TRY(nested_repositories_related_to(workspace, named, stop));
  const GitStatus status = TRY(status_of(workspace, stop));
  scope.paths = TRY(scope.is_named                    ? with_folders_expanded(workspace, status, named, stop)
                    : scope.start_snapshot != nullptr ? changed_since(workspace, *scope.start_snapshot, stop)
                                                      : dirty_files(workspace, stop));
  // A merge that began before the task did is not resolved while its files are unmerged.
  if (!scope.is_named) {
    scope.unmerged = unmerged_files(workspace, status);
    scope.paths.insert(scope.paths.end(), scope.unmerged.begin(), scope.unmerged.end());
  }
  std::sort(scope.paths.begin(), scope.paths.end());
  scope.paths.erase(std::unique(scope.paths.begin(), scope.paths.end()), scope.paths.end());
  scope.planned_files = TRY(with_folders_expanded(workspace, status, scope.planned_files, stop));
  return scope;
}

Result<Unit> check_named_files_exist(Workspace& workspace, const CheckScope& scope,
                                     const std::stop_token& stop) {
  if (!scope.is_named) return Unit{};
  std::optional<std::optional<std::vector<NamedGitFile>>> committed;
  for (const std::string& path : scope.paths) {
    Result<FileStat> stat = root_of(workspace).lstat(path);
    if (stat) continue;
    if (stat.error().code != ErrorCode::not_found) return std::move(stat).error();
    if (scope.start_snapshot != nullptr && has_file_at_or_below(scope.start_snapshot->entries, path))
      continue;
    if (is_not_checked_out(workspace, path))
      return Error(ErrorCode::not_found, not_checked_out_sentence(path));
    if (!committed) {
      committed = TRY(committed_files(workspace, stop));
    }
    if (!*committed || has_file_at_or_below(**committed, to_repository_path(workspace, path))) continue;
    return read_without_lease(workspace, stop, [&](LiveView& view) -> Result<Unit> {
      return with_suggested_path(view, path, stat.error());
    });
  }
  return Unit{};
}

std::string reminder_of(const std::vector<ViolationCount>& patterns) {
  std::int64_t count = 0;
  std::string named;
  for (const ViolationCount& each : patterns) {
    if (has_detector(each.type)) continue;
    if (++count > static_cast<std::int64_t>(reminders_named_max)) continue;
    const std::string words = each.prevention.empty() ? each.type : each.type + ": " + each.prevention;
    named += (named.empty() ? "" : "; ") + shortened(words, reminder_bytes_max);
  }
  if (count == 0) return {};
  const std::int64_t more = count - static_cast<std::int64_t>(reminders_named_max);
  if (more > 0) named += "; and " + std::to_string(more) + " more";
  return count_with_noun(count, "reminder") + ", not checked: " + named + (named.ends_with('.') ? "" : ".");
}

CheckMark mark_of(const CheckReport& report, bool inspected_something) {
  if (report.error_count > 0) return CheckMark::fail;
  return inspected_something ? CheckMark::pass : CheckMark::skipped;
}

namespace {

// Returns the reason as said of several files: " that is binary" becomes " that are binary".
std::string plural_of(const std::string& reason) {
  for (const auto& [one, several] :
       {std::pair<std::string_view, std::string_view>(" that is a symlink", " that are symlinks"),
        std::pair<std::string_view, std::string_view>(" that is", " that are")})
    if (reason.starts_with(one)) return std::string(several) + reason.substr(one.size());
  return reason;
}

// FileReport checks files one after the other and collects their findings.
class FileReport {
 public:
  // The workspace must outlive this object.
  FileReport(const std::vector<ViolationCount>& patterns, const SelectedFileChecks& parts,
             Workspace& workspace, const std::stop_token& stop)
      : patterns_(patterns),
        parts_(parts),
        tree_(tree_probe_of(workspace)),
        parsers_(root_of(workspace).folder(), environment_variable("PATH").value_or("")),
        stop_(stop) {
    for (const ViolationCount& each : patterns)
      if (parts.patterns && has_detector(each.type)) violation_types_.push_back(each.type);
  }

  void check(const std::string& path, std::string_view text) {
    bool has_conflict = false;
    for (PatternFinding& each :
         detect_patterns(path, text, violation_types_, std::numeric_limits<std::size_t>::max())) {
      const bool is_conflict = each.type == conflict_type;
      if (is_conflict && !parts_.conflicts) continue;
      has_conflict = has_conflict || is_conflict;
      (is_conflict ? report_ : lint_)
          .count_finding({.path = path,
                          .line = each.line,
                          .column = 0,
                          .is_error = is_conflict || is_frequent(each.type),
                          .code = std::move(each.type),
                          .message = {}});
    }
    if (parts_.conflicts) report_.add_checked({.tool = "conflict markers", .file_count = 1});
    if (std::ranges::any_of(violation_types_,
                            [&](const std::string& type) { return is_sought_in(type, path); }))
      lint_.add_checked({.tool = "promoted patterns", .file_count = 1});
    else if (!violation_types_.empty() && !parts_.conflicts)
      skip(path, " of a kind in which no promoted pattern is sought");
    // Conflict markers would also be reported as syntax errors.
    if (!parts_.syntax || has_conflict) return;
    SyntaxCheck syntax = check_syntax(path, text);
    if (syntax.fault || !parsers_.has_parser(path, text))
      return look_at_syntax(path, text, std::move(syntax));
    unparsed_bytes_ += text.size();
    unparsed_.push_back({.path = path, .text = std::string(text)});
    unparsed_syntax_.push_back(std::move(syntax));
    if (unparsed_bytes_ > unparsed_bytes_max) parse();
  }

  // Counts a file that was not checked for this reason.
  void skip(const std::string& path, std::string_view reason) {
    LeftOut& all = skipped_[std::string(reason)];
    if (all.count++ == 0) all.first = path;
  }

  // Does as skip(), for a file that may be one of a language.
  void skip_unread(const std::string& path, std::string_view reason) {
    skip(path, reason);
    report_.uncovered.push_back(path);
  }

  CheckReport take() && {
    parse();
    report_.static_checks_mark = mark_of(report_, !report_.checked.empty());
    lint_.add_mark(Subsystem::lint, mark_of(lint_, !lint_.checked.empty()));
    report_.add(std::move(lint_));
    if (parts_.patterns) report_.reminder = reminder_of(patterns_);
    if (parts_.patterns && !parts_.conflicts && !parts_.syntax && patterns_.empty())
      report_.notes.emplace_back("No violation has been promoted to a pattern.");
    for (const auto& [reason, files] : skipped_) {
      std::string words =
          count_with_noun(files.count, "file") + (files.count > 1 ? plural_of(reason) : reason);
      if (reason != no_parser)
        words += (files.count > 1 ? ", such as " : ": ") + path_in_sentence(files.first);
      report_.skipped.push_back({.subsystem = Subsystem::lint, .reason = std::move(words)});
    }
    return std::move(report_);
  }

 private:
  static constexpr std::size_t unparsed_bytes_max = 16 << 20;
  static constexpr std::string_view conflict_type = "merge_conflict";
  static constexpr std::string_view no_parser = " of a kind without a syntax check";

  // Returns whether the violation was seen automation_count_min times, from which on it is an error.
  bool is_frequent(const std::string& type) const {
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const ViolationCount& each) {
      return each.type == type && each.count >= automation_count_min;
    });
  }

  // Has the texts parsed that wait for the parsers of their languages.
  void parse() {
    const std::vector<ParserVerdict> verdicts = parsers_.parse(unparsed_, stop_);
    for (std::size_t i = 0; i < unparsed_.size(); ++i) {
      SyntaxCheck syntax = std::move(unparsed_syntax_[i]);
      const ParserVerdict& verdict = verdicts[i];
      const bool is_rejected = verdict.fault || !verdict.doubt.empty();
      if (is_rejected && syntax.doubt.empty() && is_program_template(unparsed_[i].path, unparsed_[i].text))
        syntax.doubt = template_doubt;
      // What makes the brackets doubtful may also be why the parser rejects the text.
      if (!verdict.tool.empty() && (!is_rejected || syntax.doubt.empty()))
        syntax = {
            .tool = verdict.tool, .is_full_grammar = true, .doubt = verdict.doubt, .fault = verdict.fault};
      look_at_syntax(unparsed_[i].path, unparsed_[i].text, std::move(syntax));
    }
    unparsed_.clear();
    unparsed_syntax_.clear();
    unparsed_bytes_ = 0;
  }

  void look_at_syntax(const std::string& path, std::string_view text, SyntaxCheck check) {
    if (check.tool.empty() || !check.doubt.empty()) {
      skip(path, check.doubt.empty() ? std::string(no_parser)
                                     : " without a syntax check (" + std::string(check.doubt) + ")");
      if (!is_document(path)) report_.uncovered.push_back(path);
      return look_at_imports(path, text);
    }
    const bool is_partial = check.is_partial || check.is_full_grammar;
    report_.add_checked({.tool = std::string(check.tool), .file_count = 1, .is_partial = is_partial});
    if (check.is_partial)
      report_.uncovered.push_back(path);
    else
      report_.has_checked_code = true;
    // A text that does not end a string or a comment may hide imports, or have others.
    if (!check.fault) return look_at_imports(path, text);
    report_.count_finding({.path = path,
                           .line = check.fault->line,
                           .column = check.fault->column,
                           .is_error = check.is_certain,
                           .code = std::string(syntax_code),
                           .message = std::move(check.fault->message)});
  }

  void look_at_imports(const std::string& path, std::string_view text) {
    const RelativeImports imports = check_relative_imports(path, text, tree_);
    if (imports.checked_count > 0)
      report_.add_checked({.tool = "relative imports", .file_count = 1, .is_partial = true});
    for (const BrokenImport& each : imports.broken) report_.count_finding(broken_import_finding(path, each));
  }

  const std::vector<ViolationCount>& patterns_;
  const SelectedFileChecks parts_;
  const TreeProbe tree_;
  const ParserPrograms parsers_;
  const std::stop_token stop_;
  // The texts that wait for a parser, and what was found in them without one.
  std::vector<SourceText> unparsed_;
  std::vector<SyntaxCheck> unparsed_syntax_;
  std::size_t unparsed_bytes_ = 0;
  std::vector<std::string> violation_types_;  // The types of promoted violations that have a detector.
  CheckReport report_, lint_;
  struct LeftOut {
    std::int64_t count = 0;
    std::string first;
  };
  std::map<std::string, LeftOut> skipped_;  // The files that were not checked, by reason.
};

}  // namespace

Result<CheckReport> check_files(const WorkspaceServices& services, const std::vector<std::string>& paths,
                                const SelectedFileChecks& parts, const std::stop_token& stop) {
  std::vector<ViolationCount> patterns = TRY(services.learning_store.promoted_violations(paths));
  const GitStatus status = TRY(status_of(services.workspace, stop));
  std::vector<std::string> files = TRY(with_folders_expanded(services.workspace, status, paths, stop));
  FileReport report(patterns, parts, services.workspace, stop);
  for (const std::string& path : files) {
    if (stop.stop_requested()) return cancelled_call_error();
    Result<OpenedPath> file = root_of(services.workspace).open_file(path);
    std::string text;
    if (!file) {
      const bool is_absent = file.error().code == ErrorCode::not_found;
      const bool is_link = is_absent && root_of(services.workspace).lstat(path);
      report.skip_unread(path, is_link     ? " that is a symlink to nothing"
                               : is_absent ? " missing"
                                           : " unreadable");
    } else if (file->stat.size > checked_bytes_max) {
      report.skip_unread(path, " larger than 2 MiB");
    } else if (Result<Unit> read = read_stable_content(*file, text); !read) {
      report.skip_unread(path, " unreadable");
    } else if (text.find('\0') != std::string::npos) {
      report.skip(path, " that is binary or UTF-16");
    } else {
      report.check(path, text);
    }
  }
  CheckReport made = std::move(report).take();
  if (stop.stop_requested()) return cancelled_call_error();
  const std::int64_t unreadable = TRY(services.learning_store.unreadable_lines());
  if (parts.patterns && unreadable > 0) made.notes.push_back(unreadable_lines_sentence(unreadable));
  add_preventions(services.learning_store, made, RecordedBy::code);
  return made;
}

Result<CheckReport> text_check_report(const WorkspaceServices& services, const std::string& path,
                                      std::string_view text, const SelectedFileChecks& parts,
                                      const std::stop_token& stop) {
  std::vector<ViolationCount> patterns = TRY(services.learning_store.promoted_violations({path}));
  FileReport report(patterns, parts, services.workspace, stop);
  report.check(path, text);
  CheckReport made = std::move(report).take();
  add_preventions(services.learning_store, made, RecordedBy::code);
  return made;
}

namespace {

constexpr std::size_t prevention_bytes_max = 300;

}  // namespace

void add_preventions(LearningStore& memory, CheckReport& report, RecordedBy by) {
  std::map<std::string, std::string> known;  // The preventions, keyed by code or file.
  for (const CheckFinding& each : report.findings)
    if (each.prevention.empty()) known[by == RecordedBy::code ? each.code : each.path];
  known.erase("");
  std::vector<FindingKey> keys;
  for (const auto& [name, prevention] : known)
    keys.push_back(by == RecordedBy::code ? FindingKey{.code = name, .file = {}}
                                          : FindingKey{.code = {}, .file = name});
  if (keys.empty()) return;
  const Result<std::vector<std::string>> found = memory.preventions(keys);
  if (!found) return;
  std::size_t next = 0;
  for (auto& [name, prevention] : known)
    prevention = shortened(in_one_line((*found)[next++]), prevention_bytes_max);
  for (CheckFinding& each : report.findings) {
    const auto at = known.find(by == RecordedBy::code ? each.code : each.path);
    if (each.prevention.empty() && at != known.end()) each.prevention = at->second;
  }
}

}  // namespace snapgen::core

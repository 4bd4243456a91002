#include "tools/work/static_checks/analyse.h"

#include <algorithm>
#include <iterator>

#include "tools/engine/base/phrase.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/documents.h"
#include "tools/insight/analysis/impact.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/insight/imports/language.h"
#include "tools/work/static_checks/static_checks.h"

namespace snapgen::core {
namespace {

constexpr std::size_t files_named_max = 3;
constexpr std::size_t cycle_files_max = 4;

bool is_in_scope(const CheckScope& scope, const std::string& path) {
  return std::binary_search(scope.paths.begin(), scope.paths.end(), path);
}

// Returns the files of a cycle, such as "a.ts > b.ts > a.ts".
std::string cycle_text(const ImportGraph& graph, const ImportCycle& cycle) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.files.size(), cycle_files_max); ++i)
    text += path_in_sentence(graph.files().path(cycle.files[i])) + " > ";
  if (cycle.files.size() > cycle_files_max) text += "… > ";
  return text + path_in_sentence(graph.files().path(cycle.files.front()));
}

CheckFinding finding_of(const ImportGraph& graph, const ImportCycle& cycle) {
  CheckFinding finding{.path = graph.files().path(cycle.files.front()),
                       .line = 0,
                       .column = 0,
                       .is_error = false,
                       .code = "circular",
                       .message = cycle_text(graph, cycle)};
  for (const ImportEdge& edge : graph.edges(cycle.files.front()))
    if (edge.to == cycle.files[1] && !edge.is_deferred && finding.line == 0) finding.line = edge.line;
  return finding;
}

CheckFinding finding_of(const DocumentFinding& one) {
  std::string message = one.name;
  if (!one.name.ends_with(base_name(one.file))) message += " of " + path_in_sentence(one.file);
  if (!one.now_in.empty()) message += " (now in " + path_in_sentence(one.now_in) + ")";
  return {.path = one.document,
          .line = one.line,
          .column = 0,
          .is_error = one.is_deleted,
          .code = one.is_deleted ? "names_gone" : "names_changed",
          .message = std::move(message),
          .is_document = true};
}

// Replaces symlinks by the files that they lead to, because only those contain code.
std::vector<std::string> with_symlinks_followed(const Root& root, std::vector<std::string> paths) {
  for (std::string& path : paths) {
    const Result<FileStat> stat = root.lstat(path);
    if (!stat || kind_of(*stat) != FileKind::symlink) continue;
    if (Result<OpenedPath> opened = root.open_file(path)) path = std::move(opened->path);
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// Returns the number of files in `impact.changed` that the task named, but that have not changed. 0 if none
// has changed, because the sentence is then about an edit that is only planned.
std::int64_t planned_count(const Impact& impact, const std::vector<std::string>& changed) {
  const auto has_changed = [&](const std::string& path) {
    // The scope of a deleted folder has its files.
    return std::ranges::binary_search(changed, path);
  };
  const auto edited = std::ranges::count_if(impact.changed, has_changed);
  return edited == 0 ? 0 : static_cast<std::int64_t>(impact.changed.size()) - edited;
}

// Returns the sentence about files that compute the names of imports; empty if there are none. It begins with
// a blank.
std::string computed_sentence(const std::vector<std::string>& paths) {
  return paths.empty() ? "" : " Not known: the computed imports of " + some_of(paths, 1) + ".";
}

// Returns the sentence about files that were not examined; empty if there are none. It begins with a blank.
std::string unscanned_sentence(const UnscannedFiles& unscanned) {
  std::string kinds;
  for (const std::string& ending : unscanned.endings) kinds += (kinds.empty() ? "" : ", ") + ending;
  std::string words = kinds.empty() ? kinds : "in files with the ending " + kinds;
  if (!unscanned.unreadable.empty())
    words += (words.empty() ? "in " : " and in ") + some_of(unscanned.unreadable, 1);
  if (!words.empty()) words = " Not examined: imports " + words + ".";
  return words + computed_sentence(unscanned.computed);
}

// Returns a sentence such as "An edit of src/a.ts affects 3 other files, 2 directly." `planned` is the
// planned_count(). `files` has the files that were examined. Of these, `absent` has those that do not exist,
// and `deleted` those of them that were source files. All are sorted.
std::string impact_note(const Impact& impact, std::int64_t planned, const std::vector<std::string>& files,
                        const std::vector<std::string>& deleted, const std::vector<std::string>& absent) {
  if (files.empty())
    return "Nothing changed, and the task names no files. Pass files to see what an edit of them affects.";
  if (impact.changed.empty() && files == absent)
    return some_of(files, files_named_max) + (files.size() == 1 ? " does not exist." : " do not exist.");
  if (impact.changed.empty())
    return "Which files use " + some_of(files, files_named_max) +
           " is not known: imports of symlinks, of submodules and of files without source code are not "
           "analyzed.";
  const auto changed = static_cast<std::int64_t>(impact.changed.size());
  // A file that does not exist may have been deleted, or its path may be wrong. "The absence of" fits both.
  const std::string verb = deleted.empty()             ? "An edit of "
                           : impact.changed == deleted ? "The absence of "
                                                       : "A change of ";
  std::string edit =
      verb + (changed == 1 ? path_in_sentence(impact.changed.front()) : count_with_noun(changed, "file"));
  if (planned > 0)
    edit += ", of which " + std::to_string(planned) + (planned == 1 ? " has" : " have") + " not changed yet,";
  if (impact.reached.empty())
    return edit + " affects no other file by imports." + unscanned_sentence(impact.unscanned);
  return edit + " affects " +
         count_with_noun(static_cast<std::int64_t>(impact.reached.size()), "other file") + ", " +
         std::to_string(impact.direct_count) + " directly.";
}

// Adds the findings of `other` that `report` does not have.
void add_new(DocumentReport& report, DocumentReport other) {
  const std::size_t had = report.findings.size();
  for (DocumentFinding& one : other.findings) {
    const auto end = report.findings.begin() + static_cast<std::ptrdiff_t>(had);
    if (std::find(report.findings.begin(), end, one) == end) report.findings.push_back(std::move(one));
  }
  report.truncated |= other.truncated;
}

// Returns what the documents were compared with: "2 changes and the files that the history deleted".
std::string compared_with(const ChangeSet& changes, bool has_git) {
  if (changes.files.empty()) return has_git ? "the repository's history" : "the times of the files";
  // A new file and a document define nothing that documents may have named before.
  const auto count = std::ranges::count_if(changes.files, [](const ChangedFile& each) {
    return !each.is_added && (each.is_deleted || !is_document(each.path));
  });
  const std::string text = count_with_noun(count, "change");
  if (!has_git) return text;
  return (count > 0 ? text + " and " : "") + "the files that the history deleted";
}

}  // namespace

Result<CheckReport> impact_report(const WorkspaceServices& services, const CheckScope& scope, bool brief,
                                  const std::stop_token& stop) {
  TRY(services.import_graph.update(stop));
  const Root& root = root_of(services.workspace);
  const std::vector<std::string> changed = with_symlinks_followed(root, scope.paths);
  // A short report is about what has changed.
  const std::vector<std::string> planned =
      brief ? std::vector<std::string>() : with_symlinks_followed(root, scope.planned_files);
  std::vector<std::string> files = changed;
  const std::vector<std::string> deleted = services.import_graph.missing_sources(files);
  files.insert(files.end(), planned.begin(), planned.end());
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  std::vector<std::string> absent;
  for (const std::string& each : files)
    if (!root.lstat(each)) absent.push_back(each);
  const Impact impact = impact_of_changes(services.import_graph, changed, planned);
  CheckReport report;
  if (!files.empty() || (!brief && !scope.is_named))
    report.notes.push_back(impact_note(impact, planned_count(impact, changed), files, deleted, absent));
  // A short answer leaves out the last notes.
  if (!impact.tests.empty())
    report.notes.push_back("Tests to run: " + some_of(impact.tests, files_named_max) + ".");
  if (!deleted.empty() && impact.changed != deleted)
    report.notes.push_back(some_of(deleted, files_named_max) +
                           (deleted.size() == 1 ? " does not exist." : " do not exist."));
  for (const ReachedFile& each : impact.reached) {
    if (brief) break;
    report.list_finding({.path = each.path,
                         .line = 0,
                         .column = 0,
                         .is_error = false,
                         .code = "imports",
                         .message = path_in_sentence(each.via),
                         .distance = each.distance});
  }
  add_preventions(services.learning_store, report, RecordedBy::file);
  // The report only lists affected files, which is neither a failure nor a pass.
  report.is_informational = !brief && !impact.changed.empty();
  return report;
}

Result<CheckReport> cycle_report(const WorkspaceServices& services, const CheckScope& scope,
                                 const std::stop_token& stop) {
  TRY(services.import_graph.update(stop));
  CheckReport report;
  std::size_t component_size = 0;
  std::int64_t sources = 0, rust_sources = 0;
  UnscannedFiles unscanned;
  services.import_graph.with_graph([&](const ImportGraph& graph) {
    for (const Language language : {Language::c, Language::go, Language::javascript, Language::python}) {
      UnscannedFiles each = graph.unscanned(language);
      std::ranges::move(each.unreadable, std::back_inserter(unscanned.unreadable));
      std::ranges::move(each.computed, std::back_inserter(unscanned.computed));
    }
    const std::vector<std::string>& paths = graph.files().paths();
    for (const std::string& path : paths) {
      sources += can_be_circular(language_of(path)) ? 1 : 0;
      rust_sources += language_of(path) == Language::rust ? 1 : 0;
    }
    for (ImportCycle cycle : graph.cycles()) {
      // Begins with a file of the work, under which the finding is listed.
      const auto own = std::ranges::find_if(
          cycle.files, [&](FileIndex file) { return is_in_scope(scope, graph.files().path(file)); });
      const bool is_error = own != cycle.files.end();
      if (is_error) std::ranges::rotate(cycle.files, own);
      CheckFinding finding = finding_of(graph, cycle);
      finding.is_error = is_error;
      report.count_finding(std::move(finding));
      component_size += cycle.component_size;
    }
  });
  if (component_size > 0)
    report.notes.push_back(count_with_noun(static_cast<std::int64_t>(component_size), "file") +
                           " can reach themselves.");
  if (const std::string sentence = unscanned_sentence(unscanned); !sentence.empty())
    report.notes.emplace_back(trimmed(sentence));
  if (sources > 0) report.add_checked({.tool = "import cycles", .file_count = sources});
  if (rust_sources > 0)
    report.skipped.push_back({.subsystem = Subsystem::build,
                              .reason = "import cycles of " + count_with_noun(rust_sources, "file") +
                                        " of Rust, whose modules may import one another"});
  report.static_checks_mark = mark_of(report, sources > 0);
  return report;
}

Result<CheckReport> document_report(const WorkspaceServices& services, const CheckScope& scope,
                                    const std::stop_token& stop) {
  Workspace& workspace = services.workspace;
  const std::vector<std::string> named = scope.is_named ? scope.paths : std::vector<std::string>();
  ChangeSet changes;
  const bool has_git = repository_of(workspace).is_git();
  // Without git and a task there is nothing to compare with.
  if (scope.start_snapshot != nullptr || has_git)
    changes = TRY(change_set_since(workspace, scope.start_snapshot.get(), named, stop));
  const bool has_changes = !changes.files.empty();
  const HistoryFiles files = has_changes ? HistoryFiles::deleted : HistoryFiles::all;
  DocumentReport found = TRY(outdated_documents_by_history(workspace, files, stop));
  if (scope.is_named)
    std::erase_if(found.findings, [&](const DocumentFinding& one) {
      return !is_in_scope(scope, one.file) && !is_in_scope(scope, one.document);
    });
  std::int64_t changed_documents = 0;
  if (has_changes) {
    auto read = [&](LiveView& view) { return outdated_documents(view, changes); };
    DocumentReport behind = TRY(read_without_lease(workspace, stop, read));
    changed_documents = behind.changed_document_count;
    add_new(found, std::move(behind));
    found.truncated |= changes.truncated;
  }
  CheckReport report;
  for (const DocumentFinding& one : found.findings) report.count_finding(finding_of(one));
  const std::int64_t compared = found.document_count - (has_git ? 0 : changed_documents);
  report.notes.push_back(
      count_with_noun(compared, "document") + " compared with " + compared_with(changes, has_git) +
      (has_git && changed_documents > 0
           ? ", without the new lines of " + count_with_noun(changed_documents, "changed document")
           : "") +
      (scope.is_named ? "; only what names the passed files, or is in them, is reported." : "."));
  if (!has_git && changed_documents > 0)
    report.notes.push_back(count_with_noun(changed_documents, "changed document") +
                           " not compared: there is no history without git.");
  if (found.truncated)
    report.notes.emplace_back("Not everything was compared: the history or the changes are too long.");
  if (compared > 0) report.add_checked({.tool = "documents", .file_count = compared});
  report.static_checks_mark = mark_of(report, compared > 0);
  return report;
}

namespace {

// Returns whether the import graph tells which files a change of this one affects, if it affects any.
bool has_known_effect(const std::string& path) {
  if (is_document(path)) return true;
  switch (language_of(path)) {
    case Language::javascript: return !path.ends_with(".d.ts");  // It may declare names for all files.
    case Language::python:
    case Language::c:
    case Language::component: return true;
    case Language::go:    // Files of a package see one another without imports.
    case Language::rust:  // So do modules of a crate, by implementations of traits.
    case Language::none: break;
  }
  return false;
}

}  // namespace

Result<Unit> mark_errors_elsewhere(const WorkspaceServices& services, const CheckScope& scope,
                                   CheckReport& report, const std::stop_token& stop) {
  const auto is_candidate = [&](const CheckFinding& each) {
    return each.is_error && each.age == FindingAge::unknown && !each.is_test && !each.path.empty() &&
           !is_in_scope(scope, each.path);
  };
  const bool is_of_task = !scope.is_named && scope.task_began_ms;
  if (!is_of_task || std::ranges::none_of(report.findings, is_candidate) ||
      !std::ranges::all_of(scope.paths, has_known_effect))
    return Unit{};
  TRY(services.import_graph.update(stop));
  const Impact impact = impact_of_changes(services.import_graph, scope.paths, {});
  for (CheckFinding& each : report.findings)
    if (is_candidate(each) &&
        std::ranges::find(impact.reached, each.path, &ReachedFile::path) == impact.reached.end())
      each.age = FindingAge::elsewhere;
  return Unit{};
}

}  // namespace snapgen::core

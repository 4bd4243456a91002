#include "tools/work/static_checks/broken_imports.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {
namespace {

// A larger file has no imports that are worth a check.
constexpr std::int64_t read_bytes_max = 2 << 20;

std::string text_of_file(Workspace& workspace, const std::string& path) {
  Result<OpenedPath> file = workspace.root().open_file(path);
  std::string text;
  if (!file || file->stat.size > read_bytes_max || !read_stable_content(*file, text)) return {};
  return text;
}

// Whether the import in the file `from` may have another meaning: a header that a library has, too.
bool may_be_foreign(Language language, std::string_view from, const Import& import,
                    std::string_view deleted) {
  return language == Language::c && import.name.find('/') == std::string::npos &&
         normalized_path(parent_path(from), import.name) != deleted;
}

// Returns whether the import in the file `from` names the deleted file by a path or a module that only a file
// of the tree can have.
bool names_file(Language language, std::string_view from, const Import& import, std::string_view deleted,
                const FileSet& files) {
  switch (language) {
    case Language::javascript: return import.name.starts_with("./") || import.name.starts_with("../");
    case Language::c:
      return import.kind == ImportKind::plain &&
             (normalized_path(parent_path(from), import.name) == deleted ||
              deleted.ends_with("/" + import.name));
    case Language::python: {
      if (import.name.starts_with('.')) return import.name.find_first_not_of('.') != std::string::npos;
      // The module must be in a package that still exists, because another package may have the name, too.
      const std::string_view module = base_name(deleted).substr(0, base_name(deleted).find('.'));
      return import.name.ends_with("." + std::string(module)) &&
             files.find(joined_path(parent_path(deleted), "__init__.py")).has_value();
    }
    default: return false;
  }
}

struct Importer {
  std::string path;
  std::int64_t line = 0;
  std::string deleted;
};

// Returns the imports of deleted files whose lines import no file now.
std::vector<Importer> importers_of(ImportGraphCache& imports, const std::vector<std::string>& deleted) {
  std::vector<Importer> importers;
  imports.with_graph_before(deleted, [&](const ImportGraph& before) {
    for (FileIndex from = 0; from < before.files().size(); ++from)
      for (const ImportEdge& edge : before.edges(from)) {
        const std::string& to = before.files().path(edge.to);
        if (std::ranges::binary_search(deleted, to))
          importers.push_back({.path = before.files().path(from), .line = edge.line, .deleted = to});
      }
  });
  imports.with_graph([&](const ImportGraph& now) {
    std::erase_if(importers, [&](const Importer& each) {
      const std::optional<FileIndex> from = now.files().find(each.path);
      return !from || std::ranges::any_of(now.edges(*from),
                                          [&](const ImportEdge& edge) { return edge.line == each.line; });
    });
  });
  return importers;
}

}  // namespace

TreeProbe tree_probe_of(Workspace& workspace) {
  return {.names_in = [&workspace](const std::string& folder) -> std::optional<std::vector<std::string>> {
            Result<std::vector<FolderEntry>> entries = workspace.root().read_folder(folder);
            if (!entries && entries.error().code != ErrorCode::not_found) return std::nullopt;
            std::vector<std::string> names;
            if (entries)
              for (FolderEntry& each : *entries) names.push_back(std::move(each.name));
            return names;
          },
          .may_be_omitted =
              [&workspace](const std::string& path) {
                if (!workspace.repository().is_git()) return false;
                const Result<bool> ignored = workspace.ignores(path, false);
                return !ignored || *ignored || workspace.is_not_checked_out(path);
              },
          .text_of = [&workspace](const std::string& path) { return text_of_file(workspace, path); }};
}

CheckFinding broken_import_finding(const std::string& path, const BrokenImport& import) {
  return {.path = path,
          .line = import.line,
          .is_error = true,
          .code = "missing_import",
          .message = "'" + import.name + "' does not exist"};
}

Result<CheckReport> deleted_imports_report(const WorkspaceServices& services, const CheckScope& scope,
                                           const std::vector<std::string>& deleted,
                                           const std::stop_token& stop) {
  CheckReport report;
  if (deleted.empty()) return report;
  TRY(services.import_graph.update(stop));
  const TreeProbe tree = tree_probe_of(services.workspace);
  for (const Importer& each : importers_of(services.import_graph, deleted)) {
    // A file whose source remains is generated from it.
    if (tree.may_be_omitted(each.deleted) || services.workspace.root().lstat(each.deleted + ".in")) continue;
    const Language language = language_of(each.path);
    const bool is_checked = std::ranges::binary_search(scope.paths, each.path) && language != Language::c;
    const std::string text = text_of_file(services.workspace, each.path);
    for (const Import& import : scan_imports(language, text)) {
      const bool is_it =
          import.line == each.line && services.import_graph.with_graph([&](const ImportGraph& now) {
            return names_file(language, each.path, import, each.deleted, now.files());
          });
      const bool is_relative = import.name.starts_with('.') && language != Language::c;
      if (!is_it || (is_checked && is_relative) || !is_unconditional(language, text, import)) continue;
      CheckFinding finding = broken_import_finding(each.path, {.line = import.line, .name = import.name});
      finding.is_error = !may_be_foreign(language, each.path, import, each.deleted);
      if (!finding.is_error)
        finding.message =
            "'" + import.name + "' was " + path_in_sentence(each.deleted) + ", which is deleted";
      report.count_finding(std::move(finding));
    }
  }
  report.add_checked({.tool = "imports of deleted files"});
  report.static_checks_mark = mark_of(report, report.error_count > 0);
  return report;
}

}  // namespace snapgen::core

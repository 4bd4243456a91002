#include "tools/work/static_checks/broken_imports.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "tools/engine/files/path.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/analysis/import_graph_cache.h"
#include "tools/insight/imports/lost_modules.h"
#include "tools/insight/imports/resolve.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {
namespace {

// A larger file has no imports that are worth a check.
constexpr std::int64_t read_bytes_max = 2 << 20;

std::string text_of_file(Workspace& workspace, const std::string& path) {
  Result<OpenedPath> file = root_of(workspace).open_file(path);
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

// Returns whether the import in the file `from` names the deleted file by a path that only a file of the tree
// can have.
bool names_file(Language language, std::string_view from, const Import& import, std::string_view deleted) {
  if (language == Language::javascript)
    return import.name.starts_with("./") || import.name.starts_with("../");
  return language == Language::c && import.kind == ImportKind::plain &&
         (normalized_path(parent_path(from), import.name) == deleted || deleted.ends_with("/" + import.name));
}

// An import, with the deleted files that it meant before, and the modules of Python that it lost.
struct ImportOfDeleted {
  Import import;
  std::vector<std::string> deleted = {};
  std::vector<LostModule> lost_modules = {};
  bool resolves_now = false;
};

struct Importer {
  std::string path;
  Language language = Language::none;
  std::vector<std::int64_t> lines;  // The lines that import a deleted file.
  std::vector<ImportOfDeleted> imports = {};
};

// Returns the files that imported a deleted file.
std::vector<Importer> importers_of(ImportGraphCache& imports, const std::vector<std::string>& deleted) {
  std::vector<Importer> importers;
  imports.with_graph_before(deleted, [&](const ImportGraph& before) {
    for (FileIndex from = 0; from < before.files().size(); ++from) {
      std::vector<std::int64_t> lines;
      for (const ImportEdge& edge : before.edges(from))
        if (std::ranges::binary_search(deleted, before.files().path(edge.to))) lines.push_back(edge.line);
      const std::string& path = before.files().path(from);
      if (!lines.empty())
        importers.push_back({.path = path, .language = language_of(path), .lines = std::move(lines)});
    }
  });
  return importers;
}

// Reads each importer once, and finds its imports of deleted files that are needed under all conditions.
void read_importers(ImportGraphCache& imports, const std::vector<std::string>& deleted, const TreeProbe& tree,
                    std::vector<Importer>& importers) {
  for (Importer& importer : importers) {
    const std::string text = tree.text_of(importer.path);
    for (Import& import : scan_imports(importer.language, text))
      if (std::ranges::find(importer.lines, import.line) != importer.lines.end() &&
          is_unconditional(importer.language, text, import))
        importer.imports.push_back({.import = std::move(import)});
  }
  std::vector<FileIndex> targets;
  imports.with_graph_before(deleted, [&](const ImportGraph& before) {
    const Resolver resolver = before.make_resolver();
    for (Importer& importer : importers) {
      const std::optional<FileIndex> from = before.files().find(importer.path);
      if (!from) importer.imports.clear();
      for (ImportOfDeleted& each : importer.imports) {
        targets.clear();
        resolver.resolve(*from, importer.language, each.import, targets);
        for (const FileIndex target : targets)
          if (std::ranges::binary_search(deleted, before.files().path(target)))
            each.deleted.push_back(before.files().path(target));
      }
    }
  });
  imports.with_graph([&](const ImportGraph& now) {
    const Resolver resolver = now.make_resolver();
    for (Importer& importer : importers) {
      const std::optional<FileIndex> from = now.files().find(importer.path);
      std::erase_if(importer.imports, [](const ImportOfDeleted& each) { return each.deleted.empty(); });
      if (!from) importer.imports.clear();
      for (ImportOfDeleted& each : importer.imports) {
        targets.clear();
        resolver.resolve(*from, importer.language, each.import, targets);
        each.resolves_now = !targets.empty();
        if (importer.language == Language::python)
          each.lost_modules = lost_modules(importer.path, each.import, each.deleted, now.files());
      }
    }
  });
}

// Returns the finding for an import of deleted files, or nullopt if it is no certain error.
std::optional<CheckFinding> deleted_import_finding(const Importer& importer, const ImportOfDeleted& each,
                                                   const TreeProbe& tree) {
  if (importer.language == Language::python) {
    std::string names;
    bool has_several = false;
    for (const LostModule& lost : each.lost_modules) {
      // Another folder may have the package, too. The import of a member resolves to its package.
      if ((each.resolves_now && lost.member.empty()) || !is_certainly_lost(lost, tree)) continue;
      has_several = !names.empty();
      names += (names.empty() ? "'" : ", '") + lost.name + "'";
    }
    if (names.empty()) return std::nullopt;
    CheckFinding finding = broken_import_finding(importer.path, {.line = each.import.line, .name = {}});
    finding.message = names + (has_several ? " do not exist" : " does not exist");
    return finding;
  }
  const auto named = std::ranges::find_if(each.deleted, [&](const std::string& deleted) {
    return names_file(importer.language, importer.path, each.import, deleted);
  });
  if (each.resolves_now || named == each.deleted.end()) return std::nullopt;
  CheckFinding finding =
      broken_import_finding(importer.path, {.line = each.import.line, .name = each.import.name});
  finding.is_error = !may_be_foreign(importer.language, importer.path, each.import, *named);
  if (!finding.is_error)
    finding.message = "'" + each.import.name + "' was " + path_in_sentence(*named) + ", which is deleted";
  return finding;
}

}  // namespace

TreeProbe tree_probe_of(Workspace& workspace) {
  return {.names_in = [&workspace](const std::string& folder) -> std::optional<std::vector<std::string>> {
            Result<std::vector<FolderEntry>> entries = root_of(workspace).read_folder(folder);
            if (!entries && entries.error().code != ErrorCode::not_found) return std::nullopt;
            std::vector<std::string> names;
            if (entries)
              for (FolderEntry& each : *entries) names.push_back(std::move(each.name));
            return names;
          },
          .may_be_omitted =
              [&workspace](const std::string& path) {
                if (!repository_of(workspace).is_git()) return false;
                const Result<bool> ignored = ignores(workspace, path, false);
                return !ignored || *ignored || is_not_checked_out(workspace, path);
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
  std::vector<Importer> importers = importers_of(services.import_graph, deleted);
  read_importers(services.import_graph, deleted, tree, importers);
  // A file whose source remains is generated from it.
  const auto may_return = [&](const std::string& path) {
    return tree.may_be_omitted(path) || root_of(services.workspace).lstat(path + ".in");
  };
  for (Importer& importer : importers) {
    const bool is_checked = std::ranges::binary_search(scope.paths, importer.path);
    RelativeImports checked;
    if (is_checked && importer.language == Language::python)
      checked = check_relative_imports(importer.path, tree.text_of(importer.path), tree);
    for (const ImportOfDeleted& each : importer.imports) {
      const bool is_reported = std::ranges::any_of(checked.broken, [&](const BrokenImport& one) {
        return one.line == each.import.line && one.name == each.import.name;
      });
      // check_files() also knows the rules by which a project resolves other imports than Node.js does.
      if (is_reported || (is_checked && importer.language == Language::javascript) ||
          std::ranges::any_of(each.deleted, may_return))
        continue;
      if (std::optional<CheckFinding> finding = deleted_import_finding(importer, each, tree))
        report.count_finding(*std::move(finding));
    }
  }
  report.add_checked({.tool = "imports of deleted files"});
  report.static_checks_mark = mark_of(report, true);
  return report;
}

}  // namespace snapgen::core

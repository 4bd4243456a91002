#include "tools/insight/analysis/import_graph_cache.h"

#include <algorithm>

#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {

ImportGraphCache::ImportGraphCache(Workspace& workspace)
    : workspace_(workspace), graph_(tree_folder_of(workspace)) {}

Result<Unit> ImportGraphCache::update(const std::stop_token& stop) {
  std::lock_guard lock(mutex_);
  LiveView view(workspace_, false, stop);
  TRY(view.listing());
  if (view.shared_listing() == listing_ && graph_.has_current_ignored_inputs(view)) return Unit{};
  listing_.reset();
  before_.reset();
  TRY(graph_.update(view));
  view.cache_hashes();
  listing_ = view.shared_listing();
  return Unit{};
}

std::optional<std::int64_t> ImportGraphCache::count_dependents(std::string_view path) {
  std::lock_guard lock(mutex_);
  const std::optional<FileIndex> file = graph_.files().find(path);
  if (!file) return std::nullopt;
  return static_cast<std::int64_t>(
      graph_.count_affected(*file, static_cast<std::size_t>(dependents_counted_max)));
}

std::vector<std::string> ImportGraphCache::missing_sources(const std::vector<std::string>& paths) const {
  std::vector<std::string> missing;
  for (const std::string& path : paths) {
    if (language_of(path) == Language::none) continue;
    const Result<FileStat> stat = root_of(workspace_).lstat(path);
    if (!stat && stat.error().code == ErrorCode::not_found) missing.push_back(path);
  }
  return missing;
}

std::vector<DeletedFile> ImportGraphCache::dependents_of_deleted(const std::vector<std::string>& paths) {
  std::vector<DeletedFile> found;
  if (paths.empty()) return found;
  with_graph_before(paths, [&](const ImportGraph& before) {
    for (const std::string& path : paths) {
      const std::size_t dependents =
          before.count_affected(*before.files().find(path), static_cast<std::size_t>(dependents_counted_max));
      found.push_back({.path = path, .dependent_count = static_cast<std::int64_t>(dependents)});
    }
  });
  return found;
}

Impact impact_of_changes(ImportGraphCache& imports, const std::vector<std::string>& changed,
                         const std::vector<std::string>& planned) {
  std::vector<std::string> deleted = imports.missing_sources(changed);
  std::sort(deleted.begin(), deleted.end());
  std::vector<std::string> files = changed;
  files.insert(files.end(), planned.begin(), planned.end());
  const auto impact_in = [&](const ImportGraph& graph) { return impact_of(graph, files); };
  Impact impact =
      deleted.empty() ? imports.with_graph(impact_in) : imports.with_graph_before(deleted, impact_in);
  std::erase_if(impact.tests,
                [&](const std::string& path) { return std::ranges::binary_search(deleted, path); });
  return impact;
}

}  // namespace snapgen::core

#include "tools/insight/analysis/kept_imports.h"

#include "tools/engine/workspace/live_view.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {
namespace {

// Counting stops here: larger numbers make no difference.
constexpr std::size_t counted_max = 1000;

}  // namespace

KeptImports::KeptImports(Workspace& workspace) : workspace_(workspace), graph_(workspace.tree_folder()) {}

Result<Unit> KeptImports::update(const std::stop_token& stop) {
  std::lock_guard lock(mutex_);
  LiveView view(workspace_, false, stop);
  TRY(view.listing());
  if (view.shared_listing() == listing_) return Unit{};
  listing_.reset();
  before_.reset();
  TRY(graph_.update(view));
  view.remember_reads();
  listing_ = view.shared_listing();
  return Unit{};
}

std::optional<std::int64_t> KeptImports::dependents_of(std::string_view path) {
  std::lock_guard lock(mutex_);
  const std::optional<FileIndex> file = graph_.files().find(path);
  if (!file) return std::nullopt;
  return static_cast<std::int64_t>(graph_.count_affected(*file, counted_max));
}

std::vector<std::string> KeptImports::missing_sources(const std::vector<std::string>& paths) const {
  std::vector<std::string> missing;
  for (const std::string& path : paths) {
    if (language_of(path) == Language::none) continue;
    const Result<FileStat> stat = workspace_.root().look(path);
    if (!stat && stat.error().code == ErrorCode::not_found) missing.push_back(path);
  }
  return missing;
}

std::vector<DeletedFile> KeptImports::dependents_of_deleted(const std::vector<std::string>& paths) {
  std::vector<DeletedFile> found;
  if (paths.empty()) return found;
  look_before(paths, [&](const ImportGraph& before) {
    for (const std::string& path : paths) {
      const std::size_t dependents = before.count_affected(*before.files().find(path), counted_max);
      found.push_back({.path = path, .dependents = static_cast<std::int64_t>(dependents)});
    }
  });
  return found;
}

}  // namespace snapgen::core

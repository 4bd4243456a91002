#pragma once
// ImportGraphCache: the import graph of the work tree, cached between calls and updated incrementally.
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/walk/file_list.h"
#include "tools/insight/analysis/impact.h"
#include "tools/insight/imports/graph.h"
#include "tools/insight/risk/measure.h"

namespace snapgen::core {

class Workspace;

// Thread-safe. Owns the graph, and refers to the workspace, which must outlive it.
class ImportGraphCache final : public DependentCounter {
 public:
  explicit ImportGraphCache(Workspace& workspace);

  // Updates the graph to the current tree. Costs nothing if the watch reported no change. Errors: those of
  // listing and reading; cancelled.
  Result<Unit> update(const std::stop_token& stop);

  // Calls use(graph) with the graph of the last update, under the lock.
  template <class F>
  auto with_graph(F use) const {
    std::lock_guard lock(mutex_);
    return use(std::as_const(graph_));
  }

  std::optional<std::int64_t> count_dependents(std::string_view path) override;

  // Returns the paths whose names are those of source files, but which do not exist: deleted files or wrong
  // paths.
  std::vector<std::string> missing_sources(const std::vector<std::string>& paths) const;

  // Calls use(graph), under the lock, with the graph as it was before the files in `deleted` were deleted.
  // That graph is cached until the tree changes.
  template <class F>
  auto with_graph_before(const std::vector<std::string>& deleted, F use) {
    std::lock_guard lock(mutex_);
    if (!before_ || before_deleted_ != deleted) {
      before_ = std::make_unique<const ImportGraph>(graph_.with_deleted(deleted));
      before_deleted_ = deleted;
    }
    return use(*before_);
  }

  // Returns these deleted source files, each with the number of files that depended on it.
  std::vector<DeletedFile> dependents_of_deleted(const std::vector<std::string>& paths);

 private:
  Workspace& workspace_;
  mutable std::mutex mutex_;  // Guards the members below.
  ImportGraph graph_;
  std::shared_ptr<const FileList> listing_;    // The listing of files from which the graph was made.
  std::unique_ptr<const ImportGraph> before_;  // The graph before the deletion of before_deleted_, or null.
  std::vector<std::string> before_deleted_;
};

// What a change of `changed` and `planned` affects. Changed files that no longer exist affect those that
// imported them; planned files may not exist yet.
Impact impact_of_changes(ImportGraphCache& imports, const std::vector<std::string>& changed,
                         const std::vector<std::string>& planned);

}  // namespace snapgen::core

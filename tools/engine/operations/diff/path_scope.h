#pragma once
// PathScope: the part of a tree that a comparison or an export covers.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/snapshots/manifest.h"

namespace snapgen::core {

// The entries [first, second) of a manifest at or below `path`.
std::pair<std::size_t, std::size_t> range_below(const std::vector<ManifestEntry>& entries,
                                                std::string_view path);

class PathScope {
 public:
  // `paths`: files or folders; empty: everything.
  explicit PathScope(std::vector<std::string> paths);

  bool contains(std::string_view path) const;
  bool is_everything() const { return paths_.size() == 1 && paths_.front().empty(); }
  // The paths of the scope, sorted; none is below another.
  const std::vector<std::string>& paths() const { return paths_; }

  // The entries in the scope.
  std::vector<const ManifestEntry*> select(const std::vector<ManifestEntry>& entries) const;

 private:
  std::vector<std::string> paths_;
};

// Counts what `view` omits from the scope. `known(path)` returns whether anything at or below a path is known
// without the view. Errors: not_found, with the path that neither the view nor `known` has.
template <class Known>
Result<SkippedCounts> skipped_in(FileView& view, const PathScope& scope, Known known) {
  SkippedCounts sum;
  for (const std::string& path : scope.paths()) {
    Result<SkippedCounts> skipped = view.skipped_below(path, true);
    if (skipped) {
      add(sum, *skipped);
    } else if (skipped.error().code != ErrorCode::not_found || !known(path)) {
      return skipped;
    }
  }
  return sum;
}

}  // namespace snapgen::core

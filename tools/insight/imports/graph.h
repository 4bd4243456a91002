#pragma once
// ImportGraph: which file of a tree imports which, and what follows from it: what a change affects, and
// which files import each other in a circle.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/read/view.h"
#include "tools/insight/imports/file_set.h"
#include "tools/insight/imports/project.h"
#include "tools/insight/imports/resolve.h"
#include "tools/insight/imports/scan_cache.h"

namespace snapgen::core {

struct ImportEdge {
  FileIndex to = 0;
  std::int64_t line = 0;   // of the import
  bool type_only = false;  // Gone when the program runs.

  bool operator==(const ImportEdge&) const = default;
};

// A file that a change reaches.
struct Affected {
  FileIndex file = 0;
  std::uint32_t distance = 0;  // 1: it imports a changed file itself.
  FileIndex via = 0;           // The one it imports, on a shortest way.
};

struct ImportCycle {
  std::vector<FileIndex> files;  // Each imports the next, the last the first; as short as it can be.
  std::size_t tangled = 0;       // How many files can reach each other, these included.
};

// Not thread-safe. Kept between calls, it reads and resolves again only what has changed.
class ImportGraph {
 public:
  // `folder`: of the store, for what scanning found (scan_cache.h).
  explicit ImportGraph(std::string folder) : cache_(std::move(folder)) {}

  // Takes in the view as it is now, and touches every file of it that may import something. Files that cannot
  // be read, and those too large to search, import nothing. Errors: those of the view.
  Result<Unit> update(View& view);

  const FileSet& files() const { return *files_; }
  // Of one file, in the order of its text; the same file several times if it is imported in several lines.
  const std::vector<ImportEdge>& edges(FileIndex file) const { return nodes_[file].edges; }

  // All files that a change of these reaches, by distance and then by path; they themselves are not among
  // them. In Go a change reaches all files of the package.
  std::vector<Affected> affected_by(const std::vector<FileIndex>& changed) const;

  // How many files affected_by() would name for this one; counts no further than `limit`.
  std::size_t count_affected(FileIndex changed, std::size_t limit) const;

  // Of imports that are there when the program runs, in languages where they matter: JavaScript, Python and
  // C. By the path of their first file, which is the first of all that are tangled.
  std::vector<ImportCycle> cycles() const;

 private:
  struct Node {
    Language language = Language::none;
    std::optional<BlobId> blob;  // What was scanned.
    Scanned scanned;
    std::vector<ImportEdge> edges;
  };
  class Reading;
  void resolve(FileIndex file);
  void note_importers();
  // Calls reach(other) for each file that a change of this one reaches at once.
  template <class F>
  void reach_from(FileIndex file, F reach) const;

  ScanCache cache_;
  std::vector<std::size_t> listed_;  // The index in the view's listing.
  std::unique_ptr<FileSet> files_ = std::make_unique<FileSet>(std::vector<std::string>());
  Project project_;
  std::unique_ptr<Resolver> resolver_;
  std::vector<Node> nodes_;
  std::vector<std::vector<FileIndex>> importers_;  // Of each file.
};

}  // namespace snapgen::core

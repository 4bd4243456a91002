#pragma once
// ImportGraph: the imports between the files of a tree, the files that a change affects, and import cycles.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
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
  std::int64_t line = 0;     // The line that has the import.
  bool is_deferred = false;  // Not executed when the file is loaded: for types alone, or later.

  bool operator==(const ImportEdge&) const = default;
};

// A file that a change affects.
struct AffectedFile {
  FileIndex file = 0;
  std::uint32_t distance = 0;  // The number of imports to a changed file: 1 if it imports one directly.
  FileIndex via = 0;           // The file that it imports, on a shortest path to a changed file.
};

struct ImportCycle {
  std::vector<FileIndex>
      files;  // A shortest cycle: each file imports the next, and the last imports the first.
  std::size_t component_size = 0;  // Size of the strongly connected component that has the cycle.
};

// The files that may import others, but whose imports are not in the graph.
struct UnscannedFiles {
  std::set<std::string, std::less<>> endings;  // The endings of kinds that are not scanned, such as ".mdx".
  std::vector<std::string> unreadable;         // Files that could not be read, or are too large.
  std::vector<std::string> computed;           // Files with computed imports (scan.h).

  bool operator==(const UnscannedFiles&) const = default;
};

// Returns whether cycles of imports cause problems in a language. Modules of Rust may import one another.
bool can_be_circular(Language language);

// Not thread-safe. An update reads and resolves only what changed since the previous update.
class ImportGraph {
 public:
  // `folder` is the folder of the scan cache (scan_cache.h).
  explicit ImportGraph(std::string folder) : cache_(std::move(folder)) {}

  // Returns the graph as it was before these files were deleted. They exist in it, but import nothing. It has
  // no cache.
  ImportGraph with_deleted(std::vector<std::string> paths) const;

  // Updates the graph to the view and reads every file that can contain imports. Unreadable files, and files
  // too large to search, count as without imports. Errors: those of the view.
  Result<Unit> update(FileView& view);
  // Returns whether the configuration files that the listing omits are unchanged since the last update.
  bool has_current_ignored_inputs(FileView& view) const;

  const FileSet& files() const { return *files_; }
  // Returns what resolves imports in this graph. The graph must outlive it, and not change.
  Resolver make_resolver() const { return Resolver(*files_, project_); }

  // Returns the imports of a file in text order. A file that several lines import occurs several times.
  const std::vector<ImportEdge>& edges(FileIndex file) const { return nodes_[file].edges; }
  // Returns the files that import this one; a file that imports it twice occurs twice.
  const std::vector<FileIndex>& importers(FileIndex file) const { return importers_[file]; }

  // Returns all other files that a change of these affects, by distance and then by path. In Go a change
  // affects all files of the package.
  std::vector<AffectedFile> affected_by(const std::vector<FileIndex>& changed) const;

  // Returns the number of files that affected_by() returns for this file, or `limit` if there are more.
  std::size_t count_affected(FileIndex changed, std::size_t limit) const;

  // Returns cycles of run-time imports in languages where they cause problems (can_be_circular()). Each one
  // begins with the first file of its component; they are sorted by that file.
  std::vector<ImportCycle> cycles() const;

  // Returns whether a compiler of the file's project reads it: `tsc` if a configuration covers the file or
  // one that imports it, and `cargo` if a crate has it as a module. True in other languages.
  bool is_in_project(FileIndex file) const;

  // Returns the files that may import files of this language without being in affected_by().
  UnscannedFiles unscanned(Language language) const;

 private:
  struct Node {
    Language language = Language::none;
    std::optional<BlobId> blob;  // The content of the file that was scanned.
    ScannedImports scanned;
    std::vector<ImportEdge> edges;
  };
  class Update;
  // A configuration file that was read, or that did not exist.
  struct Input {
    std::string path;
    std::optional<BlobId> blob;
  };
  std::optional<BlobId> blob_of(FileView& view, const std::string& path) const;
  bool has_current_inputs(FileView& view) const;
  void read_configuration(FileView& view);
  // Resolves the imports of all files, until `stop` is requested.
  void resolve_all(const std::stop_token& stop);
  void resolve(FileIndex file, const std::stop_token& stop);
  bool is_deferred(FileIndex from, const Import& import) const;
  void collect_importers();
  bool is_root_of_project(FileIndex file) const;
  // Calls reach(other) for each file that a change of `file` affects directly.
  template <class F>
  void for_each_dependent(FileIndex file, F reach) const;

  ScanCache cache_;
  std::vector<std::size_t> listing_indexes_;  // The index of each file in the view's listing.
  std::unique_ptr<FileSet> files_ = std::make_unique<FileSet>(std::vector<std::string>());
  Project project_;
  std::vector<Input> inputs_, ignored_inputs_;  // The files from which project_ was read.
  std::unique_ptr<Resolver> resolver_;
  std::vector<Node> nodes_;
  std::map<Language, std::set<std::string, std::less<>>> unscanned_endings_;
  std::vector<std::vector<FileIndex>> importers_;  // The files that import each file.
};

}  // namespace snapgen::core

#pragma once
// Finds the files that a change affects, in the import graph.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/graph.h"

namespace snapgen::core {

struct ReachedFile {
  std::string path;
  std::string via;  // The file that it imports, on a shortest path to a changed file.
  std::uint32_t distance = 0;
};

struct Impact {
  std::vector<std::string> changed;  // The files of `paths` that the import graph contains.
  std::int64_t direct_count = 0;     // Number of reached files that import a changed file directly.
  // Files that the change affects, by distance, then by path; without the changed files.
  std::vector<ReachedFile> reached;
  // The test files to run: those among the changed files, then the reached ones. A source file of C counts as
  // its header here, which tests include instead. Headers and helpers that tests import are none. An affected
  // conftest.py, or __init__.py of tests, adds the tests in its folder.
  std::vector<std::string> tests;
  UnscannedFiles unscanned;  // The files that may import the changed ones, but were not examined.
};

// Returns what a change of `paths` affects. `paths` has the changed files; a folder means all files in it.
Impact impact_of(const ImportGraph& graph, const std::vector<std::string>& paths);

// Returns whether a file belongs to tests: its name, or that of a folder above it, has the word `test`,
// `tests` or `spec`.
bool is_test_file(std::string_view path);

}  // namespace snapgen::core

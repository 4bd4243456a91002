#pragma once
// The files that a change affects, according to the import graph.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/graph.h"

namespace snapgen::core {

struct ReachedFile {
  std::string path;
  std::string via;  // The imported file on a shortest path to a changed file.
  std::uint32_t distance = 0;
};

struct Impact {
  std::vector<std::string> changed;  // The files of `paths` that the import graph contains.
  std::int64_t direct = 0;           // Number of reached files that import a changed file directly.
  std::vector<ReachedFile> reached;  // By distance, then by path; without the changed files.
  std::vector<std::string> tests;    // Test files among the reached and changed files.
};

// `paths`: the changed files, or folders, which count as all files in them.
Impact impact_of(const ImportGraph& graph, const std::vector<std::string>& paths);

// Whether the path of a file has the word `test`, `tests` or `spec` in its name or in a folder's name.
bool is_test_file(std::string_view path);

}  // namespace snapgen::core

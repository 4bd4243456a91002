#pragma once
// What a change of some files reaches, by who imports whom.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/insight/imports/graph.h"

namespace snapgen::core {

struct ReachedFile {
  std::string path;
  std::string via;  // The file it imports, on a shortest way to a changed one.
  std::uint32_t distance = 0;
};

struct Impact {
  std::int64_t changed = 0;          // Of the files asked about, those that imports can lead to.
  std::int64_t direct = 0;           // Of those reached, that import a changed one themselves.
  std::vector<ReachedFile> reached;  // By distance, then by path; none of the changed ones.
  std::vector<std::string> tests;    // Of those reached and changed, that are tests.
};

// `paths`: what was changed.
Impact impact_of(const ImportGraph& graph, const std::vector<std::string>& paths);

// Whether the name of a file says that it is a test: `test`, `tests` or `spec` as a word of it or of a
// folder.
bool is_test_file(std::string_view path);

}  // namespace snapgen::core

#include "tools/insight/analysis/impact.h"

#include <algorithm>
#include <utility>

#include "runtime/base/ascii.h"

namespace snapgen::core {

bool is_test_file(std::string_view path) {
  // It has fixtures of tests, but no test.
  if (path == "conftest.py" || path.ends_with("/conftest.py")) return false;
  std::string words = " ";
  for (const char c : path) words += is_letter(c) ? to_lower(c) : ' ';
  words += ' ';
  return words.find(" test ") != std::string::npos || words.find(" tests ") != std::string::npos ||
         words.find(" spec ") != std::string::npos;
}

Impact impact_of(const ImportGraph& graph, const std::vector<std::string>& paths) {
  Impact impact;
  std::vector<FileIndex> changed;
  for (const std::string& path : paths) {
    const std::optional<FileIndex> file = graph.files().find(path);
    const auto [first, last] = file ? std::pair(*file, *file + 1) : graph.files().below(path);
    for (FileIndex each = first; each < last; ++each) changed.push_back(each);
  }
  std::ranges::sort(changed);
  changed.erase(std::ranges::unique(changed).begin(), changed.end());
  for (const FileIndex file : changed) {
    const std::string& path = graph.files().path(file);
    impact.changed.push_back(path);
    if (is_test_file(path)) impact.tests.push_back(path);
  }
  for (const AffectedFile& each : graph.affected_by(changed)) {
    const std::string& path = graph.files().path(each.file);
    if (each.distance == 1) ++impact.direct_count;
    if (is_test_file(path)) impact.tests.push_back(path);
    impact.reached.push_back({.path = path, .via = graph.files().path(each.via), .distance = each.distance});
  }
  return impact;
}

}  // namespace snapgen::core

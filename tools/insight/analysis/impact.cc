#include "tools/insight/analysis/impact.h"

#include <algorithm>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/language.h"

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

namespace {

std::string_view stem_of(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.substr(0, name.find('.'));
}

// Returns the headers that these source files of C include and that have the same name, such as a.h of a.cc.
std::vector<FileIndex> own_headers_of(const ImportGraph& graph, const std::vector<FileIndex>& files) {
  std::vector<FileIndex> headers;
  for (const FileIndex file : files) {
    const std::string& path = graph.files().path(file);
    if (language_of(path) != Language::c) continue;
    for (const ImportEdge& edge : graph.edges(file))
      if (stem_of(graph.files().path(edge.to)) == stem_of(path)) headers.push_back(edge.to);
  }
  std::ranges::sort(headers);
  headers.erase(std::ranges::unique(headers).begin(), headers.end());
  return headers;
}

}  // namespace

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
  std::vector<FileIndex> headers = own_headers_of(graph, changed);
  std::erase_if(headers, [&](FileIndex header) { return std::ranges::binary_search(changed, header); });
  for (const AffectedFile& each : graph.affected_by(headers)) {
    const std::string& path = graph.files().path(each.file);
    if (is_test_file(path) && std::ranges::find(impact.tests, path) == impact.tests.end())
      impact.tests.push_back(path);
  }
  return impact;
}

}  // namespace snapgen::core

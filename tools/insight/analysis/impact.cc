#include "tools/insight/analysis/impact.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

#include "runtime/base/ascii.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/language.h"

namespace snapgen::core {

bool is_test_file(std::string_view path) {
  std::string words = " ";
  for (const char c : path) words += is_letter(c) ? to_lower(c) : ' ';
  words += ' ';
  return words.find(" test ") != std::string::npos || words.find(" tests ") != std::string::npos ||
         words.find(" spec ") != std::string::npos;
}

namespace {

// Files of Python that apply to all tests of their folder, but have none: its package and its fixtures.
bool applies_to_folder(std::string_view path) {
  return base_name(path) == "conftest.py" || (base_name(path) == "__init__.py" && is_test_file(path));
}

bool is_header(std::string_view path) {
  constexpr std::array endings = {".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".cuh", ".d.ts"};
  return std::ranges::any_of(endings, [&](std::string_view each) { return path.ends_with(each); });
}

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

bool may_have_tests(std::string_view path) {
  return is_test_file(path) && language_of(path) != Language::none && !is_header(path) &&
         base_name(path) != "__init__.py" && base_name(path) != "conftest.py";
}

// Returns whether a runner may run the file as a test. A file whose folder alone has the name of tests is a
// helper if files of tests import it, or its header.
bool is_run_as_test(const ImportGraph& graph, FileIndex file) {
  const std::string& path = graph.files().path(file);
  if (!may_have_tests(path)) return false;
  if (is_test_file(base_name(path))) return true;
  const auto is_imported = [&](FileIndex each) {
    return std::ranges::any_of(graph.importers(each), [&](FileIndex importer) {
      return importer != file && is_test_file(graph.files().path(importer));
    });
  };
  return !is_imported(file) && std::ranges::none_of(own_headers_of(graph, {file}), is_imported);
}

// Calls add(file) for each file of Python at or below the folder of this one.
template <class Add>
void for_each_in_folder(const ImportGraph& graph, std::string_view path, Add add) {
  const auto [first, last] = graph.files().below(parent_path(path));
  for (FileIndex file = first; file < last; ++file)
    if (language_of(graph.files().path(file)) == Language::python) add(file);
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
  std::vector<bool> is_added(graph.files().size());
  const auto add_if_test = [&](FileIndex file) {
    if (is_added[file] || !is_run_as_test(graph, file)) return;
    is_added[file] = true;
    impact.tests.push_back(graph.files().path(file));
  };
  std::set<Language> languages;
  for (const FileIndex file : changed) languages.insert(language_of(graph.files().path(file)));
  // The same files may import both.
  if (languages.contains(Language::javascript)) languages.erase(Language::component);
  for (const Language language : languages) {
    UnscannedFiles unscanned = graph.unscanned(language);
    impact.unscanned.endings.merge(unscanned.endings);
    std::ranges::move(unscanned.unreadable, std::back_inserter(impact.unscanned.unreadable));
    std::ranges::move(unscanned.computed, std::back_inserter(impact.unscanned.computed));
  }
  for (const FileIndex file : changed) {
    impact.changed.push_back(graph.files().path(file));
    add_if_test(file);
  }
  for (const AffectedFile& each : graph.affected_by(changed)) {
    if (each.distance == 1) ++impact.direct_count;
    add_if_test(each.file);
    impact.reached.push_back({.path = graph.files().path(each.file),
                              .via = graph.files().path(each.via),
                              .distance = each.distance});
  }
  std::vector<FileIndex> headers = own_headers_of(graph, changed);
  std::erase_if(headers, [&](FileIndex header) { return std::ranges::binary_search(changed, header); });
  for (const AffectedFile& each : graph.affected_by(headers)) add_if_test(each.file);
  const auto add_tests_of_folder = [&](const std::string& path) {
    if (applies_to_folder(path)) for_each_in_folder(graph, path, add_if_test);
  };
  for (const std::string& path : impact.changed) add_tests_of_folder(path);
  for (const ReachedFile& each : impact.reached) add_tests_of_folder(each.path);
  return impact;
}

}  // namespace snapgen::core

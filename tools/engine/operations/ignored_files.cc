#include "tools/engine/operations/ignored_files.h"

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/path_scope.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {

std::vector<std::string> ignored_files_not_in(Workspace& workspace, const Snapshot& snapshot,
                                              const std::vector<std::string>& files) {
  std::vector<std::string> found;
  for (const std::string& path : files) {
    const Result<FileStat> stat = workspace.root().lstat(path);
    if (path.empty() || !stat || is_reserved_path(path)) continue;
    const auto [first, last] = range_below(snapshot.entries, path);
    const Result<bool> ignored = workspace.ignores(path, kind_of(*stat) == FileKind::folder);
    if (first == last && ignored && *ignored) found.push_back(path);
  }
  return found;
}

std::string ignored_sentence(const std::vector<std::string>& files) {
  if (files.empty()) return {};
  const std::string first = shortened(path_in_sentence(files.front()), 60);
  if (files.size() == 1) return "The ignored file " + first + " is not in the snapshot.";
  return std::to_string(files.size()) + " ignored files, such as " + first + ", are not in the snapshot.";
}

}  // namespace snapgen::core

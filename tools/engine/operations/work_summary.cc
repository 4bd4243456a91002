#include "tools/engine/operations/work_summary.h"

#include <utility>

#include "tools/engine/base/phrase.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/diff/diff.h"
#include "tools/engine/workspace/coherent.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::size_t counted_files_max = 5000;
constexpr std::size_t counted_bytes_max = 64 << 20;

}  // namespace

Result<WorkSummary> work_summary_since(Workspace& workspace, const Snapshot& before,
                                       const std::stop_token& stop) {
  DiffQuery query{.paths = {},
                  .context = 0,
                  .show_untracked = false,
                  .bytes_max = counted_bytes_max,
                  .files_max = counted_files_max};
  auto read = [&](LiveView& view) { return diff_live_with_snapshot(workspace, before, view, query); };
  DiffAnswer answer = TRY(read_without_lease(workspace, stop, read));
  WorkSummary done;
  for (DiffedFile& file : answer.files) {
    done.added_lines += file.added_lines;
    done.removed_lines += file.removed_lines;
    done.files.push_back(std::move(file.path));
  }
  done.truncated = answer.truncated;
  done.unreadable = std::move(answer.unreadable);
  return done;
}

std::string unreadable_sentence(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  const std::string first = shortened(path_in_sentence(paths.front()), 60);
  if (paths.size() == 1) return "1 file cannot be read, and was not compared: " + first + ".";
  return std::to_string(paths.size()) + " files cannot be read, and were not compared, such as " + first +
         ".";
}

}  // namespace snapgen::core

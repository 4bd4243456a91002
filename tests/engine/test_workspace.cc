#include "tests/engine/test_workspace.h"

#include <unistd.h>

namespace snapgen::core {

void TestWorkspace::wait_for_watch() const {
  std::int64_t begin = now_ns();
  while (is_racy(FileStat{.mtime_ns = begin + 1, .ctime_ns = begin + 1}, now_ns())) {
    ::usleep(1000);  // Polls, because no event reports that the clock has advanced.
  }
}

std::string paths_of(const std::vector<ManifestRow>& rows) {
  std::string paths;
  for (const ManifestRow& entry : rows) paths += std::string(entry.path) + "\n";
  return paths;
}

}  // namespace snapgen::core

#include "tests/core/workspace.h"

namespace snapgen::core {

void Workspace::settle() const {
  std::int64_t begin = now_ns();
  while (is_racy(FileStat{.mtime_ns = begin + 1, .ctime_ns = begin + 1}, now_ns())) {
    scratch.answer("true");
  }
}

std::string paths_of(const Snapshot& snapshot) {
  std::string paths;
  for (const ManifestEntry& entry : snapshot.entries) paths += entry.path + "\n";
  return paths;
}

}  // namespace snapgen::core

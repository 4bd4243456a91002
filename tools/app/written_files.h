#pragma once
// WrittenFiles: finds which files of the workspace were written or deleted while the programs of a check ran.
#include <map>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/files/file_stat.h"

namespace snapgen::core {
class Workspace;
}

namespace snapgen::tools {

// Compares two times of a git repository. Files that git ignores are left out, and new files, because
// programs create caches and reports. Blocks.
class WrittenFiles {
 public:
  // Stores the state of the uncommitted files. Errors: as dirty_files().
  static Result<WrittenFiles> begin(core::Workspace& workspace, const std::stop_token& stop);

  // Returns "These files were written or deleted while the programs ran: a.ts, b.ts."; empty if none was.
  // Errors: as begin().
  Result<std::string> sentence(core::Workspace& workspace, const std::stop_token& stop) const;

 private:
  using States = std::map<std::string, core::FileStat>;  // The state of a file that does not exist is empty.
  static core::FileStat state_of(const core::Workspace& workspace, const std::string& path);

  States before_;
};

}  // namespace snapgen::tools

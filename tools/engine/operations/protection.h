#pragma once
// The protection of files: how many of them have a current content that can be restored.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/status/fingerprint.h"

namespace snapgen::core {

class Workspace;

// How many of `paths` have a current content that can be restored: it is HEAD's, or a snapshot has it at this
// path. Missing files do not count, and files of a nested repository only if a snapshot has them. Files
// larger than current_contents_bytes_max that are not committed count as covered only if their content is
// known without a read.
struct Protection {
  std::int64_t file_count = 0;
  std::int64_t covered_count = 0;
  std::vector<std::string> uncovered;  // Some of the files that are not covered, and can be read.
  // The files that are not covered and cannot be read, so no new snapshot can contain them.
  std::vector<std::string> unreadable;
  std::vector<std::string>
      nested_repositories;  // As nested_repositories_in_status(), and those that have a file of `paths`.
  std::int64_t submodule_count = 0;  // How many nested repositories are in `paths`, or have files in it.

  // The number of files and submodules, of which percent() is the covered part.
  std::int64_t count() const { return file_count + submodule_count; }
  // The covered part of count() in percent; 100 if count() is 0.
  std::int64_t percent() const { return count() == 0 ? 100 : covered_count * 100 / count(); }
  // The number of files that a new snapshot would cover.
  std::int64_t uncovered_count() const {
    return file_count - covered_count - static_cast<std::int64_t>(unreadable.size());
  }
};
// The protection of `paths`. Errors: as are_contents_in_snapshots().
Result<Protection> protection_of(Workspace& workspace, const GitStatus& status,
                                 const std::vector<std::string>& paths, const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// Layout: which steps a change of the live tree takes, and in which order.
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/write/journal.h"
#include "tools/engine/write/writer.h"

namespace snapgen::core {

struct Layout {
  // First what goes, then folders that are in the way or left empty (the deepest first), then new folders,
  // then what comes. Staged names are "<transaction>-<number>".
  std::vector<Step> steps;
  std::vector<const TreeWrite*>
      writes;  // For each step, the write that it is for; null for steps on folders.
};

// Looks at everything that `writes` are about. `staging_mount`: of the staging folder, see mount_of().
// Errors: repo_changed (something else stands there than expected); permission_denied; not_found.
Result<Layout> lay_out(const Root& root, const std::vector<TreeWrite>& writes, const WriteOptions& options,
                       const std::string& transaction, std::uint64_t staging_mount);

// What tells file systems apart between which nothing can be renamed.
std::uint64_t mount_of(int fd);

}  // namespace snapgen::core

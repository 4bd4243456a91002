#pragma once
// plan: a whole patch against a tree: everything that it would change, or everything that is in its way.
//
// Each part of the patch speaks of the tree as it stands before the patch, as in what `git diff` prints: two
// renames may swap their files, and a deletion makes room for a creation. Nothing is written here.
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/patch/apply.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/view.h"

namespace snapgen::core {

struct PlanOptions {
  bool allow_offset = false;
  std::int64_t file_bytes_max = std::int64_t{512} << 20;  // Of one file, before and after.
  std::int64_t total_bytes_max = std::int64_t{1} << 30;   // Of all new contents together.
};

// What one part of the patch did, for the client.
struct PatchedFile {
  std::string path;
  std::string from;  // Of a rename or copy.
  FilePatch::Kind kind = FilePatch::Kind::modify;
  std::vector<HunkOffset> offsets;
};

struct Plan {
  std::vector<TreeChange> changes;  // Sorted by path, at most one for each. Empty if there are rejects.
  std::vector<PatchedFile> files;   // Sorted by path; what the changes come from.
  std::vector<Reject> rejects;      // Sorted by path, then hunk; those of `patch` included.
};

// Errors: what the view reports; cancelled.
Result<Plan> plan(const Patch& patch, PatchView& view, const PlanOptions& options = {},
                  std::stop_token stop = {});

}  // namespace snapgen::core

#pragma once
// plan_patch() applies a whole patch to a tree in memory. It returns all changes, or all errors.
//
// As in the output of `git diff`, each part of the patch refers to the tree before the patch. So two renames
// may swap their files, and a deletion frees its path for a creation. Nothing is written here.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/file_tree.h"
#include "tools/engine/patch/apply.h"
#include "tools/engine/patch/change.h"
#include "tools/engine/patch/patch.h"
#include "tools/engine/patch/shown_lines.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {

struct PatchPlanOptions {
  // Apply hunks only at the lines that they state, with the right counts and in order (place_hunks()).
  bool exact_lines = false;
  std::int64_t context_lines = 0;                         // As lines_around(); 0: show none.
  std::int64_t file_bytes_max = std::int64_t{512} << 20;  // The limit for one file, before and after.
  std::int64_t total_bytes_max = std::int64_t{1} << 30;   // The limit for all new contents together.
  // Converts files that are not in UTF-8: the patch changes their text. Null: it changes bytes.
  TextEncodings* encodings = nullptr;
};

// The result of one part of the patch, for the client.
struct PatchedFile {
  std::string path;
  std::string from;  // The source of a rename or copy.
  FilePatch::Kind kind = FilePatch::Kind::modify;
  std::vector<MovedHunk> moved_hunks;
  std::vector<CorrectedCounts> corrected_counts;
  std::vector<std::int64_t> hunks_outside_headings;
  std::vector<LineRange> changed_lines;  // As AppliedHunks::changed_lines; empty for a binary patch.
  LineEnds line_ends = LineEnds::unchanged;
  // The new content; nullopt for a deleted file, and for one that the patch only moves, copies or makes
  // executable.
  std::optional<BlobId> blob;
  ShownParts shown;                            // The lines around the changes, if they were requested.
  TextEncoding encoding = TextEncoding::utf8;  // That of the new content; also UTF-8 if it is binary.
};

struct PatchPlan {
  std::vector<TreeChange> changes;  // Sorted by path, at most one per path. Empty if there are rejects.
  std::vector<PatchedFile> files;   // Sorted by path; the parts that the changes are from.
  std::vector<Reject> rejects;      // Sorted by path, then hunk; includes those of `patch`.
};

// Plans the patch for `tree`. Errors: those of the tree; cancelled.
Result<PatchPlan> plan_patch(const Patch& patch, FileTree& tree, const PatchPlanOptions& options = {},
                             std::stop_token stop = {});

}  // namespace snapgen::core

#pragma once
// continue_patch() completes a rejected patch with corrected parts, so that a client sends only these.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// A patch with the texts that it has views into. A continued patch has several.
struct OwnedPatch {
  Patch patch;
  std::vector<std::shared_ptr<const std::string>> texts;
};

// As parse_patch().
OwnedPatch parse_owned_patch(std::string text, std::string_view root);

struct RejectedPatch {
  OwnedPatch patch;
  std::vector<Reject> rejects;
  bool is_dry_run = false;
  std::string snapshot_hex;  // The snapshot that it was sent for; empty for the work tree.
};

// Returns true if sending other parts for the same files can make the patch apply: each reject names a file
// that a patch may change.
bool can_be_continued(const std::vector<Reject>& rejects);

// As parse_owned_patch(), for a text that corrects `earlier`. If only one file of `earlier` was rejected,
// hunks without a header are for this file.
OwnedPatch parse_correction(std::string text, std::string_view root, const RejectedPatch& earlier);

// Returns `earlier` with the corrections of `sent`. `rejects` is why `earlier` was rejected.
//
// If `sent` has hunks for a file of which hunks were rejected, each replaces the rejected ones that it
// corrects: those with which it shares at least half of the changed lines. If they are as many as the
// rejected ones, they replace all. The other hunks remain, but those that a sent one repeats: it has the same
// lines, or no other hunk makes the same change. Anything else in `sent` replaces the whole part for its
// file: a part that was rejected as a whole, also if `sent` has one of its similar paths instead; or it is
// added. Parts for files that `sent` does not name are unchanged, so what was rejected in them is rejected
// again.
//
// Hunks are numbered again from 0 in each file. Their line numbers refer to the text that has them.
OwnedPatch continue_patch(const OwnedPatch& earlier, const std::vector<Reject>& rejects, OwnedPatch sent);

// Returns `earlier` without what was rejected: hunks, or the whole parts of files that the patch creates or
// deletes.
OwnedPatch without_rejected(const OwnedPatch& earlier, const std::vector<Reject>& rejects);

}  // namespace snapgen::core

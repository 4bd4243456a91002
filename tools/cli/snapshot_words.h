#pragma once
// Texts for the commands about snapshots.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/common/manifest_stats.h"
#include "schemas/common/skipped.h"

namespace snapgen::tools {

inline constexpr const char* snapshot_id_help = "A snapshot's id, its short form, or a unique prefix.";

// Returns the size of a snapshot: "12 files, 3.4 MiB".
std::string size_in_words(const ManifestStats& stats);
// Returns what a snapshot skipped: "2 symlinks, 1 nested repository"; empty if nothing was skipped.
std::string skipped_in_words(const Skipped& skipped);
// Returns an error if the text cannot be an id of a snapshot. Errors: invalid_argument.
Result<Unit> check_snapshot_id(const std::string& id);

}  // namespace snapgen::tools

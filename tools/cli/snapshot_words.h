#pragma once
// What the commands about snapshots have in common.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/common/manifest_stats.h"
#include "schemas/common/skipped.h"
#include "tools/app/resource_uris.h"

namespace snapgen::tools {

inline constexpr const char* id_help = "A snapshot's id, its short form, or a beginning that is its alone.";

// "12 files, 3.4 MiB"
std::string amount(const ManifestStats& stats);
// "2 symlinks, 1 nested repository"; empty if nothing was left out.
std::string words_of(const Skipped& skipped);
// Of the resource that a snapshot is. Errors: invalid_argument (no such form of an id).
Result<std::string> uri_of_snapshot(const std::string& id);

}  // namespace snapgen::tools

#pragma once
// Lists the snapshots of the store for the resource snapgen://snapshots.
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/resources/kept_snapshots.h"

namespace snapgen::core {
class Workspace;
}

namespace snapgen::tools {

// Returns the snapshots whose message contains `contains`, the latest first, at most 500; `total` counts all
// of them. Errors: as SnapshotStore::list().
Result<KeptSnapshots> list_snapshots(core::Workspace& workspace, std::string_view contains = {});

}  // namespace snapgen::tools

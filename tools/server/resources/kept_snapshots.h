#pragma once
// The snapshots of the store, as the resource snapgen://snapshots lists them.
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/resources/kept_snapshots.h"

namespace snapgen::core {
class Workspace;
}

namespace snapgen::tools {

// Those whose message has `contains` in it, the latest first, 500 at most; `total` counts all of them.
// Errors: as SnapshotStore::list().
Result<KeptSnapshots> kept_snapshots(core::Workspace& workspace, std::string_view contains = {});

}  // namespace snapgen::tools

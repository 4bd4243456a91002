#pragma once
// The content of the resources about snapshots, which the command line also shows.
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "schemas/resources/kept_snapshots.h"
#include "schemas/resources/snapshot_contents.h"

namespace snapgen::core {
class Workspace;
}

namespace snapgen::tools {

// Returns the snapshots whose message contains `contains`, the latest first, at most 500; `total` counts all
// of them. Errors: as SnapshotStore::list().
Result<KeptSnapshots> list_snapshots(core::Workspace& workspace, std::string_view contains = {});

// Returns a snapshot with its first files. `id` is any form of its id. Errors: as SnapshotStore::load();
// not_found (it was deleted).
Result<SnapshotContents> snapshot_contents(core::Workspace& workspace, const std::string& id);

}  // namespace snapgen::tools

#pragma once
// The snapshots of the store, as the resource snapgen://snapshots lists them.
#include "runtime/base/result.h"
#include "schemas/resources/kept_snapshots.h"
#include "tools/core/substrate.h"

namespace snapgen::tools {

// The latest first, 500 at most. Errors: as SnapshotStore::list().
Result<KeptSnapshots> kept_snapshots(core::Substrate& substrate);

}  // namespace snapgen::tools

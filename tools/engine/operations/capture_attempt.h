#pragma once
// One attempt to capture files in a snapshot (capture.h): selects the files, captures their contents, and
// checks that all are unchanged.
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/engine/operations/capture.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {

// `lease` may be null if the query has paths. Errors: as create_snapshot(); repo_changed if another attempt
// may succeed.
Result<CreatedSnapshot> attempt_capture(Workspace& workspace, const CreateSnapshotQuery& query, Lease* lease,
                                        const std::stop_token& stop);

}  // namespace snapgen::core

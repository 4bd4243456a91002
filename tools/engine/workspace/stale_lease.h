#pragma once
// stale_lease_error() explains why a lease is no longer valid, and issues a new one over the same reads, so
// that a client can retry without reading again.
#include <set>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {

class Workspace;

// Returns the error about a lease under which the files or folders `changed_paths` have changed, and perhaps
// the rest of the repository, whose status is now `status`. Its details:
// - changed_paths: at most 1000, sorted; changed_paths_total if there are more.
// - diff: how the files whose content the client has read differ from it, at most 40 lines; diff_truncated if
//   there are more. Files whose read content is not known any more (Workspace::known_content()) are left out.
//   Absent if all are.
// - fingerprint: that of `status`.
// - lease_id: a lease that has recorded the same files and folders as they are now, and `status`. Absent if
//   one of them cannot be examined, or there are very many.
// - read_paths: those of changed_paths whose content the client has read, at most 1000. Absent if none.
Error stale_lease_error(Workspace& workspace, const Lease& lease, const GitStatus& status,
                        const std::set<std::string>& changed_paths, const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// Records of paths that a client asked for and that do not exist. With them in its lease, the client does not
// overwrite files that another process has created there meanwhile.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/caches/file_record.h"
#include "tools/engine/store/leases/lease.h"

namespace snapgen::core {

class Workspace;

// Records that prove that none of `paths` exists: the symlinks that were followed, also dangling ones, and
// the absence of their targets, each by its real path. Sorted, one per path. Errors: repo_changed (a path
// exists now); cancelled.
Result<std::vector<FileRecord>> absence_records(const Root& root, const std::vector<std::string>& paths,
                                                const std::stop_token& stop);

// Adds the absence_records() of `paths` to the lease. Errors: as absence_records(), and as
// LeaseStore::add_touched().
Result<Unit> record_absence(Workspace& workspace, Lease& lease, const std::vector<std::string>& paths,
                            const std::stop_token& stop);

// Records that permit parent folders of the new paths `made` to exist, although the lease recorded them as
// missing.
std::vector<FileRecord> parents_that_may_appear(const Lease& lease, const std::vector<std::string>& made);

}  // namespace snapgen::core

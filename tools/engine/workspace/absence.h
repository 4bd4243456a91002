#pragma once
// What was asked for and is not there: a lease has seen that too, so that nobody who believes it overwrites
// what another has made there meanwhile.
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/files/root.h"
#include "tools/engine/store/file_record.h"
#include "tools/engine/store/lease.h"

namespace snapgen::core {

class Workspace;

// What shows that nothing is reached by any of `paths`: the symlinks that were followed, a dangling one too,
// and the absence of what they lead to, each where it really stands; sorted, one for each path. Errors:
// repo_changed (something is there by now); cancelled.
Result<std::vector<FileRecord>> absence_records(const Root& root, const std::vector<std::string>& paths,
                                                const std::stop_token& stop);

// The lease has seen it. Errors: as absence_records(), and as LeaseStore::touch().
Result<Unit> keep_absence(Workspace& workspace, Lease& lease, const std::vector<std::string>& paths,
                          const std::stop_token& stop);

// The folders above the paths that are about to be made through the lease, which has missed them: from then
// on they may stand.
std::vector<FileRecord> no_longer_missed(const Lease& lease, const std::vector<std::string>& made);

}  // namespace snapgen::core

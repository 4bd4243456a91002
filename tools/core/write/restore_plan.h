#pragma once
// RestorePlan: by what the live tree differs from a snapshot, and what restoring does about it.
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/core/snapshot/snapshot_store.h"
#include "tools/core/write/edit.h"
#include "tools/core/write/restore.h"

namespace snapgen::core {

struct RestorePlan {
  RestoreAnswer answer;
  EditPlan edit;                        // Without the contents, see fill_contents().
  std::map<std::string, BlobId> blobs;  // Of the files to write, by path.
  std::vector<std::string> endangered;  // Everything that is replaced or deleted, sorted.
};

// `paths`: outermost ones; "" is everything. Errors: as restore().
Result<RestorePlan> plan_restore(Substrate& substrate, const Snapshot& snapshot,
                                 const std::vector<std::string>& paths, const std::stop_token& stop);

// Reads the contents of all files to be written from the store. Errors: as BlobStore::get(); too_large.
Result<Unit> fill_contents(BlobStore& blobs, RestorePlan& plan, const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// The branches and the index of a repository as the history records them (GitPosition): as lists of lines, in
// chunks that are cut like those of a snapshot's manifest, so that similar lists share most chunks.
#include <functional>

#include "runtime/base/result.h"
#include "tools/engine/git/repository/position.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {

// Return the blob of the list. Errors: unavailable.
Result<BlobId> put_branches(BlobStore& blobs, const Branches& branches);
Result<BlobId> put_index(BlobStore& blobs, const git::Index& index);

// Errors: as BlobStore::get(); internal (damaged).
Result<Branches> read_branches(BlobStore& blobs, const BlobId& id);
// The entries have no stats. `kind`: the hash of the repository's object ids.
Result<git::IndexPtr> read_index(BlobStore& blobs, const BlobId& id, HashKind kind);

// Calls `take` for the lists of a position and their chunks. Errors: as read_branches().
Result<Unit> for_each_blob_of_position(BlobStore& blobs, const GitPosition& position,
                                       const std::function<void(const BlobId&)>& take);

}  // namespace snapgen::core

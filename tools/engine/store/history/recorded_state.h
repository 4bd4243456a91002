#pragma once
// RecordedState: the files of a workspace as the history recorded them, by path.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {

using RecordedState = std::map<std::string, HistoryFile, std::less<>>;

void apply_changes(const std::vector<MomentChange>& changes, RecordedState& state);

// Stores a state: in chunks that are cut like those of a snapshot's manifest, so that similar states share
// them, and a list of these chunks. Returns the blob of the list. Errors: unavailable.
Result<BlobId> put_state(BlobStore& blobs, const RecordedState& state);
// Errors: as BlobStore::get(); internal (damaged).
Result<RecordedState> read_state(BlobStore& blobs, const BlobId& id);
// Calls `take` for the list, its chunks, and the contents of the files. Errors: as read_state().
Result<Unit> for_each_blob_of_state(BlobStore& blobs, const BlobId& id,
                                    const std::function<void(const BlobId&)>& take);

// Stores changes in blobs, for Moment::change_blobs. Errors: unavailable.
Result<std::vector<BlobId>> put_changes(BlobStore& blobs, const std::vector<MomentChange>& changes);
// The changes of a moment, also if they are in blobs. Errors: as BlobStore::get(); internal (damaged).
Result<std::vector<MomentChange>> changes_of(BlobStore& blobs, const Moment& moment);

}  // namespace snapgen::core

#pragma once
// Making a snapshot of live files: what they hold at the instant of the fingerprint that goes into the id.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/git/file_list.h"
#include "tools/engine/read/view.h"
#include "tools/engine/store/file_record.h"
#include "tools/engine/store/snapshot_store.h"

namespace snapgen::core {

class Workspace;

struct CreateQuery {
  std::optional<std::string> lease_id;
  std::optional<std::vector<std::string>> paths;  // Files or folders; absent: what the lease touched.
  std::string message;
  // Where the same snapshot was made before, its message stays: this one says only why it is needed again.
  bool keeps_message = false;
  // Paths at which nothing stood when this was asked for, which the snapshot then proves.
  std::vector<std::string> absent = {};
  bool undo = false;  // See SnapshotNote::undo.
};

struct Created {
  std::string hex;
  Fingerprint fingerprint;
  ManifestStats stats;
  Skipped skipped;

  // What was captured, in the order of paths. They refer to the listing and the records.
  std::vector<ManifestRow> rows;
  std::shared_ptr<const FileList> files;
  std::vector<FileRecord> records;

  std::string id() const { return "sha256:" + hex; }
  std::string alias() const { return short_snapshot(hex); }
};

// Folders are captured without what git ignores; an ignored file or folder that is named is captured. A file
// that changes while it is captured is captured again, three times at most. Errors: invalid_argument (neither
// lease nor paths; a path that is no file); not_found (lease, path); stale_lease; repo_changed;
// permission_denied (a named file); unavailable; cancelled.
Result<Created> create_snapshot(Workspace& workspace, const CreateQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// Reads a file, lists a folder or searches, in the work tree under a lease or in a snapshot.
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/read/file.h"
#include "tools/engine/read/list.h"
#include "tools/engine/search/grep.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {

class Workspace;

struct ReadSource {
  std::optional<std::string> snapshot_id;  // Without one, the work tree is read.
  // The lease of the work tree; an unknown or expired one is replaced by a new one.
  std::optional<std::string> lease_id;
};

template <class T>
struct ReadAnswer {
  T value;
  std::optional<LeaseState> lease;  // Only for the work tree: snapshots never change.
};

// Errors of these functions: those of SnapshotStore::load() or WorktreeReading::validate(), and those of the
// function of the same name that takes a FileView, in read/file.h, read/grep.h or read/list.h.
Result<ReadAnswer<FileAnswer>> read_file(Workspace& workspace, const ReadSource& source,
                                         const FileQuery& query, const std::stop_token& stop);
Result<ReadAnswer<FilesAnswer>> read_files(Workspace& workspace, const ReadSource& source,
                                           const FilesQuery& query, const std::stop_token& stop);
Result<ReadAnswer<GrepAnswer>> grep(Workspace& workspace, const ReadSource& source, const GrepQuery& query,
                                    const std::stop_token& stop);

// A path that a snapshot does not contain has no entries; in the work tree it is the error not_found
// (specification of the substrate, snapshot.list).
Result<ReadAnswer<ListAnswer>> list_entries(Workspace& workspace, const ReadSource& source,
                                            const ListQuery& query, const std::stop_token& stop);

// Reads a small file without waiting for a disk walk, a lock or another thread. Returns nothing if that is
// not possible, or if the read fails: read_file() then has the answer.
std::optional<ReadAnswer<FileAnswer>> try_read_file(Workspace& workspace, const ReadSource& source,
                                                    const FileQuery& query);

}  // namespace snapgen::core

#pragma once
// write_file: one whole file of the live tree.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/operations/edit.h"
#include "tools/engine/store/blob_id.h"

namespace snapgen::core {

class Workspace;

// What must be at a path before it is written.
struct Expectation {
  std::string blob;  // The first hexadecimal digits of its content's id; empty: there is no file.
};

struct WriteFileQuery {
  std::string path;
  std::string content;
  std::optional<bool> executable;  // Absent: as it is; a new file is not.
  std::optional<Expectation> expected;
  bool discard = false;  // The replaced content is not kept.
};

struct WrittenFile {
  std::string path;  // Where it really stands.
  BlobId blob;
  std::int64_t bytes = 0;
  bool created = false;
  bool changed = false;  // Else it held all this already.
};

// A symlink is followed to the file that it leads to; folders are made as needed; a file that holds just this
// already is left alone. Durable when it returns. Errors: invalid_argument (a folder or a device there, a
// file on the way); repo_changed (something else than expected; details
// {"expected_blob","found_blob","path"}); as find_target() and WorktreeEdit.
Result<Edited<WrittenFile>> write_file(Workspace& workspace, const std::optional<std::string>& lease_id,
                                       const WriteFileQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core

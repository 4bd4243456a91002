#pragma once
// write_file writes one whole file of the work tree.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "runtime/base/result.h"
#include "tools/engine/operations/change_worktree.h"
#include "tools/engine/store/blobs/blob_id.h"
#include "tools/engine/text/text_encoding.h"

namespace snapgen::core {

class Workspace;

// The required state of a path before it is written.
struct ExpectedContent {
  // A prefix of the hexadecimal digits of the content's id; empty: the file must not exist.
  std::string blob_prefix;
};

struct WriteFileQuery {
  std::string path;
  std::string content;
  std::optional<bool> executable;  // Absent: unchanged; a new file is not executable.
  std::optional<ExpectedContent> expected;
  bool discard_contents = false;  // Do not store the replaced content.
  bool is_text = false;           // The content is UTF-8, and is written in the encoding of the file.
};

struct WrittenFile {
  std::string path;  // The real path, with symlinks resolved.
  BlobId blob;
  std::int64_t bytes = 0;
  bool was_created = false;
  bool was_changed = false;                    // False: the file was the same already.
  TextEncoding encoding = TextEncoding::utf8;  // That of the file; also UTF-8 if it is binary.
};

// Follows a symlink to its file, creates folders as needed, and does not touch an identical file. Durable on
// return. Errors: invalid_argument (a folder or device at the path, a file on the way, or a character that
// the encoding of the file does not have); repo_changed (not as expected; details
// {"expected_blob","found_blob","path"}); as find_write_target() and WorktreeChange.
Result<ChangeResult<WrittenFile>> write_file(Workspace& workspace, const std::optional<std::string>& lease_id,
                                             const WriteFileQuery& query, const std::stop_token& stop);

}  // namespace snapgen::core

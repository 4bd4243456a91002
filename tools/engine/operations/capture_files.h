#pragma once
// Captures files: reads them and puts their contents into the store, on all processors.
//
// Each thread takes some files at a time, reads as many as its buffer holds, and stores them together
// (BlobStore::put_each). Memory use does not depend on the number or size of the files.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/caches/file_record.h"

namespace snapgen::core {

class Workspace;

// A file to capture. If the client named it (`is_named`), it must be capturable; otherwise it is skipped if
// unreadable.
struct CaptureTarget {
  std::string path;
  std::optional<FileStat> listed_stat;  // The file's stat from a recent listing, if any.
  std::int64_t listed_ns = 0;
  bool is_named = false;
  bool is_reread = false;  // Read the file even if its content is known.
  // Skip the file also if it keeps changing, was deleted, or is no longer a file.
  bool is_optional = false;
};

struct CapturedFiles {
  std::vector<FileRecord> records;  // One per target; the record of a skipped file has no blob.
  // The first target that could not be captured, by index, and the error. The records are then incomplete.
  std::optional<std::pair<std::size_t, Error>> failure;
};

enum class CapturePace : std::uint8_t {
  fast,    // On all processors, with quick compression: a call waits.
  frugal,  // On one thread, with thorough compression.
};

// Errors of a target: repo_changed (it kept changing), permission_denied if it `is_named`, not_found,
// invalid_argument (it is no longer a file), unavailable, cancelled.
CapturedFiles capture_files(Workspace& workspace, const std::vector<CaptureTarget>& targets,
                            const std::stop_token& stop, CapturePace pace = CapturePace::fast);

}  // namespace snapgen::core

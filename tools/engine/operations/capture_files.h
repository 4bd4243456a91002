#pragma once
// Capturing files: reading what they hold and putting it into the store, on all processors.
//
// Each thread takes some files at a time, reads as many as its room holds, and hashes and keeps them together
// (BlobStore::put_each). The memory that this takes does not depend on how many files there are, nor on how
// large they are.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/file_record.h"

namespace snapgen::core {

class Workspace;

// A file to capture. `named` by the client, it must be capturable; else it is skipped and counted.
struct CaptureTarget {
  std::string path;
  std::optional<FileStat> listed;  // Its stat, if a listing just took it.
  std::int64_t listed_ns = 0;
  bool named = false;
  bool anew = false;  // It is read though its content be known.
};

struct CapturedFiles {
  std::vector<FileRecord> records;  // One for each target; without a blob if it may not be read.
  // The first target, by its number, that could not be captured, and why. Then the records are incomplete.
  std::optional<std::pair<std::size_t, Error>> failed;
};

// Errors of a target: repo_changed (it kept changing), permission_denied if it is `named`, not_found,
// invalid_argument (it is no file any more), unavailable, cancelled.
CapturedFiles capture_files(Workspace& workspace, const std::vector<CaptureTarget>& targets,
                            const std::stop_token& stop);

}  // namespace snapgen::core

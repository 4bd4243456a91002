#pragma once
// What a task begins with: the whole workspace in a snapshot.
#include <stop_token>
#include <string>

#include "runtime/base/result.h"

namespace snapgen::core {

class Workspace;

struct WholeCapture {
  std::string snapshot_id;
  bool reused = false;  // Nothing had changed since it was taken.
};

// Takes a snapshot of everything that git does not ignore, or finds that the last one taken here still is
// what stands there: the repository's fingerprint is the same, and every file that `git status` names still
// has the content that was captured. Errors: as create_snapshot().
Result<WholeCapture> capture_whole(Workspace& workspace, const std::string& message,
                                   const std::stop_token& stop);

}  // namespace snapgen::core

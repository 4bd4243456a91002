#pragma once
// recover_files() restores a recorded state of a deleted workspace from its StoreCopy.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {

struct RecoverQuery {
  std::string copy_folder;  // StoredCopy::folder.
  std::string destination;  // A folder that does not exist or is empty.
  std::optional<std::string>
      target;  // As find_history_target(); nullopt: the last state before the deletion.
};

struct RecoveredFiles {
  std::uint64_t state_number = 0;  // The moment whose state was restored.
  std::int64_t state_ms = 0;       // Its time.
  std::int64_t file_count = 0;
  std::vector<std::string> left_out;  // Files whose contents the history does not have.
  std::vector<std::string> lost;      // Files that could not be restored.
  GitPosition position;
};

// Restores files and symlinks with their permissions. A folder with nothing but what a server left in `.git`
// or
// `.snapback` is empty. Errors: invalid_argument (the destination has files); as find_history_target() and
// state_after(); unavailable (the destination cannot be written); cancelled.
Result<RecoveredFiles> recover_files(const RecoverQuery& query, std::int64_t now_ms,
                                     const std::stop_token& stop);

}  // namespace snapgen::core

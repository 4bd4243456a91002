#include "tools/engine/base/common_errors.h"

#include <utility>

namespace snapgen::core {

Error cancelled_call() { return Error(ErrorCode::cancelled, "The call was cancelled."); }

Error cancelled_write() { return Error(ErrorCode::cancelled, "Cancelled; nothing was written."); }

Error cancelled_restore() { return Error(ErrorCode::cancelled, "Cancelled; nothing was restored."); }

Error work_tree_changed(std::string_view done) {
  return kept_changing("The work tree", "it was " + std::string(done));
}

Error repository_changed() { return kept_changing("The repository", "its state was read"); }

Error kept_changing(std::string_view subject, std::string_view activity) {
  return Error(ErrorCode::repo_changed,
               std::string(subject) + " kept changing while " + std::string(activity) + "; try again.");
}

Error store_not_writable(std::string cause) {
  return Error(ErrorCode::unavailable,
               "The snapshot store cannot be written. snap doctor checks its permissions and free space.", {},
               std::move(cause));
}

}  // namespace snapgen::core

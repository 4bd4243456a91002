#include "tools/engine/base/common_errors.h"

#include <utility>

namespace snapgen::core {

Error cancelled_call_error() { return Error(ErrorCode::cancelled, "The call was cancelled."); }

Error cancelled_write_error() { return Error(ErrorCode::cancelled, "Cancelled; nothing was written."); }

Error cancelled_restore_error() { return Error(ErrorCode::cancelled, "Cancelled; nothing was restored."); }

Error work_tree_changed_error(std::string_view done) {
  return kept_changing_error("The work tree", "it was " + std::string(done));
}

Error repository_changed_error() { return kept_changing_error("The repository", "its state was read"); }

Error kept_changing_error(std::string_view subject, std::string_view activity) {
  return Error(ErrorCode::repo_changed,
               std::string(subject) + " kept changing while " + std::string(activity) + "; try again.");
}

Error store_not_writable_error(std::string cause) {
  return Error(ErrorCode::unavailable,
               "The snapshot store cannot be written. snap doctor checks its permissions and free space.", {},
               std::move(cause));
}

}  // namespace snapgen::core

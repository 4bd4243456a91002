#pragma once
// Errors that several functions return with the same sentence.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// The error `cancelled`, for a call that the client or the deadline has ended.
Error cancelled_call_error();
// The error `cancelled`, before anything was written or restored.
Error cancelled_write_error();
Error cancelled_restore_error();

// The error `repo_changed` after the last try. `done`: what was done with the work tree, such as "read".
Error work_tree_changed_error(std::string_view done);
Error repository_changed_error();
// The error `repo_changed` for any subject: "<subject> kept changing while <activity>; try again."
Error kept_changing_error(std::string_view subject, std::string_view activity);

// The error `unavailable` for the store. `cause`: for the log, with the path.
Error store_not_writable_error(std::string cause);

}  // namespace snapgen::core

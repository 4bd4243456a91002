#pragma once
// Errors that several functions return with the same sentence.
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace snapgen::core {

// cancelled, by the client or the deadline.
Error cancelled_call();
// cancelled, before anything was written or restored.
Error cancelled_write();
Error cancelled_restore();

// repo_changed, after the last try. `done`: what was done with the work tree, such as "read".
Error work_tree_changed(std::string_view done);
Error repository_changed();
// The same for another subject: "<subject> kept changing while <activity>; try again."
Error kept_changing(std::string_view subject, std::string_view activity);

// unavailable. `cause`: for the log, with the path.
Error store_not_writable(std::string cause);

}  // namespace snapgen::core

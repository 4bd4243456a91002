#include "tools/engine/git/repository/libgit2.h"

namespace snapgen::core::git {

Result<Unit> start_libgit2() {
  static const int starts = git_libgit2_init();
  if (starts > 0) return Unit{};
  return Error(ErrorCode::unavailable, "libgit2 cannot be started. Restart the server.");
}

}  // namespace snapgen::core::git

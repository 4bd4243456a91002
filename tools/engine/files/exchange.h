#pragma once
// Renaming as the writer needs it, on file systems that know it and on those that do not.
#include <string>

#include "runtime/base/fd.h"

namespace snapgen::core {

// Moves a file to a name where nothing stands. Returns 0 or an errno: EEXIST if something stands there.
int move_to_free(int from, const std::string& from_name, int to, const std::string& to_name);

// Whether both names lead to one file: a move by link and unlink that got stuck in between.
bool are_linked(int a, const std::string& a_name, int b, const std::string& b_name);

// Makes the staged file and the one at the target change places. Where the file system cannot do it in one
// step, it takes three, and recover_exchange() finds out after a crash in between. Returns 0 or an errno.
int exchange(int staging, const std::string& staged, int folder, const std::string& name);

// After a crash: an exchange that got stuck half way is taken back, or finished. Returns 0 or an errno.
int recover_exchange(int staging, const std::string& staged, int folder, const std::string& name);

// The name under which the three-step exchange puts the target aside.
inline std::string aside_name(const std::string& staged) { return staged + ".old"; }

}  // namespace snapgen::core

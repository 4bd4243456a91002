#pragma once
// Renames that the writer needs, with fallbacks for file systems that do not support renameat2() flags.
#include <string>

#include "runtime/base/fd.h"

namespace snapgen::core {

// Moves a file to an unused name. Returns 0 or an errno: EEXIST if the name is in use.
int move_no_replace(int from, const std::string& from_name, int to, const std::string& to_name);

// Returns true if both names are links to one file: a move by link and unlink that was interrupted.
bool are_hard_links(int a, const std::string& a_name, int b, const std::string& b_name);

// Exchanges the staged file and the target. If the file system cannot do it atomically, it takes three steps,
// and recover_exchange() handles a crash between them. Returns 0 or an errno.
int exchange_files(int staging, const std::string& staged, int folder, const std::string& name);

// Reverts or completes an exchange that a crash interrupted. Returns 0 or an errno.
int recover_exchange(int staging, const std::string& staged, int folder, const std::string& name);

// Returns the name to which the three-step exchange moves the target temporarily.
inline std::string exchange_temporary_name(const std::string& staged) { return staged + ".old"; }

}  // namespace snapgen::core

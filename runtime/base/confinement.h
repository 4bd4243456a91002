#pragma once
// Confinement: restricts the folders that this process may write to, with the kernel's Landlock
// (landlock(7)).
//
// A confinement applies to the calling thread and to every thread and process that it starts afterwards,
// permanently. Reading, executing, the network and open descriptors are not restricted, nor are file
// permissions and times, which Landlock does not cover. The system calls are made by number, so no library is
// needed; a kernel without them returns an error.
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen {

struct Confinement {
  std::vector<std::string> writable_folders;  // Folders with everything below; missing ones are ignored.
  // Below these folders, folders can be created and everything can be removed, but no file can be written.
  std::vector<std::string> deletable_folders;
  std::vector<std::string> writable_files;  // Writable existing files, such as /dev/null.
};

// Returns the Landlock ABI of the kernel. Returns 0 if Landlock is absent or disabled, or has ABI 1, which
// cannot allow to move a file to another folder.
int landlock_abi();

// Confines the calling thread. Errors: unsupported (no Landlock); unavailable (the kernel rejects the rules).
Result<Unit> confine(const Confinement& confinement);

}  // namespace snapgen

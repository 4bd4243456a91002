#pragma once
// Confinement: restricts the folders that this process may write to, with the kernel's Landlock
// (landlock(7)).
//
// It applies to the calling thread and to every thread and process that it starts afterwards, permanently.
// Reading, executing, the network and open descriptors are not restricted, nor are file permissions and
// times, which Landlock does not cover. The system calls are made by number, so nothing is linked; a kernel
// without them reports that.
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen {

struct Confinement {
  std::vector<std::string> writable;  // Folders: everything below them. Missing ones are ignored.
  // Folders: below them, folders can be created, and all can be removed; no file can be written.
  std::vector<std::string> deletable;
  std::vector<std::string> files;  // Existing single files, such as /dev/null.
};

// Returns the Landlock ABI of the kernel. 0: Landlock is absent, disabled, or of ABI 1, which cannot move a
// file from one folder into another.
int confinement_abi();

// Errors: unsupported (confinement_abi() is 0); unavailable (the kernel rejects the rules).
Result<Unit> confine(const Confinement& confinement);

}  // namespace snapgen

#pragma once
// Confinement: below which folders this process may write, seen to by the kernel (Landlock, landlock(7)).
//
// What is confined is the calling thread, and every thread and process that it starts from then on, for good.
// Reading, running programs, the network, and what is open already stay as they are; so do permissions and
// times of files, which Landlock does not know. Nothing is linked: the system calls are made by their
// numbers, and a kernel that has none of them says so.
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace snapgen {

struct Confinement {
  std::vector<std::string> writable;  // Folders: everything below them. One that is not there is passed over.
  std::vector<std::string> passing;   // Folders: other folders may come and go below them, and files may go.
  std::vector<std::string> files;     // Single files that are there, such as /dev/null.
};

// What the kernel has: its Landlock ABI; 0: none that is of use (it is absent or off, or cannot move a file
// from one folder into another, which came with 2).
int confinement_abi();

// Errors: unsupported (confinement_abi() is 0); unavailable (the kernel refuses).
Result<Unit> confine(const Confinement& confinement);

}  // namespace snapgen

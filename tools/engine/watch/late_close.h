#pragma once
// Closes descriptors that take the kernel long to close.
#include "runtime/base/fd.h"

namespace snapgen::core {

// Closes `fd` without waiting, in a process that is about to exit. The kernel takes tens of milliseconds to
// release thousands of watches, and the last close waits for it, as does the exit of a process that has them
// open. So the last close is done by a child that shares this process's memory, has nothing else open, and
// does nothing else. This process does not wait for the child; it is reaped by its new parent after this
// process exits.
void close_in_child_process(Fd fd);

}  // namespace snapgen::core

#pragma once
// Closing what takes the kernel long to close.
#include "runtime/base/fd.h"

namespace snapgen::core {

// For a process about to end. The kernel takes tens of milliseconds to let go of thousands of watches, and
// whoever closes them last waits for it; a process that still has them open ends as late. So the last to
// close is a child that shares this process's memory, has nothing else open, and does nothing else. The child
// is not waited for: whoever adopts it when this process ends reaps it.
void close_after_us(Fd fd);

}  // namespace snapgen::core

#pragma once
// Sweep: collecting that nobody asked for, after a snapshot was made: once in sweep_hours, or when the store
// takes more room than its quota.
//
// The file `sweep` in the store's folder says when that was last done, and what became of it.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"

namespace snapgen::core {

class Workspace;

struct Swept {
  std::int64_t at_ms = 0;
  std::int64_t bytes_freed = 0;
  std::vector<std::string> removed;  // Digits of the snapshots that went.
  std::string failure;               // Why it was not done, or is not enough; empty: all is well.
};

// The last one; none: there never was one.
std::optional<Swept> last_sweep(const Workspace& workspace);

// Costs microseconds. A store that was never swept is due when sweep_hours have passed since it was first
// asked about.
bool sweep_is_due(const Workspace& workspace, const Retention& retention);

// Collects, and writes down what became of it. A failure is among that. Errors: cancelled; unavailable (it
// cannot be written down).
Result<Swept> sweep(Workspace& workspace, const Retention& retention, const SparedSnapshots& spared,
                    const std::stop_token& stop);

}  // namespace snapgen::core

#pragma once
// Sweep: automatic collection after a snapshot, once in sweep_hours or if the store exceeds its quota.
//
// The file `sweep` in the store's folder records the time and result of the last one, and `sweep-requested`
// exists if a thinning of a history has removed contents since.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "tools/engine/operations/gc/retention.h"

namespace snapgen::core {

class Workspace;

struct SweepResult {
  std::int64_t at_ms = 0;
  std::int64_t bytes_freed = 0;
  std::vector<std::string> removed;  // Ids of the removed snapshots, in digits.
  std::string failure;               // Why the sweep failed or was insufficient; empty: success.
};

// The last sweep; nullopt: there was none.
std::optional<SweepResult> last_sweep(const Workspace& workspace);

// Whether a sweep is due; takes microseconds. A store that was never swept is due when sweep_hours have
// passed since the first call.
bool sweep_is_due(const Workspace& workspace, const Retention& retention);

// Makes a sweep due an hour after the last one. Errors: unavailable.
Result<Unit> request_sweep(const Workspace& workspace);

// Collects and records the result, which may be a failure. Errors: cancelled; unavailable (cannot record).
Result<SweepResult> sweep(Workspace& workspace, const Retention& retention, const GetSparedSnapshots& spared,
                          const std::stop_token& stop);

}  // namespace snapgen::core

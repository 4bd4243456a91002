#pragma once
// A small coherent read on the calling thread, without a walk, a long wait for a lock, or a wait for another
// thread. It needs a quiet watched tree, and a lease that was used before and has few records. It returns the
// same as read_worktree(), or nullopt if the read would need more.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {

// Maximum size of a file that is read in this way.
inline constexpr std::int64_t try_bytes_max = 64 << 10;

class NonBlockingRead {
 public:
  NonBlockingRead(Workspace& workspace, const std::string& lease_id);

  // Whether the read can be attempted.
  bool can_read() const { return before_.has_value(); }

  const std::shared_ptr<Lease>& lease() const { return lease_; }

  // Called after reading through `view`: the lease's state, or nullopt.
  std::optional<LeaseState> validate(LiveView& view);

 private:
  Workspace& workspace_;
  std::shared_ptr<Lease> lease_;
  std::optional<LiveTree::QuietStatus> before_;
};

// Reads with `read`, a `Result<T>(LiveView&)`. Returns nullopt also on failure: the caller then uses
// read_worktree().
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
std::optional<WithLease<T>> try_read(Workspace& workspace, const std::string& lease_id, F read) {
  NonBlockingRead reading(workspace, lease_id);
  if (!reading.can_read()) return std::nullopt;
  LiveView view(workspace, try_bytes_max);
  view.set_lease(reading.lease());
  Result<T> value = read(view);
  if (!value) return std::nullopt;
  std::optional<LeaseState> state = reading.validate(view);
  if (!state) return std::nullopt;
  return WithLease<T>{.value = *std::move(value), .lease = *std::move(state)};
}

}  // namespace snapgen::core

#pragma once
// A small coherent read by the thread that was asked, without a walk, a lock that others hold for long, or a
// wait for another thread: of a tree that is watched and quiet, under a lease that was used before and saw
// little. What it answers is what read_worktree() would; where that would take more, it answers nothing.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/coherent.h"

namespace snapgen::core {

// Of the files that may be read so.
inline constexpr std::int64_t try_bytes_max = 64 << 10;

class NonBlockingRead {
 public:
  NonBlockingRead(Workspace& workspace, const std::string& lease_id);

  // Whether it may be tried.
  bool begun() const { return before_.has_value(); }

  const std::shared_ptr<Lease>& lease() const { return lease_; }

  // After reading through `view`: the lease's state, or none.
  std::optional<LeaseState> validate(LiveView& view);

 private:
  Workspace& workspace_;
  std::shared_ptr<Lease> lease_;
  std::optional<LiveTree::QuietStatus> before_;
};

// `read`: Result<T>(LiveView&). None, also where it fails: read_worktree() has to be asked.
template <class F, class T = std::remove_cvref_t<decltype(*std::declval<F&>()(std::declval<LiveView&>()))>>
std::optional<Coherent<T>> try_read(Workspace& workspace, const std::string& lease_id, F read) {
  NonBlockingRead reading(workspace, lease_id);
  if (!reading.begun()) return std::nullopt;
  LiveView view(workspace, try_bytes_max);
  view.set_lease(reading.lease());
  Result<T> value = read(view);
  if (!value) return std::nullopt;
  std::optional<LeaseState> state = reading.validate(view);
  if (!state) return std::nullopt;
  return Coherent<T>{.value = *std::move(value), .lease = *std::move(state)};
}

}  // namespace snapgen::core

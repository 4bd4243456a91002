// How much MomentTaker stores.
#include <algorithm>

#include <sys/statvfs.h>

#include "tools/engine/operations/gc/sweep.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t free_part = 5;  // The history may use this part of the free space.
constexpr std::int64_t thinning_pause_ms = 3600 * 1000;

}  // namespace

// The limit of the settings, or a part of the free space and of what is stored if that is less.
std::int64_t MomentTaker::bytes_max_beside(std::int64_t stored_bytes) const {
  struct statvfs disk;
  const std::int64_t bytes_max = options_.limits.bytes_max;
  if (::statvfs(workspace_.store_folder().c_str(), &disk) != 0) return bytes_max;
  const std::int64_t free =
      static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  return std::min(bytes_max, (free + stored_bytes) / free_part);
}

HistoryLimits MomentTaker::limits_for(const Timeline& timeline) const {
  HistoryLimits limits = options_.limits;
  limits.bytes_max = bytes_max_beside(history_bytes(timeline, log_));
  return limits;
}

Result<Unit> MomentTaker::thin_if_due(const std::stop_token& stop) {
  const std::int64_t now_ms = workspace_.now() / 1'000'000;
  const Timeline timeline = TRY(log_.read());
  const HistoryLimits limits = limits_for(timeline);
  const bool exceeds_size = history_bytes(timeline, log_) > limits.bytes_max;
  const bool is_full = exceeds_size || timeline.event_bytes > limits.event_bytes_max() ||
                       log_.bytes() - timeline.event_bytes > thinned_log_bytes;
  if (!is_full && now_ms - thinned_ms_ < thinning_pause_ms) return Unit{};
  thinned_ms_ = now_ms;
  if (!needs_thinning(timeline, log_, limits, now_ms)) return Unit{};
  const bool is_thinned = TRY(thin_history(log_, workspace_.blobs(), limits, now_ms, stop));
  return is_thinned && exceeds_size ? request_sweep(workspace_) : Result<Unit>(Unit{});
}

}  // namespace snapgen::core

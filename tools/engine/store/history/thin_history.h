#pragma once
// Thins the history of a work tree: older moments are merged, the files that store most lose versions, and
// the oldest moments are removed.
#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "runtime/base/result.h"
#include "tools/engine/store/blobs/blob_store.h"
#include "tools/engine/store/history/history_log.h"

namespace snapgen::core {

// How long moments are retained, and how much they may store. The settings `history` have these values.
struct HistoryLimits {
  std::int64_t whole_ms = 24LL * 3600 * 1000;        // Until this age every moment is retained.
  std::int64_t dense_ms = 7 * 24LL * 3600 * 1000;    // Until this age, one for each `dense_step_ms`.
  std::int64_t sparse_ms = 60 * 24LL * 3600 * 1000;  // Until this age, one for each `sparse_step_ms`.
  // So many of the latest are retained whatever their age: after a pause, or if the clock was set forward.
  std::size_t moments_min = 100;
  // A history in which nothing was recorded for so long is removed: that of a deleted work tree.
  std::int64_t unused_ms = 365 * 24LL * 3600 * 1000;
  std::int64_t dense_step_ms = 10LL * 60 * 1000;
  std::int64_t sparse_step_ms = 24LL * 3600 * 1000;
  std::int64_t bytes_max = std::int64_t{2} << 30;  // As history_bytes().

  // How much the events of hosts may take in the log, in addition.
  std::int64_t event_bytes_max() const { return std::min(std::int64_t{8} << 20, bytes_max / 8); }
  // How much the recorded versions of one file may take before others lose their history.
  std::int64_t file_versions_bytes_max() const { return bytes_max / 8; }
};

// The size of the contents that the moments were the first to store, with the log itself except its events.
std::int64_t history_bytes(const Timeline& timeline, const HistoryLog& log);

// Whether thin_history() would change anything.
bool needs_thinning(const Timeline& timeline, const HistoryLog& log, const HistoryLimits& limits,
                    std::int64_t now_ms);

// Merges and removes moments as the limits say. Moments at which a turn ended are retained until `dense_ms`.
//
// If moments exceed `bytes_max`, they are reduced to nine tenths of it. First the files whose versions take
// the most lose some of these: moments then leave the file out. Its last version remains, and those before
// and after a rewind if possible. Only if no file takes much, the oldest moments are removed. The next
// garbage collection frees the contents. Events of tools are removed before others, and no moment for them.
//
// The caller has the turn (HistoryLog::wait_for_turn()). Returns whether the log was changed. Errors:
// unavailable; internal (the history is damaged); cancelled.
Result<bool> thin_history(HistoryLog& log, BlobStore& blobs, const HistoryLimits& limits, std::int64_t now_ms,
                          const std::stop_token& stop);

}  // namespace snapgen::core

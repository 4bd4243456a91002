#include "tools/engine/store/history/thin_history.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/store/history/recorded_state.h"

namespace snapgen::core {
namespace {

constexpr std::size_t events_max = 50'000;

// The moments whose changes stay one moment.
struct Group {
  std::size_t first = 0;  // Indexes in Timeline::moments.
  std::size_t last = 0;
};

struct ThinningPlan {
  std::size_t removed = 0;    // So many moments at the beginning are removed.
  std::vector<Group> groups;  // The others.
  std::size_t removed_events = 0;
  bool removes_all = false;  // The history is that of a work tree that is not used any more.

  bool changes_anything(std::size_t moment_count) const {
    return removes_all || removed > 0 || removed_events > 0 || groups.size() != moment_count;
  }
};

// The times at which turns end: a moment before one of them is the state that a rewind of the turn restores.
std::vector<std::int64_t> turn_ends(const Timeline& timeline) {
  std::vector<std::int64_t> ends;
  for (const auto& event : timeline.events)
    if (event->kind == HostEventKind::prompt) ends.push_back(event->at_ms);
  std::ranges::sort(ends);
  return ends;
}

// Whether a turn ends between two moments.
bool ends_turn(const std::vector<std::int64_t>& ends, std::int64_t from_ms, std::int64_t to_ms) {
  const auto next = std::ranges::lower_bound(ends, from_ms);
  return next != ends.end() && *next <= to_ms;
}

ThinningPlan plan_thinning(const Timeline& timeline, std::int64_t log_bytes, const HistoryLimits& limits,
                           std::int64_t now_ms) {
  ThinningPlan plan;
  const auto& moments = timeline.moments;
  const std::vector<std::int64_t> ends = turn_ends(timeline);
  const std::size_t by_age = moments.size() - std::min(moments.size(), limits.moments_min);
  while (plan.removed < by_age && now_ms - moments[plan.removed]->at_ms > limits.sparse_ms) ++plan.removed;
  std::int64_t bytes = log_bytes;
  for (std::size_t i = plan.removed; i < moments.size(); ++i) bytes += moments[i]->new_bytes;
  if (bytes > limits.bytes_max) {
    const std::int64_t goal = limits.bytes_max / 10 * 9;
    for (; bytes > goal && plan.removed < moments.size(); ++plan.removed)
      bytes -= moments[plan.removed]->new_bytes;
  }
  if (log_bytes > thinned_log_bytes) plan.removed = std::max(plan.removed, moments.size() / 2);
  for (std::size_t i = plan.removed; i < moments.size(); ++i) {
    const Moment& moment = *moments[i];
    const std::int64_t age_ms = now_ms - moment.at_ms;
    const std::int64_t step_ms = age_ms <= limits.dense_ms ? limits.dense_step_ms : limits.sparse_step_ms;
    bool joins = !plan.groups.empty() && age_ms > limits.whole_ms;
    if (joins) {
      const Moment& before = *moments[i - 1];
      joins = before.at_ms / step_ms == moment.at_ms / step_ms &&
              (age_ms > limits.dense_ms || !ends_turn(ends, before.at_ms, moment.at_ms));
    }
    if (joins) {
      plan.groups.back().last = i;
    } else {
      plan.groups.push_back({.first = i, .last = i});
    }
  }
  const bool is_unused = moments.empty() || now_ms - moments.back()->at_ms > limits.unused_ms;
  if (is_unused && !timeline.bases.empty())
    plan.removes_all = now_ms - timeline.bases.back()->at_ms > limits.unused_ms;
  const auto& events = timeline.events;
  if (events.size() > events_max) plan.removed_events = events.size() - events_max;
  while (plan.removed_events < events.size() &&
         now_ms - events[plan.removed_events]->at_ms > limits.sparse_ms)
    ++plan.removed_events;
  return plan;
}

class Thinning {
 public:
  Thinning(const Timeline& timeline, BlobStore& blobs, const std::stop_token& stop)
      : timeline_(timeline), blobs_(blobs), stop_(stop) {}

  // Returns the new text of the log.
  Result<std::string> run(const ThinningPlan& plan) {
    if (plan.removes_all) return std::string();
    TRY(add_base(plan.removed));
    for (const Group& group : plan.groups) {
      TRY(add_moment(group));
    }
    for (std::size_t i = plan.removed_events; i < timeline_.events.size(); ++i)
      add(encoded_event(*timeline_.events[i]));
    TRY(blobs_.commit());
    return std::move(text_);
  }

 private:
  void add(const std::string& line) { text_ += line + "\n"; }

  // Adds the state after the removed moments.
  Result<Unit> add_base(std::size_t removed) {
    const std::uint64_t number = removed > 0 ? timeline_.moments[removed - 1]->number : 0;
    std::shared_ptr<const HistoryBase> base;
    for (const auto& each : timeline_.bases)
      if (!base || each->number <= number) base = each;
    if (!base) return Unit{};
    HistoryBase base_after = *base;
    if (removed > 0 && base_after.number < number) {
      RecordedState state = TRY(read_state(blobs_, base->state));
      for (std::size_t i = 0; i < removed; ++i) {
        const Moment& moment = *timeline_.moments[i];
        if (moment.number <= base->number) continue;
        if (stop_.stop_requested()) return cancelled_call_error();
        const std::vector<MomentChange> changes = TRY(changes_of(blobs_, moment));
        apply_changes(changes, state);
      }
      base_after = {.number = number,
                    .at_ms = timeline_.moments[removed - 1]->at_ms,
                    .state = {},
                    .position = timeline_.position_after(number)};
      base_after.state = TRY(put_state(blobs_, state));
    }
    base_number_ = base_after.number;
    add(encoded_base(base_after));
    return Unit{};
  }

  Result<Unit> add_moment(const Group& group) {
    if (stop_.stop_requested()) return cancelled_call_error();
    const Moment& last = *timeline_.moments[group.last];
    if (group.first == group.last) {
      add(encoded_moment(last));
    } else {
      Moment merged = last;
      merged.changes = TRY(changes_of(blobs_, last));
      for (std::size_t i = group.last; i-- > group.first;) {
        Moment earlier = *timeline_.moments[i];
        earlier.changes = TRY(changes_of(blobs_, earlier));
        merged = merged_moment(earlier, std::move(merged));
      }
      if (merged.changes.size() > merged_changes_max) {
        merged.change_blobs = TRY(put_changes(blobs_, merged.changes));
        merged.changes.clear();
      }
      add(encoded_moment(merged));
    }
    for (const auto& base : timeline_.bases)
      if (base->number == last.number && base->number > base_number_) add(encoded_base(*base));
    return Unit{};
  }

  static constexpr std::size_t merged_changes_max = 256;

  const Timeline& timeline_;
  BlobStore& blobs_;
  const std::stop_token& stop_;
  std::uint64_t base_number_ = 0;
  std::string text_;
};

}  // namespace

std::int64_t history_bytes(const Timeline& timeline, const HistoryLog& log) {
  std::int64_t bytes = log.bytes();
  for (const auto& moment : timeline.moments) bytes += moment->new_bytes;
  return bytes;
}

bool needs_thinning(const Timeline& timeline, const HistoryLog& log, const HistoryLimits& limits,
                    std::int64_t now_ms) {
  return plan_thinning(timeline, log.bytes(), limits, now_ms).changes_anything(timeline.moments.size());
}

Result<bool> thin_history(HistoryLog& log, BlobStore& blobs, const HistoryLimits& limits, std::int64_t now_ms,
                          const std::stop_token& stop) {
  const Timeline timeline = TRY(log.read());
  const ThinningPlan plan = plan_thinning(timeline, log.bytes(), limits, now_ms);
  if (!plan.changes_anything(timeline.moments.size())) return false;
  const std::uint64_t generation = blobs.generation();
  const std::string text = TRY(Thinning(timeline, blobs, stop).run(plan));
  const GenerationLock hold = TRY(blobs.lock_generation());
  // A collector may have removed the new lists and bases meanwhile. The next thinning makes them again.
  if (hold.generation() != generation) return false;
  TRY(log.replace(text, timeline));
  return true;
}

}  // namespace snapgen::core

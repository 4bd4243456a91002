#include "tools/engine/store/history/thin_history.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/engine/base/common_errors.h"
#include "tools/engine/store/history/recorded_state.h"

namespace snapgen::core {
namespace {

// The moments whose changes stay one moment.
struct Group {
  std::size_t first = 0;  // Indexes in Timeline::moments.
  std::size_t last = 0;
};

struct ThinningPlan {
  std::size_t removed = 0;    // So many moments at the beginning are removed.
  std::vector<Group> groups;  // The others.
  bool thins_events = false;
  bool removes_all = false;  // The history is that of a work tree that is not used any more.

  bool changes_anything(std::size_t moment_count) const {
    return removes_all || removed > 0 || thins_events || groups.size() != moment_count;
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

// What remains if a history is too large.
std::int64_t goal_of(const HistoryLimits& limits) { return limits.bytes_max / 10 * 9; }

ThinningPlan plan_thinning(const Timeline& timeline, std::int64_t log_bytes, const HistoryLimits& limits,
                           std::int64_t now_ms) {
  ThinningPlan plan;
  const auto& moments = timeline.moments;
  const std::vector<std::int64_t> ends = turn_ends(timeline);
  const std::size_t by_age = moments.size() - std::min(moments.size(), limits.moments_min);
  while (plan.removed < by_age && now_ms - moments[plan.removed]->at_ms > limits.sparse_ms) ++plan.removed;
  const std::int64_t moments_log_bytes = log_bytes - timeline.event_bytes;
  std::int64_t bytes = moments_log_bytes;
  for (std::size_t i = plan.removed; i < moments.size(); ++i) bytes += moments[i]->new_bytes;
  if (bytes > limits.bytes_max) {
    for (const std::int64_t goal = goal_of(limits); bytes > goal && plan.removed < moments.size();
         ++plan.removed)
      bytes -= moments[plan.removed]->new_bytes;
  }
  if (moments_log_bytes > thinned_log_bytes) plan.removed = std::max(plan.removed, moments.size() / 2);
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
  plan.thins_events =
      timeline.event_bytes > limits.event_bytes_max() ||
      (!timeline.events.empty() && now_ms - timeline.events.front()->at_ms > limits.sparse_ms);
  return plan;
}

bool is_of_tool(const HostEvent& event) {
  return event.kind == HostEventKind::tool_begin || event.kind == HostEventKind::tool_end;
}

// The lines of the events that remain. If all take too much, long ones are shortened, and then the oldest are
// removed until half of the limit remains: first those of tools, without which moments only lose an author.
std::vector<std::string> retained_events(const Timeline& timeline, const HistoryLimits& limits,
                                         std::int64_t now_ms) {
  constexpr std::size_t usual_bytes_max = 4096;  // What within_limits() permits takes less.
  struct Line {
    std::string text;
    bool is_of_tool = false;
  };
  std::vector<Line> lines;
  std::int64_t bytes = 0;
  for (const auto& event : timeline.events) {
    if (now_ms - event->at_ms > limits.sparse_ms) continue;
    std::string text = encoded_event(*event);
    if (text.size() > usual_bytes_max) text = encoded_event(within_limits(*event));
    bytes += static_cast<std::int64_t>(text.size()) + 1;
    lines.push_back({.text = std::move(text), .is_of_tool = is_of_tool(*event)});
  }
  if (bytes > limits.event_bytes_max())
    for (const bool removes_tools : {true, false})
      for (Line& line : lines) {
        if (bytes <= limits.event_bytes_max() / 2) break;
        if (line.text.empty() || line.is_of_tool != removes_tools) continue;
        bytes -= static_cast<std::int64_t>(line.text.size()) + 1;
        line.text.clear();
      }
  std::vector<std::string> retained;
  for (Line& line : lines)
    if (!line.text.empty()) retained.push_back(std::move(line.text));
  return retained;
}

// Makes moments leave out versions of the files that store most.
class VersionThinning {
 public:
  VersionThinning(Timeline& timeline, BlobStore& blobs, const std::stop_token& stop)
      : timeline_(timeline), blobs_(blobs), stop_(stop) {}

  // `bytes`: as history_bytes(). Errors: as thin_history().
  Result<Unit> run(std::int64_t bytes, const HistoryLimits& limits) {
    constexpr std::int64_t halvings = 3;
    TRY(find_versions());
    std::int64_t share = limits.file_versions_bytes_max();
    for (std::int64_t i = 0; i <= halvings && bytes > goal_of(limits); ++i, share /= 2)
      for (auto& [path, file] : files_) bytes -= file.thin(share);
    return leave_out();
  }

 private:
  struct Version {
    std::uint64_t moment = 0;
    std::int64_t bytes = 0;
    bool is_of_rewind = false;  // A rewind or an undo replaced it, or restored it.
  };
  struct File {
    std::vector<Version> versions;  // The latest last.
    std::int64_t bytes = 0;         // Of the versions.
    std::set<std::uint64_t> left_out;

    // Leaves out every other version except the latest, the oldest first, and repeats it until the rest takes
    // at most `bytes_max`. Returns the size of those.
    std::int64_t thin(std::int64_t bytes_max) {
      const std::int64_t before = bytes;
      for (const bool spares_rewinds : {true, false})
        for (std::size_t count = 0; bytes > bytes_max && count != versions.size();) {
          count = versions.size();
          std::vector<Version> retained;
          bool is_other = true;
          for (const Version& version : versions) {
            const bool goes = is_other && bytes > bytes_max && version.moment != versions.back().moment &&
                              !(spares_rewinds && version.is_of_rewind);
            is_other = !goes;
            if (!goes) {
              retained.push_back(version);
              continue;
            }
            bytes -= version.bytes;
            left_out.insert(version.moment);
          }
          versions = std::move(retained);
        }
      return before - bytes;
    }
  };
  // What replaces a version that is left out, until the next version.
  struct Replacement {
    BlobId version;
    HistoryFile file;
  };

  std::int64_t size_of(const BlobId& id) const {
    return static_cast<std::int64_t>(blobs_.size_of(id).value_or(0));
  }

  Result<Unit> find_versions() {
    for (const auto& moment : timeline_.moments) {
      if (stop_.stop_requested()) return cancelled_call_error();
      const std::vector<MomentChange> changes = TRY(changes_of(blobs_, *moment));
      const bool is_rewind = moment->cause == MomentCause::after;
      for (const MomentChange& change : changes) {
        File& file = files_[change.path];
        if (is_rewind && !file.versions.empty()) file.versions.back().is_of_rewind = true;
        if (!change.has_new_content()) continue;
        const Version version{
            .moment = moment->number, .bytes = size_of(change.after->blob), .is_of_rewind = is_rewind};
        file.versions.push_back(version);
        file.bytes += version.bytes;
      }
    }
    return Unit{};
  }

  Result<Unit> leave_out() {
    std::erase_if(files_, [](const auto& file) { return file.second.left_out.empty(); });
    if (files_.empty()) return Unit{};
    std::vector<std::shared_ptr<const Moment>> moments;
    std::shared_ptr<const Moment> empty;  // The moment before, if it has no changes any more.
    GitPosition position = timeline_.bases.empty() ? GitPosition() : timeline_.bases.front()->position;
    for (const auto& moment : timeline_.moments) {
      if (stop_.stop_requested()) return cancelled_call_error();
      Moment changed = *moment;
      changed.changes = TRY(changes_of(blobs_, *moment));
      changed.change_blobs.clear();
      const std::size_t count = changed.changes.size();
      replace_versions(changed);
      changed.change_count = static_cast<std::int64_t>(changed.changes.size());
      if (empty) {
        changed.first_number = empty->first_number;
        changed.began_ms = empty->began_ms;
        empty.reset();
      }
      const bool has_base = TRY(replace_in_bases(moment->number));
      const bool is_empty = changed.changes.empty() && count > 0 && changed.position == position;
      position = changed.position;
      // The next moment has the same state before it, so it stands for both.
      if (is_empty && !has_base && moment != timeline_.moments.back())
        empty = std::make_shared<const Moment>(std::move(changed));
      else
        moments.push_back(std::make_shared<const Moment>(std::move(changed)));
    }
    timeline_.moments = std::move(moments);
    return Unit{};
  }

  void replace_versions(Moment& moment) {
    for (MomentChange& change : moment.changes) {
      const auto file = files_.find(change.path);
      if (file == files_.end()) continue;
      const bool is_new = change.has_new_content();
      replace(change.path, change.before);
      if (is_new && file->second.left_out.contains(moment.number)) {
        moment.new_bytes -= size_of(change.after->blob);
        const HistoryFile shown = left_out_for_changes(change.before ? change.before : change.after);
        replaced_.insert_or_assign(change.path, Replacement{.version = change.after->blob, .file = shown});
        change.after = shown;
      } else if (!replace(change.path, change.after)) {
        replaced_.erase(change.path);
      }
    }
    std::erase_if(moment.changes, [](const MomentChange& change) { return change.before == change.after; });
  }

  // Replaces a version that is left out. Returns whether it is one.
  bool replace(const std::string& path, std::optional<HistoryFile>& file) const {
    const auto found = replaced_.find(path);
    if (found == replaced_.end() || !file || file->blob != found->second.version) return false;
    file = found->second.file;
    return true;
  }

  // Replaces versions in the states after the moment. Returns whether there are such states.
  Result<bool> replace_in_bases(std::uint64_t number) {
    bool has_base = false;
    for (auto& base : timeline_.bases) {
      if (base->number != number) continue;
      has_base = true;
      if (replaced_.empty()) continue;
      RecordedState state = TRY(read_state(blobs_, base->state));
      for (auto& [path, file] : state) {
        std::optional<HistoryFile> shown = file;
        if (replace(path, shown)) file = *shown;
      }
      HistoryBase changed = *base;
      changed.state = TRY(put_state(blobs_, state));
      base = std::make_shared<const HistoryBase>(std::move(changed));
    }
    return has_base;
  }

  Timeline& timeline_;
  BlobStore& blobs_;
  const std::stop_token& stop_;
  std::map<std::string, File, std::less<>> files_;
  std::map<std::string, Replacement, std::less<>> replaced_;
};

class Thinning {
 public:
  Thinning(const Timeline& timeline, BlobStore& blobs, const std::stop_token& stop)
      : timeline_(timeline), blobs_(blobs), stop_(stop) {}

  // Returns the new text of the log.
  Result<std::string> run(const ThinningPlan& plan, const std::vector<std::string>& events) {
    if (plan.removes_all) return std::string();
    TRY(add_base(plan.removed));
    for (const Group& group : plan.groups) {
      TRY(add_moment(group));
    }
    for (const std::string& line : events) add(line);
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
    Moment merged = last;
    if (group.first != group.last) {
      merged.changes = TRY(changes_of(blobs_, last));
      for (std::size_t i = group.last; i-- > group.first;) {
        Moment earlier = *timeline_.moments[i];
        earlier.changes = TRY(changes_of(blobs_, earlier));
        merged = merged_moment(earlier, std::move(merged));
      }
    }
    if (merged.changes.size() > merged_changes_max) {
      merged.change_blobs = TRY(put_changes(blobs_, merged.changes));
      merged.changes.clear();
    }
    add(encoded_moment(merged));
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
  std::int64_t bytes = log.bytes() - timeline.event_bytes;
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
  if (!needs_thinning(timeline, log, limits, now_ms)) return false;
  const std::uint64_t generation = blobs.generation();
  Timeline thinned = timeline;
  if (const std::int64_t bytes = history_bytes(timeline, log); bytes > limits.bytes_max)
    TRY(VersionThinning(thinned, blobs, stop).run(bytes, limits));
  const ThinningPlan plan = plan_thinning(thinned, log.bytes(), limits, now_ms);
  const std::vector<std::string> events = retained_events(timeline, limits, now_ms);
  const std::string text = TRY(Thinning(thinned, blobs, stop).run(plan, events));
  const GenerationLock hold = TRY(blobs.lock_generation());
  // A collector may have removed the new lists and bases meanwhile. The next thinning makes them again.
  if (hold.generation() != generation) return false;
  TRY(log.replace(text, timeline));
  return true;
}

}  // namespace snapgen::core

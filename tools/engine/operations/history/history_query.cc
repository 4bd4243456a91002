#include "tools/engine/operations/history/history_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <iterator>
#include <limits>
#include <utility>

#include <sys/stat.h>

#include "runtime/base/ascii.h"
#include "tools/engine/base/common_errors.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

constexpr std::int64_t ms_of_second = 1000;
constexpr std::int64_t ms_of_minute = 60 * ms_of_second;
constexpr std::int64_t ms_of_hour = 60 * ms_of_minute;
constexpr std::int64_t ms_of_day = 24 * ms_of_hour;
constexpr std::int64_t turn_pause_ms = 10 * ms_of_minute;    // Without prompts, a longer pause ends a turn.
constexpr std::int64_t requested_ms_max = 2 * ms_of_second;  // From a prompt to the moment that it requests.
constexpr std::size_t author_bytes_max = 80;

constexpr std::string_view target_forms =
    "Name a moment (m12), a turn (t12), or a time (14:03, 2026-11-28 14:03, 5 minutes ago). history_list "
    "shows "
    "them.";

Error unknown_target_error(std::string_view text) {
  return Error(ErrorCode::invalid_argument,
               "Unknown moment \"" + shortened(text, author_bytes_max) + "\". " + std::string(target_forms));
}

std::optional<std::uint64_t> number_after(std::string_view text, char letter) {
  if (text.size() < 2 || text.front() != letter) return std::nullopt;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Parses "5 minutes ago", and "5m ago".
std::optional<std::int64_t> ms_ago(std::string_view text) {
  constexpr std::string_view ago = " ago";
  if (!text.ends_with(ago)) return std::nullopt;
  text.remove_suffix(ago.size());
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 0 || count > 1'000'000) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) return std::nullopt;
  for (const auto& [name, unit_ms] : {std::pair("seconds", ms_of_second),
                                      {"minutes", ms_of_minute},
                                      {"hours", ms_of_hour},
                                      {"days", ms_of_day}})
    if (std::string_view(name).starts_with(unit)) return count * unit_ms;
  return std::nullopt;
}

// Reads the numbers of "2026-11-28 14:03:05" or "14:03", which `separators` are between.
std::optional<std::vector<int>> numbers_between(std::string_view text, std::string_view separators) {
  std::vector<int> numbers;
  for (std::size_t i = 0;; ++i) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return numbers;
    if (i == separators.size() || text.front() != separators[i]) return std::nullopt;
    text.remove_prefix(1);
  }
}

std::int64_t ms_of_local(std::tm time) {
  time.tm_isdst = -1;
  return static_cast<std::int64_t>(std::mktime(&time)) * ms_of_second;
}

// Parses a local time of day, today or else yesterday, or with a date. A time without seconds is its last
// second, because lists show moments to the second.
std::optional<std::int64_t> ms_of_local_time(std::string_view text, std::int64_t now_ms) {
  const auto now = static_cast<std::time_t>(now_ms / ms_of_second);
  std::tm time{};
  ::localtime_r(&now, &time);
  const std::size_t blank = text.find_first_of(" T");
  const std::string_view clock = blank == std::string_view::npos ? text : text.substr(blank + 1);
  const std::optional<std::vector<int>> parts = numbers_between(clock, "::");
  if (!parts || parts->size() < 2 || (*parts)[0] > 23 || (*parts)[1] > 59) return std::nullopt;
  time.tm_hour = (*parts)[0];
  time.tm_min = (*parts)[1];
  time.tm_sec = parts->size() > 2 ? (*parts)[2] : 0;
  if (time.tm_sec > 60) return std::nullopt;
  if (blank == std::string_view::npos) {
    std::int64_t at_ms = ms_of_local(time);
    if (at_ms > now_ms) {
      --time.tm_mday;
      at_ms = ms_of_local(time);
    }
    return at_ms;
  }
  const std::optional<std::vector<int>> date = numbers_between(text.substr(0, blank), "--");
  if (!date || date->size() != 3 || (*date)[1] < 1 || (*date)[1] > 12 || (*date)[2] < 1 || (*date)[2] > 31)
    return std::nullopt;
  time.tm_year = (*date)[0] - 1900;
  time.tm_mon = (*date)[1] - 1;
  time.tm_mday = (*date)[2];
  return ms_of_local(time);
}

std::optional<std::int64_t> ms_of_time(std::string_view text, std::int64_t now_ms) {
  if (const std::optional<std::int64_t> ago = ms_ago(text)) return now_ms - *ago;
  if (text.ends_with('Z')) return ms_of_iso_time(text);
  return ms_of_local_time(text, now_ms);
}

// The prompts of a timeline and what lies between them.
std::vector<std::shared_ptr<const HostEvent>> prompts_of(const Timeline& timeline) {
  std::vector<std::shared_ptr<const HostEvent>> prompts;
  for (const auto& event : timeline.events)
    if (event->kind == HostEventKind::prompt) prompts.push_back(event);
  std::ranges::stable_sort(prompts, {}, [](const auto& event) { return event->at_ms; });
  return prompts;
}

// Whether the hook of a prompt requested the moment, which then has the changes before the prompt. The end of
// a tool requests moments, too.
bool is_requested_by(const Timeline& timeline, const Moment& moment, const HostEvent& prompt) {
  const bool may_be = moment.cause == MomentCause::request && moment.began_ms < prompt.at_ms &&
                      moment.at_ms - prompt.at_ms < requested_ms_max;
  return may_be && std::ranges::none_of(timeline.events, [&](const auto& event) {
           const bool is_of_tool =
               event->kind == HostEventKind::tool_begin || event->kind == HostEventKind::tool_end;
           return is_of_tool && event->at_ms >= prompt.at_ms && event->at_ms <= moment.at_ms;
         });
}

// The time in which a tool of a host ran.
struct ToolRun {
  std::shared_ptr<const HostEvent> begin;
  std::int64_t end_ms = std::numeric_limits<std::int64_t>::max();  // By default, it still runs.
};

// Whether an event ends the run. Not every host reports an id of the call, or the end of each call: then the
// next event of the session ends it.
bool ends_run(const HostEvent& event, const HostEvent& begin) {
  if (event.session != begin.session) return false;
  const bool has_ids = !event.call.empty() && !begin.call.empty();
  if (event.kind == HostEventKind::tool_end)
    return has_ids ? event.call == begin.call : event.tool == begin.tool;
  return event.kind != HostEventKind::tool_begin || !has_ids;
}

std::vector<ToolRun> tool_runs(const Timeline& timeline) {
  std::vector<ToolRun> ended;
  std::vector<ToolRun> running;
  for (const auto& event : timeline.events) {
    std::erase_if(running, [&](ToolRun& run) {
      if (!ends_run(*event, *run.begin)) return false;
      ended.push_back({.begin = run.begin, .end_ms = event->at_ms});
      return true;
    });
    if (event->kind == HostEventKind::tool_begin) running.push_back({.begin = event});
  }
  std::ranges::move(running, std::back_inserter(ended));
  std::ranges::stable_sort(ended, {}, [](const ToolRun& run) { return run.begin->at_ms; });
  return ended;
}

Error removed_moment_error(const Timeline& timeline) {
  const std::string oldest =
      timeline.moments.empty() ? std::string()
                               : " The oldest is m" + std::to_string(timeline.moments.front()->number) + ".";
  return Error(ErrorCode::not_found, "The history does not go back so far." + oldest);
}

// When the content was recorded that a file had last before it was left out because it changes too much,
// which the moment at `index` did. 0: it was not recorded before, or is left out for another reason.
std::int64_t last_recorded_ms(const Timeline& timeline, BlobStore& blobs, std::size_t index,
                              const MomentChange& left_out) {
  if (!left_out.after || !left_out.after->changes_too_much() || !left_out.before) return 0;
  while (index-- > 0) {
    const Result<std::vector<MomentChange>> changes = changes_of(blobs, *timeline.moments[index]);
    if (!changes) break;
    const auto found = std::ranges::find(*changes, left_out.path, &MomentChange::path);
    if (found == changes->end()) continue;
    if (found->has_new_content()) return timeline.moments[index]->at_ms;
    if (!found->before) return 0;
  }
  return timeline.bases.front()->at_ms;
}

bool is_named_by(const std::vector<std::string>& paths, std::string_view path) {
  return paths.empty() || std::ranges::any_of(paths, [&](const std::string& each) {
           return is_at_or_below_folder(path, each);
         });
}

}  // namespace

std::vector<HistoryTurn> turns_of(const Timeline& timeline) {
  const std::vector<std::shared_ptr<const HostEvent>> prompts = prompts_of(timeline);
  std::vector<HistoryTurn> turns;
  std::size_t next_prompt = 0;
  const HostEvent* prompt = nullptr;  // The prompt of the current turn.
  const HostEvent* turn_prompt = nullptr;
  for (const auto& moment : timeline.moments) {
    while (next_prompt < prompts.size() && prompts[next_prompt]->at_ms < moment->at_ms) {
      if (is_requested_by(timeline, *moment, *prompts[next_prompt])) break;
      prompt = prompts[next_prompt++].get();
    }
    const bool pauses = !turns.empty() && moment->began_ms - turns.back().ended_ms > turn_pause_ms;
    const bool continues = !turns.empty() && prompt == turn_prompt && (prompt != nullptr || !pauses);
    if (!continues) {
      turns.push_back({.first_moment = moment->number,
                       .last_moment = moment->number,
                       .began_ms = prompt != nullptr ? prompt->at_ms : moment->began_ms,
                       .ended_ms = moment->at_ms,
                       .host = prompt != nullptr ? prompt->host : std::string(),
                       .session = prompt != nullptr ? prompt->session : std::string(),
                       .prompt = prompt != nullptr ? prompt->detail : std::string()});
      turn_prompt = prompt;
    }
    turns.back().last_moment = moment->number;
    turns.back().ended_ms = moment->at_ms;
  }
  return turns;
}

ChangeKind kind_of(const MomentChange& change) {
  if (!change.after) return ChangeKind::deleted;
  if (change.after->is_left_out()) return ChangeKind::left_out;
  if (!change.before) return ChangeKind::created;
  const bool is_same_content = !change.before->is_left_out() && change.before->blob == change.after->blob &&
                               (change.before->mode & S_IFMT) == (change.after->mode & S_IFMT);
  return is_same_content ? ChangeKind::mode_changed : ChangeKind::modified;
}

MomentAuthors::MomentAuthors(const Timeline& timeline, const Moment& moment) {
  for (const ToolRun& run : tool_runs(timeline))
    if (run.begin->at_ms <= moment.at_ms && run.end_ms >= moment.began_ms) tools_.push_back(run.begin);
}

std::string MomentAuthors::of(const MomentChange& change) const {
  if (change.is_by_server) return "server";
  if (tools_.empty()) return "outside";
  const auto names_path = [&](const auto& event) { return event->detail.ends_with(change.path); };
  const auto naming = std::ranges::find_if(tools_.rbegin(), tools_.rend(), names_path);
  const HostEvent& author = naming != tools_.rend() ? **naming : *tools_.back();
  const std::string tool = author.tool.empty() ? "tool" : author.tool;  // The host did not name it.
  return author.detail.empty() ? tool : shortened(tool + ": " + author.detail, author_bytes_max);
}

Result<HistoryTarget> find_history_target(const Timeline& timeline, std::string_view text,
                                          std::int64_t now_ms) {
  constexpr std::string_view before = "before ";
  std::string_view name = text;
  while (name.starts_with(' ')) name.remove_prefix(1);
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name.starts_with(before)) name.remove_prefix(before.size());
  HistoryTarget target{.first = 0, .last = 0, .name = std::string(name)};
  if (timeline.moments.empty())
    return Error(ErrorCode::not_found, "The history has no moments yet: nothing has changed since it began.");
  if (const std::optional<std::uint64_t> number = number_after(name, 'm')) {
    const std::shared_ptr<const Moment> moment = timeline.find(*number);
    if (!moment)
      return *number > timeline.last_number()
                 ? Error(ErrorCode::not_found, "There is no moment " + target.name + " yet. The latest is m" +
                                                   std::to_string(timeline.last_number()) + ".")
                 : removed_moment_error(timeline);
    target.first = target.last = moment->number;
    return target;
  }
  if (const std::optional<std::uint64_t> number = number_after(name, 't')) {
    for (const HistoryTurn& turn : turns_of(timeline)) {
      const std::uint64_t first_number = timeline.find(turn.first_moment)->first_number;
      if (*number < first_number || *number > turn.first_moment) continue;
      target.first = turn.first_moment;
      target.last = turn.last_moment;
      return target;
    }
    return Error(ErrorCode::not_found, "There is no turn " + target.name + ". history_list shows the turns.");
  }
  const std::optional<std::int64_t> at_ms = ms_of_time(name, now_ms);
  if (!at_ms) return unknown_target_error(text);
  if (timeline.bases.empty() || *at_ms < timeline.bases.front()->at_ms)
    return Error(ErrorCode::not_found,
                 "The history begins later, at " +
                     iso_time(timeline.bases.empty() ? now_ms : timeline.bases.front()->at_ms) + ".");
  // From the end, because the clock may have been set back.
  target.first = timeline.moments.front()->first_number;
  for (auto moment = timeline.moments.rbegin(); moment != timeline.moments.rend(); ++moment) {
    if ((*moment)->at_ms > *at_ms) continue;
    target.first = (*moment)->number + 1;
    break;
  }
  return target;
}

Result<RecordedState> state_after(const Timeline& timeline, BlobStore& blobs, std::uint64_t number,
                                  const std::stop_token& stop) {
  std::shared_ptr<const HistoryBase> base;
  for (const auto& each : timeline.bases)
    if (each->number <= number) base = each;
  if (!base) return removed_moment_error(timeline);
  RecordedState state = TRY(read_state(blobs, base->state));
  for (const auto& moment : timeline.moments) {
    if (moment->number <= base->number || moment->number > number) continue;
    if (stop.stop_requested()) return cancelled_call_error();
    const std::vector<MomentChange> changes = TRY(changes_of(blobs, *moment));
    apply_changes(changes, state);
  }
  return state;
}

Result<std::vector<MomentChange>> changes_of(const Timeline& timeline, BlobStore& blobs,
                                             const HistoryTarget& target, const std::stop_token& stop) {
  std::optional<Moment> all;
  for (const auto& moment : timeline.moments) {
    if (moment->number < target.first || moment->number > target.last) continue;
    if (stop.stop_requested()) return cancelled_call_error();
    Moment next = *moment;
    next.changes = TRY(changes_of(blobs, *moment));
    all = all ? merged_moment(*all, std::move(next)) : std::move(next);
  }
  return all ? std::move(all->changes) : std::vector<MomentChange>();
}

Result<HistoryList> list_history(const Timeline& timeline, BlobStore& blobs, const HistoryListQuery& query,
                                 std::int64_t now_ms, const std::stop_token& stop) {
  HistoryList list;
  if (!timeline.bases.empty()) list.oldest_ms = timeline.bases.front()->at_ms;
  std::optional<HistoryTarget> target;
  if (query.target) {
    target = TRY(find_history_target(timeline, *query.target, now_ms));
    if (target->is_time()) target->last = timeline.last_number();
  }
  const std::vector<HistoryTurn> turns = turns_of(timeline);
  std::size_t listed = 0;
  for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
    ListedTurn out{.turn = *turn, .moments = {}};
    for (std::size_t i = timeline.moments.size(); i-- > 0;) {
      const Moment& moment = *timeline.moments[i];
      if (moment.number < turn->first_moment || moment.number > turn->last_moment) continue;
      if (query.before && moment.number >= *query.before) continue;
      if (target && (moment.number < target->first || moment.number > target->last)) continue;
      if (stop.stop_requested()) return cancelled_call_error();
      const std::vector<MomentChange> changes = TRY(changes_of(blobs, moment));
      const GitPosition before = timeline.position_after(moment.first_number - 1);
      ListedMoment shown{
          .number = moment.number,
          .at_ms = moment.at_ms,
          .position = moment.position,
          .moved_head = before.head != moment.position.head || before.branch != moment.position.branch,
          .moved_branches = before.branches != moment.position.branches,
          .moved_index = before.index != moment.position.index,
          .changes = {},
          .change_count = 0};
      const MomentAuthors authors(timeline, moment);
      for (const MomentChange& change : changes) {
        if (!is_named_by(query.paths, change.path)) continue;
        ++shown.change_count;
        if (shown.changes.size() < query.changes_max)
          shown.changes.push_back({.path = change.path,
                                   .kind = kind_of(change),
                                   .author = authors.of(change),
                                   .recorded_ms = last_recorded_ms(timeline, blobs, i, change)});
      }
      if (shown.change_count == 0 && !query.paths.empty()) continue;
      if (listed == query.moments_max) {
        list.next_before =
            out.moments.empty() ? list.turns.back().moments.back().number : out.moments.back().number;
        break;
      }
      ++listed;
      out.moments.push_back(std::move(shown));
    }
    if (!out.moments.empty()) list.turns.push_back(std::move(out));
    if (list.next_before) break;
  }
  return list;
}

}  // namespace snapgen::core

#include "schemas/substrate/history_list.h"

#include <charconv>
#include <utility>

#include "runtime/base/enum_cast.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/operations/history/store_copy.h"
#include "tools/engine/operations/history/take_moment.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/substrate/common.h"
#include "tools/substrate/history.h"

namespace snapgen::tools {
namespace {

std::optional<std::string> unless_empty(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

// A cursor is the id of the earliest moment of the page before. Errors: invalid_argument.
Result<std::optional<std::uint64_t>> number_of_cursor(const std::optional<std::string>& cursor) {
  if (!cursor) return std::optional<std::uint64_t>();
  std::uint64_t number = 0;
  const char* const end = cursor->data() + cursor->size();
  if (cursor->starts_with('m')) {
    const auto [stopped, failure] = std::from_chars(cursor->data() + 1, end, number);
    if (failure == std::errc() && stopped == end) return std::optional(number);
  }
  return Error(ErrorCode::invalid_argument, "Unknown cursor. Omit it to start with the latest moment.");
}

HistoryListHead to_head_schema(const core::GitPosition& position) {
  std::string_view branch = position.branch;
  core::take_prefix(branch, "refs/heads/");
  return {.branch = unless_empty(std::string(branch)), .commit = unless_empty(position.head)};
}

HistoryListMoment to_moment_schema(const core::ListedMoment& moment) {
  HistoryListMoment out;
  out.at = core::iso_time(moment.at_ms);
  out.change_count = total_if_more(moment.change_count, moment.changes.size());
  for (const core::ListedChange& each : moment.changes)
    out.changes.push_back({.by = each.author,
                           .change = enum_cast<HistoryListChangeChange>(each.kind),
                           .last_recorded = each.recorded_ms > 0
                                                ? std::optional(core::iso_time(each.recorded_ms))
                                                : std::nullopt,
                           .path = core::text_of_path(each.path)});
  if (moment.moved_head) out.head = to_head_schema(moment.position);
  out.moment = moment_id(moment.number);
  if (moment.moved_branches || moment.moved_index) out.moved.emplace();
  if (moment.moved_branches) out.moved->push_back(HistoryListMomentMovedItem::branches);
  if (moment.moved_index) out.moved->push_back(HistoryListMomentMovedItem::index);
  return out;
}

HistoryListTurn to_turn_schema(const core::ListedTurn& listed) {
  const core::HistoryTurn& turn = listed.turn;
  HistoryListTurn out;
  out.began = core::iso_time(turn.began_ms);
  out.ended = core::iso_time(turn.ended_ms);
  out.host = unless_empty(turn.host);
  for (const core::ListedMoment& each : listed.moments) out.moments.push_back(to_moment_schema(each));
  out.prompt = unless_empty(turn.prompt);
  out.turn = "t" + std::to_string(turn.first_moment);
  return out;
}

// Returns when another history of the workspace, whose store was deleted lately, was last written.
std::optional<std::string> deleted_history(const App& app, const std::string& workspace) {
  constexpr std::int64_t shown_ms = 24LL * 3600 * 1000;
  if (!app.history_options || app.history_options->copies_folder.empty()) return std::nullopt;
  for (const core::StoredCopy& copy : core::stored_copies(app.history_options->copies_folder))
    if (copy.workspace == workspace && !copy.has_workspace && core::now_ms() - copy.last_ms < shown_ms)
      return core::iso_time(copy.last_ms);
  return std::nullopt;
}

Result<HistoryListOutput> list_moments(App& app, const HistoryListInput& in, const std::stop_token& stop) {
  core::HistoryListQuery query{.target = in.target, .moments_max = static_cast<std::size_t>(in.max_moments)};
  query.paths = TRY(core::paths_of_texts(in.paths));
  query.before = TRY(number_of_cursor(in.cursor));
  core::Workspace* workspace = TRY(app.workspace());
  core::MomentTaker* taker = TRY(app.history());
  core::Timeline timeline = TRY(taker->log().read());
  // What changed just before is recorded first, as far as that is possible. The first state may take long,
  // and is recorded in the background; without a watch, so would others.
  if (app.watches_worktree && !timeline.bases.empty() && !in.cursor) {
    static_cast<void>(taker->take(core::MomentCause::call, core::MomentPace::normal, stop));
    timeline = TRY(taker->log().read());
  }
  core::HistoryList list =
      TRY(core::list_history(timeline, blobs_of(*workspace), query, core::now_ms(), stop));
  HistoryListed out;
  out.next_cursor = moment_id(list.next_before);
  if (list.oldest_ms > 0) out.oldest = core::iso_time(list.oldest_ms);
  if (const std::optional<std::int64_t> ms = taker->log().paused_since_ms())
    out.paused_since = core::iso_time(*ms);
  out.recoverable = deleted_history(app, root_of(*workspace).folder());
  for (const core::ListedTurn& each : list.turns) out.turns.push_back(to_turn_schema(each));
  return HistoryListOutput(std::move(out));
}

}  // namespace

Task<HistoryListOutput> history_list(App& app, mcp::Call& call, const HistoryListInput& in) {
  return offload_and_log(app, call, in, list_moments);
}

}  // namespace snapgen::tools

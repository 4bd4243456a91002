// Any bytes as the log of a history, as a name of a moment, and as three versions of a text. A line that is
// read must be read as the same record again, and an undo must not fail.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/reader.h"
#include "tests/fuzz/target.h"
#include "tools/engine/operations/history/history_query.h"
#include "tools/engine/operations/history/undo_lines.h"
#include "tools/engine/store/history/moment.h"

namespace snapgen::core {
namespace {

void read_line(std::string_view line, Timeline& timeline) {
  if (std::optional<Moment> moment = parse_moment(line)) {
    FUZZ_EXPECT(parse_moment(encoded_moment(*moment)) == moment);
    if (moment->first_number > timeline.last_number())
      timeline.moments.push_back(std::make_shared<const Moment>(*std::move(moment)));
  }
  if (std::optional<HistoryBase> base = parse_base(line)) {
    FUZZ_EXPECT(parse_base(encoded_base(*base)) == base);
    if (base->number >= timeline.last_number())
      timeline.bases.push_back(std::make_shared<const HistoryBase>(*std::move(base)));
  }
  if (std::optional<HostEvent> event = parse_event(line)) {
    const HostEvent limited = within_limits(*event);
    FUZZ_EXPECT(parse_event(encoded_event(limited)) == limited);
    timeline.events.push_back(std::make_shared<const HostEvent>(*std::move(event)));
  }
}

// Calls `take` for each part between line feeds.
template <class F>
void for_each_line(std::string_view text, F take) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    take(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  take(text);
}

void query(const Timeline& timeline, std::string_view name) {
  const std::vector<HistoryTurn> turns = turns_of(timeline);
  for (const HistoryTurn& turn : turns) FUZZ_EXPECT(turn.first_moment <= turn.last_moment);
  FUZZ_EXPECT(timeline.moments.empty() == turns.empty());
  const Result<HistoryTarget> target = find_history_target(timeline, name, 1'700'000'000'000);
  if (target && !target->is_time()) FUZZ_EXPECT(timeline.find(target->first) != nullptr);
  for (const auto& moment : timeline.moments) {
    const MomentAuthors authors(timeline, *moment);
    for (const MomentChange& change : moment->changes) FUZZ_EXPECT(!authors.of(change).empty());
  }
}

// A zero byte is between the versions.
void undo(std::string_view text) {
  const std::size_t first = text.find('\0');
  const std::size_t second = first == std::string_view::npos ? first : text.find('\0', first + 1);
  if (second == std::string_view::npos) return;
  const std::string_view before = text.substr(0, first);
  const std::string_view after = text.substr(first + 1, second - first - 1);
  const std::string_view now = text.substr(second + 1);
  const Result<UndoneLines> undone = undo_lines(before, after, now);
  FUZZ_EXPECT(undone);
  const Result<UndoneLines> at_once = undo_lines(before, after, after);
  FUZZ_EXPECT(at_once && at_once->text == before && at_once->conflicts.empty());
}

}  // namespace
}  // namespace snapgen::core

FUZZ_TARGET(history) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  snapgen::core::undo(text);
  if (!snapgen::json::valid_utf8(text)) return 0;
  snapgen::core::Timeline timeline;
  std::string_view last;
  snapgen::core::for_each_line(text, [&](std::string_view line) {
    snapgen::core::read_line(line, timeline);
    last = line;
  });
  snapgen::core::query(timeline, last);
  return 0;
}

#include "tools/cli/report_page.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/base/visible.h"
#include "tools/cli/report_assets.h"
#include "tools/engine/base/hash.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/base/utc.h"

namespace snapgen::tools {
namespace {

using core::EventKind;
using core::History;
using core::HistoryEvent;

constexpr std::size_t events_shown_max = 5000;
constexpr std::size_t files_shown_max = 500;
constexpr std::size_t files_of_event_max = 10;
constexpr std::size_t dots_max = 200;
constexpr std::size_t text_bytes_max = 2000;

// Escapes text for HTML content and attributes. Line breaks become spaces, other control characters U+FFFD.
std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : visible(std::string(text))) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\n':
      case '\t': out += ' '; break;
      default: out += c;
    }
  }
  return out;
}

// Returns text that a person wrote, as HTML. <bdi> isolates its writing direction from the text after it.
std::string text_of(std::string_view text) {
  return "<bdi>" + escaped(core::shortened(text, text_bytes_max)) + "</bdi>";
}
std::string code(std::string_view text) { return "<code>" + text_of(text) + "</code>"; }

// day_of() returns a date such as "2026-11-22", and clock_of() a time such as "10:00:04".
std::string day_of(std::int64_t ms) { return core::iso_time(ms).substr(0, 10); }
std::string clock_of(std::int64_t ms) { return core::iso_time(ms).substr(11, 8); }
std::string moment_text(std::int64_t ms) { return day_of(ms) + " " + clock_of(ms); }

// Returns the hash of a script or style for the field Content-Security-Policy.
std::string source_hash(std::string_view source) {
  core::Sha256 hasher;
  hasher.update(source);
  const auto digest = hasher.digest();
  return "sha256-" + base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// Replaces every {{name}} of the template by its value. A {{name}} in a value is not replaced.
std::string filled_template(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string out;
  while (true) {
    const std::size_t begin = page.find("{{");
    const std::size_t end = begin == std::string_view::npos ? begin : page.find("}}", begin);
    if (end == std::string_view::npos) return out.append(page);
    out.append(page.substr(0, begin)).append(values.at(page.substr(begin + 2, end - begin - 2)));
    page.remove_prefix(end + 2);
  }
}

std::string figure(std::int64_t value, std::string_view what) {
  return "<li><b>" + std::to_string(value) + "</b>" + std::string(what) + "</li>";
}

std::string figures(const History& history) {
  std::array<std::int64_t, core::event_kind_count> counts{};
  std::int64_t ended = 0, passed = 0, failed = 0;
  for (const HistoryEvent& each : history.events) {
    ++counts[static_cast<std::size_t>(each.kind)];
    if (each.kind == EventKind::task && each.state != "started") ++ended;
    if (each.kind == EventKind::check && each.state == "pass") ++passed;
    if (each.kind == EventKind::check && each.state == "fail") ++failed;
  }
  const auto count = [&](EventKind kind) { return counts[static_cast<std::size_t>(kind)]; };
  const std::int64_t begun = count(EventKind::task) - ended;
  return figure(count(EventKind::snapshot), "snapshots") + figure(begun, "tasks") +
         figure(begun - ended, "of them open") + figure(passed, "checks passed") +
         figure(failed, "checks failed") + figure(count(EventKind::restore), "restores") +
         figure(count(EventKind::learning), "learnings") + figure(count(EventKind::violation), "violations");
}

// RiskChart draws the measured risk over time. A value applies until the next measurement.
class RiskChart {
 public:
  explicit RiskChart(const std::vector<core::RiskNote>& notes) : notes_(notes) {
    for (const core::RiskNote& each : notes) top_ = std::max(top_, each.points);
    // The limit is for lines that were edited by hand, which may have any number.
    top_ = std::min<std::int64_t>(top_ + 1, 1000);
    from_ = notes.front().at_ms;
    to_ = std::max(notes.back().at_ms, from_ + 1);
  }

  std::string svg() const {
    std::string out = "<svg viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                      "\" role=\"img\" aria-label=\"Risk in points from " + moment_text(from_) + " to " +
                      moment_text(to_) + "\">";
    out += svg_risk_band("low", 0, core::medium_risk_points) +
           svg_risk_band("medium", core::medium_risk_points, core::high_risk_points) +
           svg_risk_band("high", core::high_risk_points, top_);
    for (const std::int64_t mark : {std::int64_t{0}, std::int64_t{core::medium_risk_points},
                                    std::int64_t{core::high_risk_points}, top_})
      out += label(left - 6, y(mark) + 4, "end", std::to_string(mark));
    out += label(left, height - 6, "start", moment_text(from_));
    if (notes_.size() > 1) out += label(width - right, height - 6, "end", moment_text(to_));
    return out + curve() + dots() + "</svg>";
  }

 private:
  static constexpr std::int64_t width = 720, height = 240, left = 36, right = 12, above = 10, below = 28;

  std::int64_t x(std::int64_t at_ms) const {
    const double part = static_cast<double>(at_ms - from_) / static_cast<double>(to_ - from_);
    return left + static_cast<std::int64_t>(part * (width - left - right));
  }
  std::int64_t y(std::int64_t points) const {
    points = std::clamp<std::int64_t>(points, 0, top_);
    return height - below - points * (height - above - below) / top_;
  }
  std::string svg_risk_band(std::string_view name, std::int64_t from, std::int64_t to) const {
    const std::int64_t top = y(to), bottom = y(from);
    return "<rect class=\"band-" + std::string(name) + "\" x=\"" + std::to_string(left) + "\" y=\"" +
           std::to_string(top) + "\" width=\"" + std::to_string(width - left - right) + "\" height=\"" +
           std::to_string(bottom - top) + "\"/>";
  }
  static std::string label(std::int64_t x, std::int64_t y, std::string_view anchor, std::string_view text) {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" +
           std::string(anchor) + "\">" + std::string(text) + "</text>";
  }
  // Returns the curve. Of several points in one column, it has the highest and the last.
  std::string curve() const {
    std::string path;
    std::int64_t column = -1, last = 0;
    const auto go = [&](char how, std::int64_t to) { path += how + std::to_string(to); };
    for (std::size_t i = 0; i < notes_.size();) {
      const std::int64_t at = x(notes_[i].at_ms);
      std::int64_t highest = notes_[i].points;
      for (; i < notes_.size() && x(notes_[i].at_ms) == at; ++i) {
        highest = std::max(highest, notes_[i].points);
        last = notes_[i].points;
      }
      if (column < 0)
        path = "M" + std::to_string(at) + " " + std::to_string(y(highest));
      else
        go('H', at), go('V', y(highest));
      go('V', y(last));
      column = at;
    }
    return "<path class=\"curve\" d=\"" + path + "\"/>";
  }
  std::string dots() const {
    if (notes_.size() > dots_max) return {};
    std::string out;
    for (const core::RiskNote& each : notes_)
      out += "<circle class=\"dot\" r=\"3\" cx=\"" + std::to_string(x(each.at_ms)) + "\" cy=\"" +
             std::to_string(y(each.points)) + "\"><title>" + moment_text(each.at_ms) + ": " +
             std::to_string(each.points) + " points (" + std::string(text(each.level)) + "), " +
             core::count_with_noun(each.dirty, "uncommitted file") + ", " + std::to_string(each.protection) +
             "% protected</title></circle>";
    return out;
  }

  const std::vector<core::RiskNote>& notes_;
  std::int64_t top_ = core::high_risk_points + 2;
  std::int64_t from_ = 0, to_ = 1;
};

std::string risk(const History& history) {
  if (history.risk_notes.empty())
    return "<p class=\"dim\">No risk was measured yet. It is when a task starts, and with every answer of "
           "the "
           "snapback tools.</p>";
  const std::size_t count = history.risk_notes.size();
  return "<div id=\"risk\">" + RiskChart(history.risk_notes).svg() + "</div><p class=\"dim\">Measured " +
         core::count_with_noun(static_cast<std::int64_t>(count), "time") + "; medium from " +
         std::to_string(core::medium_risk_points) + " points, high from " +
         std::to_string(core::high_risk_points) + ".</p>";
}

std::string checks(const History& history) {
  struct Sum {
    std::int64_t passed = 0, failed = 0;
    const HistoryEvent* last = nullptr;
  };
  std::map<std::string, std::string> titles;
  std::map<std::string, Sum> sums;
  std::vector<std::string> order;  // The modes of checks; the one with the latest check is first.
  for (const HistoryEvent& each : history.events) {
    if (each.kind == EventKind::task) titles.emplace(each.id, each.title);
    if (each.kind != EventKind::check) continue;
    Sum& sum = sums[each.task_id];
    if (!sum.last) {
      sum.last = &each;
      order.push_back(each.task_id);
    }
    if (each.state == "pass") ++sum.passed;
    if (each.state == "fail") ++sum.failed;
  }
  if (order.empty()) return "<p class=\"dim\">No check was run yet.</p>";
  std::string rows;
  for (const std::string& id : order) {
    const Sum& sum = sums[id];
    const auto title = titles.find(id);
    rows += "<tr><td>" +
            (id.empty() ? "<span class=\"dim\">outside of any task</span>"
                        : (title == titles.end() ? "" : text_of(title->second) + " ") + code(id)) +
            "</td><td class=\"number pass\">" + std::to_string(sum.passed) + "</td><td class=\"number" +
            (sum.failed > 0 ? " fail" : "") + "\">" + std::to_string(sum.failed) + "</td><td class=\"" +
            escaped(sum.last->state) + "\">" + escaped(sum.last->state) + ", " +
            moment_text(sum.last->at_ms) + "</td></tr>";
  }
  return "<div class=\"wide\"><table id=\"checks\"><thead><tr><th>Task</th><th class=\"number\">Passed</th>"
         "<th class=\"number\">Failed</th><th>Last</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

std::string files(const History& history) {
  struct Sum {
    std::int64_t tasks = 0, restores = 0, violations = 0, risks = 0;
    std::int64_t all() const { return tasks + restores + violations + risks; }
  };
  std::map<std::string, Sum> sums;
  std::set<std::string> ended;
  for (const HistoryEvent& event : history.events)
    if (event.kind == EventKind::task && event.state != "started") ended.insert(event.id);
  for (const HistoryEvent& event : history.events) {
    // A task counts once, with the files in the event of its end.
    if (event.kind == EventKind::task && event.state == "started" && ended.contains(event.id)) continue;
    for (const std::string& file : event.files) {
      Sum& sum = sums[file];
      if (event.kind == EventKind::task) ++sum.tasks;
      if (event.kind == EventKind::restore) ++sum.restores;
      if (event.kind == EventKind::violation) ++sum.violations;
      if (event.kind == EventKind::risk) ++sum.risks;
    }
  }
  if (sums.empty()) return "<p class=\"dim\">No task, restore or violation has named a file yet.</p>";
  std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.all() != b.second.all() ? a.second.all() > b.second.all() : a.first < b.first;
  });
  std::string rows;
  const auto cell = [](std::int64_t value) {
    return "<td class=\"number\">" + std::to_string(value) + "</td>";
  };
  for (std::size_t i = 0; i < std::min(sorted.size(), files_shown_max); ++i) {
    const auto& [file, sum] = sorted[i];
    rows += "<tr><td>" + code(file) + "</td>" + cell(sum.tasks) + cell(sum.restores) + cell(sum.violations) +
            cell(sum.risks) + "</tr>";
  }
  std::string more;
  if (sorted.size() > files_shown_max)
    more = "<p class=\"dim\">" + std::to_string(sorted.size() - files_shown_max) +
           " more files are not shown.</p>";
  return "<div class=\"wide\"><table id=\"files\"><thead><tr><th>File</th><th class=\"number\">Tasks</th>"
         "<th class=\"number\">Restores</th><th class=\"number\">Violations</th>"
         "<th class=\"number\">Acknowledged risks</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>" + more;
}

std::string event_file_list(const HistoryEvent& event) {
  std::string out;
  const std::size_t shown = std::min(event.files.size(), files_of_event_max);
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + code(event.files[i]);
  const auto rest = event.file_count - static_cast<std::int64_t>(shown);
  if (shown > 0 && rest > 0) out += " and " + std::to_string(rest) + " more";
  return out.empty() ? out : " <span class=\"dim\">" + out + "</span>";
}

std::string state_of(const HistoryEvent& event) {
  return "<span class=\"" + escaped(event.state) + "\">" + escaped(event.state) + "</span>";
}

std::string event_details(const HistoryEvent& event) {
  switch (event.kind) {
    case EventKind::snapshot:
      return code(core::short_snapshot_id(event.id)) + " " + text_of(core::titled(event)) +
             " <span class=\"dim\">" + core::count_with_noun(event.file_count, "file") + "</span>";
    case EventKind::task:
      return state_of(event) + ": " + text_of(core::titled(event)) +
             (event.state == "started" ? std::string()
              : !event.changes_were_counted
                  ? std::string(" <span class=\"dim\">its changes were not counted</span>")
                  : " <span class=\"dim\">+" + std::to_string(event.added_lines) + "/-" +
                        std::to_string(event.removed_lines) + " lines in " +
                        core::count_with_noun(event.file_count, "file") + "</span>") +
             event_file_list(event);
    case EventKind::check:
      return state_of(event) + ": " + text_of(event.title) + " <span class=\"dim\">" +
             core::count_with_noun(event.errors, "error") + ", " +
             core::count_with_noun(event.warnings, "warning") +
             (event.tests.all() > 0 ? ", " + std::to_string(event.tests.passed) + " of " +
                                          core::count_with_noun(event.tests.all(), "test") + " passed"
                                    : std::string()) +
             "</span>";
    case EventKind::restore:
      return core::count_with_noun(event.file_count - event.deleted_file_count, "file") + " back to " +
             code(core::short_snapshot_id(event.snapshot_id)) +
             (event.deleted_file_count > 0 ? ", " + std::to_string(event.deleted_file_count) + " removed"
                                           : std::string()) +
             event_file_list(event);
    case EventKind::risk:
      return state_of(event) + " risk acknowledged: " + text_of(event.title) + event_file_list(event);
    case EventKind::learning: return text_of(event.title);
    case EventKind::violation: break;
  }
  return code(event.id) + " " + text_of(event.title) + event_file_list(event);
}

std::string timeline(const History& history) {
  if (history.events.empty()) return "<p class=\"dim\">Nothing has happened here yet.</p>";
  std::string out, day;
  const std::size_t shown = std::min(history.events.size(), events_shown_max);
  for (std::size_t i = 0; i < shown; ++i) {
    const HistoryEvent& event = history.events[i];
    if (day != day_of(event.at_ms)) {
      out += day.empty() ? "" : "</ol></div>";
      day = day_of(event.at_ms);
      out += "<div class=\"day\"><h3>" + day + "</h3><ol class=\"timeline\">";
    }
    out += "<li data-kind=\"" + std::string(text(event.kind)) + "\"><time datetime=\"" +
           core::iso_time(event.at_ms) + "\">" + clock_of(event.at_ms) + "</time><span>" +
           std::string(text(event.kind)) + "</span><span class=\"what\">" + event_details(event) +
           "</span></li>\n";
  }
  out += "</ol></div>";
  if (history.events.size() > shown)
    out += "<p class=\"dim\">" + std::to_string(history.events.size() - shown) +
           " earlier events are not shown.</p>";
  return out;
}

}  // namespace

std::string report_page(const History& history, std::string_view name) {
  const std::string unread = core::unread_sentence(history.unread_sources);
  std::string span = "Nothing has happened here yet.";
  if (!history.events.empty())
    span = "From " + moment_text(history.events.back().at_ms) + " to " +
           moment_text(history.events.front().at_ms);
  return filled_template(report_assets::report_html,
                         {{"name", escaped(name)},
                          {"style", std::string(report_assets::report_css)},
                          {"script", std::string(report_assets::report_js)},
                          {"style_hash", source_hash(report_assets::report_css)},
                          {"script_hash", source_hash(report_assets::report_js)},
                          {"span", span},
                          {"unread", unread.empty() ? "" : "<p class=\"notice\">" + escaped(unread) + "</p>"},
                          {"figures", figures(history)},
                          {"risk", risk(history)},
                          {"checks", checks(history)},
                          {"files", files(history)},
                          {"timeline", timeline(history)},
                          {"version", SNAPGEN_VERSION}});
}

}  // namespace snapgen::tools

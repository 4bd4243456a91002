#include "tools/app/work_history.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/base/enum_cast.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/workspace/work_trees.h"

namespace snapgen::tools {
namespace {

using core::EventKind;

constexpr std::size_t events_max = 5000;
constexpr std::size_t risks_max = 5000;
constexpr std::size_t files_of_event_max = 100;

// Returns the value unless it is empty.
template <class T>
std::optional<T> if_any(const T& value) {
  if (value.empty()) return std::nullopt;
  return value;
}

WorkRisk work_risk_of(const core::RiskNote& note) {
  return {.at = core::iso_time(note.at_ms),
          .dirty = note.dirty,
          .level = enum_cast<WorkRiskLevel>(note.level),
          .points = note.points,
          .protection = note.protection};
}

}  // namespace

Result<core::History> read_work_history(const std::string& workspace) {
  core::Repository repository = TRY(core::Repository::open(workspace));
  const std::string store = core::store_folder_of(repository, workspace);
  const core::WorkspaceLocation location = core::workspace_location(repository, workspace, store);
  const std::string tree = core::tree_folder(store, location);
  return core::read_history(core::record_folders(store, location, tree), store,
                            core::snapshot_origin_of(location, tree));
}

WorkEvent work_event_of(const core::HistoryEvent& event) {
  WorkEvent out;
  out.at = core::iso_time(event.at_ms);
  if (event.kind == EventKind::task && event.state != "started" && event.changes_were_counted) {
    out.added_lines = event.added_lines;
    out.removed_lines = event.removed_lines;
  }
  if (event.kind == EventKind::snapshot) out.bytes = event.bytes;
  if (event.kind == EventKind::check) {
    out.errors = event.errors;
    out.warnings = event.warnings;
    if (event.tests.all() > 0) {
      out.tests_failed = event.tests.failed;
      out.tests_passed = event.tests.passed;
      out.tests_skipped = event.tests.skipped;
    }
  }
  if (event.kind != EventKind::check && event.kind != EventKind::learning && event.changes_were_counted)
    out.file_count = event.file_count;
  out.files = if_any(event.files);
  out.id = if_any(event.id);
  out.kind = enum_cast<WorkEventKind>(event.kind);
  if (event.kind == EventKind::risk) out.points = event.points;
  out.removed = if_any(event.deleted_files);
  if (event.deleted_file_count > 0) out.removed_count = event.deleted_file_count;
  out.safety_snapshot_id = if_any(event.safety_snapshot_id);
  out.snapshot_id = if_any(event.snapshot_id);
  out.state = if_any(event.state);
  out.task_id = if_any(event.task_id);
  out.title = if_any(event.title);
  out.work_tree = if_any(event.other_tree);
  return out;
}

Work work_of(core::History history) {
  Work out;
  out.high_risk_points = core::high_risk_points;
  out.medium_risk_points = core::medium_risk_points;
  if (history.events.size() > events_max) {
    out.event_count = static_cast<std::int64_t>(history.events.size());
    history.events.resize(events_max);
  }
  for (core::HistoryEvent& each : history.events) {
    each.files.resize(std::min(each.files.size(), files_of_event_max));
    each.deleted_files.resize(std::min(each.deleted_files.size(), files_of_event_max));
    out.events.push_back(work_event_of(each));
  }
  const std::vector<core::RiskNote>& notes = history.risk_notes;
  for (std::size_t i = notes.size() - std::min(notes.size(), risks_max); i < notes.size(); ++i)
    out.risks.push_back(work_risk_of(notes[i]));
  out.unread = if_any(core::unread_sentence(history.unread_sources));
  return out;
}

}  // namespace snapgen::tools

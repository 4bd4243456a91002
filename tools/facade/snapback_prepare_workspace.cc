#include "schemas/facade/snapback_prepare_workspace.h"

#include <algorithm>

#include "runtime/json/writer.h"
#include "schemas/facade/snapback_context.h"
#include "schemas/facade/snapback_session.h"
#include "schemas/tool_names.h"
#include "tools/app/next_actions.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/protection.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/facade/context_file.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using Indicator = SnapbackPrepareWorkspaceOutputDataProtectionIndicator;
using Pulse = SnapbackPrepareWorkspaceOutputDataVitalsPulse;
using Temperature = SnapbackPrepareWorkspaceOutputDataVitalsTemperature;

// The protection in percent: above 70 is green, from 40 to 70 yellow, below 40 red. Below 70, the answer
// advises a snapshot.
constexpr std::int64_t green_above = 70;
constexpr std::int64_t yellow_from = 40;
constexpr std::int64_t advised_below = 70;
constexpr std::size_t learning_bytes_max = 160;  // A longer learning is shown in part.

Indicator indicator_of(std::int64_t score) {
  // Named after the bytes of the symbols: green, yellow and red.
  if (score > green_above) return Indicator::f09f9fa2;
  return score >= yellow_from ? Indicator::f09f9fa1 : Indicator::f09f94b4;
}

Temperature temperature_of(core::RiskLevel level) {
  switch (level) {
    case core::RiskLevel::low: return Temperature::cool;
    case core::RiskLevel::medium: return Temperature::warm;
    case core::RiskLevel::high: break;
  }
  return Temperature::hot;
}

Pulse pulse_of(std::int64_t dirty) {
  constexpr std::int64_t steady_max = 10, elevated_max = 50;
  if (dirty == 0) return Pulse::resting;
  if (dirty <= steady_max) return Pulse::steady;
  return dirty <= elevated_max ? Pulse::elevated : Pulse::racing;
}

// Returns sentences such as "2 of 3 files are neither committed nor in a snapshot, such as a.txt.". The
// second number also counts the files that cannot be read, as the percentage does.
// `has_missing` is true if some of the named files do not exist, which then count for nothing.
std::string protection_sentence(const core::Protection& protection, bool has_missing) {
  const std::string omitted = core::omitted_sentence(protection);
  const std::int64_t unprotected = protection.uncovered_count() + protection.submodule_count;
  if (unprotected == 0 && omitted.empty())
    return protection.count() == 0 ? "There is nothing to protect yet."
           : has_missing           ? "All changed and named files that exist are committed or in a snapshot."
                                   : "All changed and named files are committed or in a snapshot.";
  if (unprotected == 0)
    return omitted + (protection.covered_count == 0
                          ? ""
                          : " All other changed and named files are committed or in a snapshot.");
  const std::string first =
      protection.uncovered.empty() ? "" : ", such as " + core::path_in_sentence(protection.uncovered.front());
  std::string all = count_with_noun(protection.count(), "file");
  if (protection.submodule_count > 0 && protection.file_count > 0) all += " and nested repositories";
  if (protection.file_count == 0)
    all = protection.count() == 1 ? "1 nested repository"
                                  : std::to_string(protection.count()) + " nested repositories";
  return std::to_string(unprotected) + " of " + all + (unprotected == 1 ? " is" : " are") +
         " neither committed nor in a snapshot" + first + "." + with_leading_space(omitted);
}

// Returns the files whose risk was measured: the named and the uncommitted ones. Nullopt if these are only
// the uncommitted ones, or too many to name.
std::optional<std::vector<std::string>> measured_files(std::vector<std::string> named,
                                                       const std::vector<std::string>& dirty) {
  constexpr std::size_t named_max = 50;
  std::erase_if(named, [&](const std::string& path) { return std::ranges::binary_search(dirty, path); });
  if (named.empty() || named.size() + dirty.size() > named_max) return std::nullopt;
  named.insert(named.end(), dirty.begin(), dirty.end());
  return texts_of_paths(named);
}

// `context` is the result of read_context().
std::string guidance_of(const App& app, const MeasuredWork& now,
                        const SnapbackPrepareWorkspaceOutputData& data,
                        const Result<ProjectContext>& context) {
  std::string text =
      risk_sentence(now.work_status.risk) + with_leading_space(missing_sentence(now.work_status));
  text += now.work_status.dirty.empty()
              ? " Nothing is uncommitted."
              : " " + count_with_noun(now.work_status.dirty_count(), "file") + " uncommitted.";
  text += " " + data.snapshot_advice.reason;
  if (context) text += with_leading_space(now.stale_context);
  if (!context && context.error().code != ErrorCode::not_found) text += " " + context.error().message;
  if (data.context_status.blocker_count > 0)
    text += " " + count_with_noun(data.context_status.blocker_count, "blocker") + " to resolve first.";
  if (!now.work_status.recalled.learnings.empty()) {
    const core::Learning& one = now.work_status.recalled.learnings.front().learning;
    const std::string words = one.trigger.empty() ? one.action : one.trigger + ": " + one.action;
    const std::string session = callable_name(app, tool_names::snapback_session);
    const bool is_cut = words.size() > learning_bytes_max;
    text += " Earlier learning" +
            (is_cut && !session.empty() ? " (whole text: " + session + ", op start)" : std::string()) + ": " +
            shortened(words, learning_bytes_max) + ".";
  }
  return text;
}

Result<mcp::Summarized<SnapbackPrepareWorkspaceOutput>> prepare_workspace(
    App& app, const SnapbackPrepareWorkspaceInput& in, const std::stop_token& stop) {
  std::vector<std::string> files = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  const std::string words = in.task_description.value_or("");
  MeasuredWork now = TRY(measure_with_files(services, files, words, stop));
  const core::Protection& protection = now.work_status.protection;
  const core::Risk& risk = now.work_status.risk;
  SnapbackPrepareWorkspaceOutputData data;
  data.protection_score = protection.percent();
  data.protection_indicator = indicator_of(data.protection_score);
  data.context_status.valid = now.health.context_valid;
  Result<ProjectContext> context = read_context(root_of(services.workspace).folder());
  if (context) data.context_status.phase = context->phase.value_or("");
  const std::vector<Blocker> blockers =
      TRY(blockers_of(services, context ? *context : ProjectContext(), now.work_status.dirty, stop));
  data.context_status.blocker_count = static_cast<std::int64_t>(blockers.size());
  data.vitals = {.oxygen = data.protection_score,
                 .pressure = std::min<std::int64_t>(100, risk.points * 100 / core::high_risk_points),
                 .pulse = pulse_of(now.work_status.dirty_count()),
                 .temperature = temperature_of(risk.level)};
  if (!now.work_status.missing.empty()) data.missing_files = texts_of_paths(now.work_status.missing);
  auto& advice = data.snapshot_advice;
  const auto is_named = [&](const std::string& path) {
    return std::find(files.begin(), files.end(), path) != files.end();
  };
  const bool can_protect = !protection.uncovered.empty();
  advice.recommended = (can_protect && data.protection_score < advised_below) ||
                       std::any_of(protection.uncovered.begin(), protection.uncovered.end(), is_named);
  advice.suggested_files = texts_of_paths(protection.uncovered);
  advice.reason = protection_sentence(protection, !now.work_status.missing.empty());
  data.guidance = guidance_of(app, now, data, context);

  NextActions actions(app);
  if (advice.recommended) propose_snapshot(actions, protection, "before work begins", 0.95, advice.reason);
  if (!now.task)
    actions.add(
        words.empty()
            ? session_start(app, files)
            : SnapbackSessionInput{.op = SessionOp::start, .files = in.files, .task = std::string(words)},
        0.9, "It takes a snapshot of the workspace, which " + name_of_restore_tool(app) + " can restore.");
  else
    actions.add(SnapbackSessionInput{.op = SessionOp::recommendations}, 0.6,
                "A session is open. See its recommendations.");
  if (!context && context.error().code == ErrorCode::not_found)
    actions.add(SnapbackContextInput{.op = ContextOp::init}, 0.3, "The project has no context yet.");
  else if (!context)
    actions.add(SnapbackContextInput{.op = ContextOp::validate}, 0.5, "context.json is wrong.",
                "after the file was corrected");
  else if (!data.context_status.valid)
    actions.add(SnapbackContextInput{.op = ContextOp::build}, 0.5, now.stale_context);
  if (data.context_status.blocker_count > 0)
    actions.add(SnapbackContextInput{.op = ContextOp::blockers}, 0.7, "See what blocks the project.");
  if (risk.level == core::RiskLevel::high)
    propose_acknowledgement(actions, measured_files(files, now.work_status.dirty), 0.4);
  std::string summary = std::string(text(data.protection_indicator)) + " " +
                        std::to_string(data.protection_score) + "% protected. " + data.guidance;
  return answer<SnapbackPrepareWorkspaceOutput>(std::move(data), now.health, std::move(actions),
                                                std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackPrepareWorkspaceOutput>> snapback_prepare_workspace(
    App& app, mcp::Call& call, const SnapbackPrepareWorkspaceInput& in) {
  return run_on_pool(app, call, in, prepare_workspace);
}

}  // namespace snapgen::tools

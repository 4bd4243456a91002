#include "schemas/facade/snapback_analyze.h"

#include "runtime/json/writer.h"
#include "schemas/facade/package_finding.h"
#include "tools/core/look/look.h"
#include "tools/core/package/package.h"
#include "tools/core/path/path.h"
#include "tools/facade/common.h"

namespace snapgen::tools {
namespace {

using Input = SnapbackAnalyzeInput;
using Output = SnapbackAnalyzeOutput;
using Data = SnapbackAnalyzeOutputData;
using Package = SnapbackAnalyzeOutputDataPackagesItem;
using Answer = mcp::Summarized<Output>;

constexpr std::size_t packages_shown_max = 100;

Result<Answer> risk(App& app, const Input& in, const std::stop_token& stop) {
  Result<std::vector<std::string>> files = core::paths_of_texts(in.files);
  if (!files) return std::move(files).error();
  Result<core::Workplace> place = app.workplace();
  if (!place) return std::move(place).error();
  Result<Measured> now = measured(*place, *files, in.task.value_or(""), stop);
  if (!now) return std::move(now).error();
  const core::Risk& found = now->standing.risk;
  Data data;
  data.type = SnapbackAnalyzeOutputDataType::risk;
  data.risk_level = level_of(found.level);
  data.risk_score = found.points;
  data.reasons = shown(found.reasons);
  data.unprotected = shown_paths(now->standing.protection.uncovered);
  data.learnings = shown(now->standing.memory.learnings);
  NextActions actions(app);
  if (now->standing.protection.percent() < 100)
    actions.add("snapback.snapshot_create", "{\"reason\":\"before a risky change\"}", 0.9,
                "Some of the files are kept in no snapshot.");
  if (!now->task)
    actions.add("snapback.session", "{\"op\":\"start\",\"task\":\"work in this workspace\"}", 0.8,
                "A session keeps a snapshot to go back to.");
  if (found.level == core::RiskLevel::high)
    actions.add("snapback.acknowledge_risk", "{\"reason\":\"the user knows of the risk and wants to go on\"}",
                0.5, "The risk is high.", "after the user has agreed");
  std::string summary = risk_sentence(found) + " " + std::to_string(now->standing.protection.percent()) +
                        "% of the files are kept in a snapshot.";
  return answer<Output>(std::move(data), now->health, std::move(actions), std::move(summary));
}

template <class Text>
void set(std::optional<Text>& member, std::string text) {
  if (!text.empty()) member = std::move(text);
}

Package shown(core::PackageReport report) {
  Package package;
  package.name = std::move(report.name);
  set(package.declared, std::move(report.declared));
  set(package.installed, std::move(report.installed));
  set(package.licence, std::move(report.licence));
  set(package.locked, std::move(report.locked));
  set(package.source, std::move(report.source));
  if (!report.install_scripts.empty()) package.install_scripts = std::move(report.install_scripts);
  for (core::PackageNote& each : report.notes)
    package.findings.push_back({.code = static_cast<PackageFindingCode>(each.issue),
                                .message = std::move(each.message),
                                .severity = static_cast<PackageFindingSeverity>(each.severity)});
  return package;
}

Result<Answer> package(App& app, const Input& in, const std::stop_token& stop) {
  core::PackageQuery query{.folder = {}, .name = in.package, .version = in.version};
  if (in.folder) {
    Result<std::string> folder = core::path_from_text(*in.folder);
    if (!folder) return std::move(folder).error();
    query.folder = *std::move(folder);
  }
  Result<core::Workplace> place = app.workplace();
  if (!place) return std::move(place).error();
  Result<core::PackageAnswer> found = core::look_at_packages(place->substrate.root(), query);
  if (!found) return std::move(found).error();
  Data data;
  data.type = SnapbackAnalyzeOutputDataType::package;
  set(data.manifest, found->manifest);
  set(data.lock_file, found->lock_file);
  data.packages_total = static_cast<std::int64_t>(found->packages.size());
  data.packages.emplace();
  std::int64_t grave = 0, notable = 0;
  for (core::PackageReport& each : found->packages) {
    for (const core::PackageNote& note : each.notes) {
      grave += note.severity == core::PackageSeverity::error ? 1 : 0;
      notable += note.severity == core::PackageSeverity::warning ? 1 : 0;
    }
    if (data.packages->size() < packages_shown_max) data.packages->push_back(shown(std::move(each)));
  }
  Result<Measured> now = measured(*place, {}, {}, stop);
  if (!now) return std::move(now).error();
  NextActions actions(app);
  if (in.package && grave == 0)
    actions.add("snapback.session",
                "{\"op\":\"start\",\"task\":" + json::quoted("add the package " + *in.package) + "}", 0.4,
                "A session keeps a snapshot to go back to.", "before it is installed");
  if (in.package && grave > 0)
    actions.add("snapback.analyze", "{\"type\":\"package\"}", 0.6, "See what the manifest declares.");
  std::string summary = counted(*data.packages_total, "package") + " looked at: " + counted(grave, "error") +
                        ", " + counted(notable, "warning") + ".";
  if (!data.packages->empty() && !data.packages->front().findings.empty() && grave + notable > 0)
    summary += " " + data.packages->front().name + ": " + data.packages->front().findings.front().message;
  return answer<Output>(std::move(data), now->health, std::move(actions), std::move(summary));
}

Result<Answer> run(App& app, const Input& in, const std::stop_token& stop) {
  if (in.type == SnapbackAnalyzeInputType::risk) return risk(app, in, stop);
  return package(app, in, stop);
}

}  // namespace

Task<mcp::Summarized<SnapbackAnalyzeOutput>> snapback_analyze(App& app, mcp::Call& call,
                                                              const SnapbackAnalyzeInput& in) {
  auto job = [&] { return run(app, in, call.stop()); };
  Result<Answer> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools

#include "schemas/facade/snapback_analyze.h"

#include <algorithm>
#include <cctype>

#include "runtime/base/enum_cast.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/api/validate_package.h"
#include "schemas/facade/package_finding.h"
#include "schemas/facade/snapback_session.h"
#include "tools/app/api.h"
#include "tools/engine/files/path.h"
#include "tools/engine/operations/protection.h"
#include "tools/engine/read/observe.h"
#include "tools/engine/search/globs.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/insight/package/package.h"
#include "tools/work/static_checks/static_checks.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

using DataService = SnapbackAnalyzeOutputDataService;
using Package = SnapbackAnalyzeOutputDataPackagesItem;
using PackageEcosystem = SnapbackAnalyzeOutputDataPackagesItemEcosystem;
using AskedPackage = ValidatePackagesPackagesItem;
using PackageVerdict = PackageVerdictsPackagesItem;
using ServiceFinding = PackageVerdictsPackagesItemFindingsItem;
using AnalyzeAnswer = mcp::Summarized<SnapbackAnalyzeOutput>;

constexpr std::size_t packages_shown_max = 100;

// Returns words such as ", 31 are not, of which 5 are listed"; empty if all unprotected files are listed.
std::string uncovered_words(const core::Protection& protection) {
  const std::int64_t unprotected = protection.uncovered_count();
  const auto listed = static_cast<std::int64_t>(protection.uncovered.size());
  if (unprotected == listed) return {};
  return ", " + std::to_string(unprotected) + " are not, of which " + std::to_string(listed) + " are listed";
}

// Says what was measured if no file has a content: nothing, or files that are deleted.
std::string sentence_without_content(const std::vector<std::string>& measured) {
  if (measured.empty()) return "Nothing is changed, and no file was named.";
  const std::string first = core::path_in_sentence(measured.front());
  if (measured.size() == 1) return "The deletion of " + first + " is not committed.";
  return std::to_string(measured.size()) + " deletions are not committed, such as that of " + first + ".";
}

Result<AnalyzeAnswer> analyze_risk(App& app, const SnapbackAnalyzeInput& in, const std::stop_token& stop) {
  std::vector<std::string> files = TRY(core::paths_of_texts(in.files));
  core::WorkspaceServices services = TRY(app.services());
  MeasuredWork now = TRY(measure_only_files(services, files, in.task.value_or(""), stop));
  const core::Risk& found = now.work_status.risk;
  SnapbackAnalyzeOutputData data;
  data.type = SnapbackAnalyzeOutputDataType::risk;
  const std::vector<std::string>& missing = now.work_status.missing;
  const bool is_measured = files.empty() || std::any_of(files.begin(), files.end(), [&](const auto& each) {
                             return std::find(missing.begin(), missing.end(), each) == missing.end();
                           });
  if (!missing.empty()) data.missing = texts_of_paths(missing);
  if (is_measured) {
    data.risk_level = enum_cast<RiskLevel>(found.level);
    data.risk_score = found.points;
  }
  data.reasons = to_schema(found.reasons);
  data.unprotected = texts_of_paths(now.work_status.protection.uncovered);
  data.learnings = to_schema(now.work_status.recalled.learnings);
  NextActions actions(app);
  propose_snapshot(actions, now.work_status.protection, "before a change", 0.9,
                   "Some of the files are neither committed nor in a snapshot.");
  if (!now.task) actions.add(session_start(app, files), 0.8, "A session has a snapshot to restore.");
  if (found.level == core::RiskLevel::high) propose_acknowledgement(actions, in.files, 0.5);
  const core::Protection& protection = now.work_status.protection;
  std::string summary = missing_sentence(now.work_status);
  if (is_measured && protection.count() == 0)
    summary = risk_sentence(found) + with_leading_space(summary) + " " +
              sentence_without_content(now.work_status.measured);
  else if (is_measured)
    summary = risk_sentence(found) + with_leading_space(summary) + " " +
              std::to_string(protection.percent()) + "% of the files " +
              (protection.submodule_count > 0 ? "and nested repositories " : "") +
              "are committed or in a snapshot" + uncovered_words(protection) + "." +
              with_leading_space(core::omitted_sentence(protection));
  summary += with_leading_space(core::unreadable_lines_sentence(now.work_status.recalled.unreadable_lines));
  return answer<SnapbackAnalyzeOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

template <class Text>
void set(std::optional<Text>& member, std::string text) {
  if (!text.empty()) member = std::move(text);
}

Package package_of(core::PackageReport report) {
  Package package;
  package.name = std::move(report.name);
  if (report.ecosystem) package.ecosystem = enum_cast<PackageEcosystem>(*report.ecosystem);
  set(package.declared, std::move(report.declared));
  set(package.installed, std::move(report.installed));
  set(package.licence, std::move(report.licence));
  set(package.locked, std::move(report.locked));
  set(package.source, std::move(report.source));
  if (!report.install_scripts.empty()) package.install_scripts = std::move(report.install_scripts);
  for (core::PackageNote& each : report.notes)
    package.findings.push_back({.code = enum_cast<PackageFindingCode>(each.issue),
                                .message = std::move(each.message),
                                .severity = enum_cast<PackageFindingSeverity>(each.severity)});
  return package;
}

// Returns the call that analyzes the same packages in another folder.
SnapbackAnalyzeInput packages_in(const SnapbackAnalyzeInput& in, std::string_view folder) {
  SnapbackAnalyzeInput call{
      .type = SnapbackAnalyzeInputType::package, .package = in.package, .version = in.version};
  if (!folder.empty()) call.folder = core::text_of_path(folder);
  return call;
}

// Returns some manifests in the workspace that can be read, those in the highest folders first.
std::vector<std::string> readable_manifests(core::Workspace& workspace, const std::stop_token& stop) {
  constexpr std::size_t examined_max = 100;
  std::vector<std::string> found;
  const Result<core::LiveFiles> live = files_of(workspace, stop);
  if (!live) return found;
  const core::FileList& files = *live->files;
  for (std::size_t i = 0; i < files.size() && found.size() < examined_max; ++i)
    if (core::is_manifest_file_name(core::base_name(files.path(i)))) found.emplace_back(files.path(i));
  std::erase_if(found, [&](const std::string& path) { return !root_of(workspace).open_file(path); });
  std::ranges::stable_sort(found, {}, [](const std::string& path) { return std::ranges::count(path, '/'); });
  return found;
}

// Returns the folder of a manifest that declares the package, other than the folder that was analyzed;
// nullopt if none was found.
std::optional<std::string> other_folder_that_declares(core::Workspace& workspace,
                                                      const SnapbackAnalyzeInput& in,
                                                      const std::stop_token& stop) {
  const Result<std::string> own = core::path_from_text(in.folder.value_or(""));
  for (const std::string& path : readable_manifests(workspace, stop)) {
    const std::string folder(core::parent_path(path));
    if (own && folder == *own) continue;
    Result<core::OpenedPath> file = root_of(workspace).open_file(path);
    std::string text;
    // Only a manifest that contains the name is parsed, because its lock file is parsed, too.
    if (!file || !core::read_stable_content(*file, text) || text.find(*in.package) == std::string::npos)
      continue;
    const Result<core::PackageAnswer> found =
        core::inspect_packages(root_of(workspace), {.folder = folder, .name = in.package, .version = {}});
    const auto is_declared = [](const core::PackageReport& report) {
      return std::ranges::none_of(report.notes, [](const core::PackageNote& note) {
        return note.issue == core::PackageIssue::undeclared;
      });
    };
    if (found && std::ranges::any_of(found->packages, is_declared)) return folder;
  }
  return std::nullopt;
}

// Adds a manifest of the workspaces, or one below a folder that declares no package, to the summary, and
// proposes to analyze it.
void add_inner_manifest(NextActions& actions, core::Workspace& workspace, const SnapbackAnalyzeInput& in,
                        const core::PackageAnswer& answer, std::string& summary,
                        const std::stop_token& stop) {
  constexpr int parsed_max = 10;
  if (in.package || (answer.workspace_globs.empty() && !answer.packages.empty())) return;
  const Result<core::Globs> workspaces = core::Globs::parse(answer.workspace_globs);
  std::string own;
  if (const Result<std::string> folder = core::path_from_text(in.folder.value_or("."))) own = *folder;
  int parsed = 0;
  for (const std::string& path : readable_manifests(workspace, stop)) {
    const std::string folder(core::parent_path(path));
    if (folder == own || !core::is_at_or_below_folder(folder, own)) continue;
    const bool is_workspace = !answer.workspace_globs.empty() && workspaces && workspaces->selects(folder) &&
                              core::base_name(path) == "package.json";
    if (!is_workspace && !answer.packages.empty()) continue;
    const Result<core::PackageAnswer> inner =
        core::inspect_packages(root_of(workspace), {.folder = folder, .name = {}, .version = {}});
    if (inner && !inner->packages.empty()) {
      summary += (is_workspace ? " Its workspaces have their own manifests, such as "
                               : " There are manifests in other folders, such as ") +
                 core::path_in_sentence(path) + ": pass their folder.";
      actions.add(packages_in(in, folder), 0.7,
                  "Analyze the packages of " + core::path_in_sentence(path) + ".");
      return;
    }
    if (++parsed == parsed_max) return;
  }
}

// Adds manifests in other folders to an error about a folder without one, and proposes the first of them.
Error with_manifest_hint(App& app, core::Workspace& workspace, const SnapbackAnalyzeInput& in, Error error,
                         const std::stop_token& stop) {
  constexpr std::size_t manifests_named_max = 3;
  if (error.code != ErrorCode::not_found) return error;
  const std::vector<std::string> found = readable_manifests(workspace, stop);
  if (found.empty()) return error;
  error.message += " There are manifests elsewhere, such as ";
  for (std::size_t i = 0; i < std::min(found.size(), manifests_named_max); ++i)
    error.message += (i == 0 ? "" : ", ") + core::path_in_sentence(found[i]);
  error.message += ": pass their folder.";
  NextActions actions(app);
  actions.add(packages_in(in, core::parent_path(found.front())), 0.5,
              "Analyze the packages of " + core::path_in_sentence(found.front()) + ".");
  add_next_actions(error.details, std::move(actions).ranked());
  return error;
}

// Reads the packages on disk. Errors: as core::inspect_packages().
Result<core::PackageAnswer> packages_on_disk(App& app, const SnapbackAnalyzeInput& in,
                                             const std::stop_token& stop) {
  core::PackageQuery query{.folder = {}, .name = in.package, .version = in.version};
  if (in.folder) {
    query.folder = TRY(core::path_from_text(*in.folder));
  }
  core::WorkspaceServices services = TRY(app.services());
  Result<core::PackageAnswer> found = core::inspect_packages(root_of(services.workspace), query);
  if (!found) return with_manifest_hint(app, services.workspace, in, std::move(found).error(), stop);
  return found;
}

// The answer of the web service for packages, if there is one.
struct ServiceAnswer {
  std::optional<DataService> service;
  PackageVerdicts verdicts;
};

bool is_version(std::string_view text) {
  return !text.empty() && text.size() <= 256 && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("+-.").find(c) != std::string_view::npos;
  });
}

// Makes the request to the service. It has only names and plain versions of npm packages from a registry,
// because paths and URLs may be private.
ValidatePackages package_service_request(const core::PackageAnswer& found, const SnapbackAnalyzeInput& in) {
  ValidatePackages question;
  for (const core::PackageReport& each : found.packages) {
    const bool foreign = std::any_of(each.notes.begin(), each.notes.end(), [](const core::PackageNote& note) {
      return note.issue == core::PackageIssue::foreign_source;
    });
    const bool is_npm = each.ecosystem == core::Ecosystem::npm;
    if (foreign || !is_npm || question.packages.size() == packages_shown_max) continue;
    AskedPackage& package = question.packages.emplace_back();
    package.name = each.name;
    for (const std::string& version :
         {in.package ? in.version.value_or("") : "", each.installed, each.locked})
      if (!package.version && is_version(version)) package.version = version;
  }
  return question;
}

// Reads the details of a failed request to the service.
void set_service_error(const ErrorDetails& details, DataService& service) {
  const std::string_view id = details.text("correlation_id");
  if (!id.empty()) service.correlation_id = id;
  service.retry_after_ms = details.number("retry_after_ms");
}

// Asks the web service about the packages. If the service fails, its answer is empty. Errors: cancelled.
Task<ServiceAnswer> ask_service(App& app, mcp::Call& call, const core::PackageAnswer& found,
                                const SnapbackAnalyzeInput& in) {
  ServiceAnswer ask_service;
  const ValidatePackages question = package_service_request(found, in);
  if (!app.api || question.packages.empty()) co_return std::move(ask_service);
  DataService& service = ask_service.service.emplace();
  service.base_url = app.api->base_url();
  Task<PackageVerdicts> asking = app.api->ask(call.loop(), question, call.stop());
  Result<PackageVerdicts> answer = co_await std::move(asking);
  if (!answer && answer.error().code == ErrorCode::cancelled) co_return std::move(answer).error();
  service.asked = bool(answer);
  if (answer) {
    ask_service.verdicts = *std::move(answer);
  } else {
    service.problem = answer.error().message;
    set_service_error(answer.error().details, service);
    // If there is no correlation id, no request was sent, so this is not a warning.
    const Severity severity = service.correlation_id ? Severity::warning : Severity::info;
    app.log.write(severity, answer.error().message + " " + answer.error().cause);
  }
  co_return std::move(ask_service);
}

int rank(PackageFindingSeverity severity) {
  return severity == PackageFindingSeverity::error ? 0 : severity == PackageFindingSeverity::warning ? 1 : 2;
}

// Adds the service's findings to the server's own. The most severe ones are first.
void add(std::vector<Package>& packages, const PackageVerdicts& verdicts) {
  for (const PackageVerdict& verdict : verdicts.packages) {
    for (Package& package : packages) {
      if (package.name != verdict.name) continue;
      for (const ServiceFinding& each : verdict.findings)
        package.findings.push_back({.code = PackageFindingCode::reported,
                                    .message = shortened(each.message, 500),
                                    .reported_as = each.code,
                                    .severity = enum_cast<PackageFindingSeverity>(each.severity)});
      std::stable_sort(package.findings.begin(), package.findings.end(),
                       [](const auto& a, const auto& b) { return rank(a.severity) < rank(b.severity); });
    }
  }
  const auto gravest = [](const Package& each) {
    return each.findings.empty() ? 3 : rank(each.findings.front().severity);
  };
  std::stable_sort(packages.begin(), packages.end(),
                   [&](const Package& a, const Package& b) { return gravest(a) < gravest(b); });
}

// Moves the packages out of `found`.
SnapbackAnalyzeOutputData package_data(core::PackageAnswer& found, ServiceAnswer ask_service) {
  SnapbackAnalyzeOutputData data;
  data.type = SnapbackAnalyzeOutputDataType::package;
  if (!found.manifests.empty()) data.manifest = core::text_of_path(found.manifests.front());
  if (!found.lock_files.empty()) data.lock_file = core::text_of_path(found.lock_files.front());
  data.manifests = texts_of_paths(found.manifests);
  data.lock_files = texts_of_paths(found.lock_files);
  if (!found.problems.empty()) data.problems = found.problems;
  data.packages_total = static_cast<std::int64_t>(found.packages.size());
  data.service = std::move(ask_service.service);
  std::vector<Package>& packages = data.packages.emplace();
  for (core::PackageReport& each : found.packages) packages.push_back(package_of(std::move(each)));
  if (!ask_service.verdicts.packages.empty()) add(packages, ask_service.verdicts);
  return data;
}

// Returns the beginning of the summary about a package that no manifest declares and that is not installed.
std::string undeclared_sentence(const SnapbackAnalyzeInput& in, const core::PackageAnswer& found,
                                const Package& package, const std::string& manifests) {
  const bool is_locked =
      package.locked && !found.lock_files.empty() && (!in.version || package.locked == in.version);
  if (is_locked)
    return *in.package + " is in " + core::path_in_sentence(found.lock_files.front()) +
           ", as a package that others need";
  // Only of npm is it known what is installed.
  const bool is_npm = package.ecosystem == PackageEcosystem::npm &&
                      std::ranges::none_of(found.problems, [&](const std::string& each) {
                        return each.find("node_modules/" + *in.package + "/") != std::string::npos;
                      });
  return *in.package +
         (found.has_unread_manifest ? " may be declared in what could not be read of the " + manifests
          : is_npm                  ? " is neither in the " + manifests + " nor installed"
                                    : " is not in the " + manifests) +
         ", and no registry was asked, so whether " +
         (in.version ? "version " + *in.version + " of it" : "it") + " exists was not checked";
}

Result<AnalyzeAnswer> package_answer(App& app, const SnapbackAnalyzeInput& in, core::PackageAnswer found,
                                     ServiceAnswer ask_service, const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  SnapbackAnalyzeOutputData data = package_data(found, std::move(ask_service));
  std::vector<Package>& packages = *data.packages;
  std::int64_t grave = 0, notable = 0;
  for (const Package& each : packages) {
    for (const PackageFinding& finding : each.findings) {
      grave += finding.severity == PackageFindingSeverity::error ? 1 : 0;
      notable += finding.severity == PackageFindingSeverity::warning ? 1 : 0;
    }
  }
  if (packages.size() > packages_shown_max) packages.resize(packages_shown_max);
  MeasuredWork now = TRY(measure_with_files(services, {}, {}, stop));
  NextActions actions(app);
  const auto is_undeclared_package = [](const Package& each) {
    return std::any_of(each.findings.begin(), each.findings.end(),
                       [](const auto& finding) { return finding.code == PackageFindingCode::undeclared; });
  };
  const bool is_undeclared = in.package && !packages.empty() && is_undeclared_package(packages.front());
  const bool is_all_read = !found.has_unread_manifest;
  const std::optional<std::string> elsewhere =
      is_undeclared ? other_folder_that_declares(services.workspace, in, stop) : std::nullopt;
  const std::string other_folder = !elsewhere           ? std::string()
                                   : elsewhere->empty() ? "the workspace's root"
                                                        : core::path_in_sentence(*elsewhere);
  if (elsewhere)
    actions.add(packages_in(in, *elsewhere), 0.7,
                "Analyze it where it is declared, in " + other_folder + ".");
  if (is_undeclared && grave == 0 && is_all_read && !elsewhere && !now.task)
    actions.add(SnapbackSessionInput{.op = SessionOp::start, .task = "add the package " + *in.package}, 0.4,
                "A session has a snapshot to restore.", "before it is installed");
  if (in.package && grave > 0)
    actions.add(SnapbackAnalyzeInput{.type = SnapbackAnalyzeInputType::package}, 0.6,
                "See what the manifest declares.");
  const std::string manifests =
      count_with_noun(static_cast<std::int64_t>(found.manifests.size()), "manifest");
  std::string summary = count_with_noun(*data.packages_total, "package") + " checked in " +
                        (is_all_read ? "" : "what could be read of ") + manifests + ": " +
                        count_with_noun(grave, "error") + ", " + count_with_noun(notable, "warning") + ".";
  const bool was_asked = data.service && data.service->asked;
  if (is_undeclared && !packages.front().installed && !was_asked) {
    summary = undeclared_sentence(in, found, packages.front(), manifests) + ": " +
              count_with_noun(grave, "error") + ", " + count_with_noun(notable, "warning") + ".";
  }
  if (in.version && !is_undeclared && !was_asked)
    summary += " Whether version " + *in.version + " exists was not checked.";
  if (elsewhere) summary += " A manifest in " + other_folder + " declares it.";
  add_inner_manifest(actions, services.workspace, in, found, summary, stop);
  if (!packages.empty() && !packages.front().findings.empty() && grave + notable > 0)
    summary += " " + packages.front().name + ": " + packages.front().findings.front().message;
  if (!found.problems.empty()) summary += " Not understood: " + found.problems.front();
  if (found.problems.size() > 1)
    summary += " " + count_with_noun(static_cast<std::int64_t>(found.problems.size()) - 1, "more problem") +
               " in data.problems.";
  if (data.service && !data.service->asked) summary += " Checked offline only: " + *data.service->problem;
  return answer<SnapbackAnalyzeOutput>(std::move(data), now.health, std::move(actions), std::move(summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackAnalyzeOutput>> snapback_analyze(App& app, mcp::Call& call,
                                                              const SnapbackAnalyzeInput& in) {
  if (in.type == SnapbackAnalyzeInputType::risk) {
    auto job = [&] { return analyze_risk(app, in, call.stop()); };
    Result<AnalyzeAnswer> outcome = co_await call.offload(job);
    co_return outcome;
  }
  auto looking = [&] { return packages_on_disk(app, in, call.stop()); };
  Result<core::PackageAnswer> looked = co_await call.offload(looking);
  core::PackageAnswer found = co_await looked;
  Task<ServiceAnswer> asking = ask_service(app, call, found, in);
  Result<ServiceAnswer> heard = co_await std::move(asking);
  ServiceAnswer answer = co_await heard;
  auto job = [&] { return package_answer(app, in, std::move(found), std::move(answer), call.stop()); };
  Result<AnalyzeAnswer> outcome = co_await call.offload(job);
  co_return outcome;
}

}  // namespace snapgen::tools

#include "schemas/facade/snapback_context.h"

#include <filesystem>

#include "runtime/json/writer.h"
#include "schemas/facade/snapback_prepare_workspace.h"
#include "schemas/facade/snapback_session.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/facade/common.h"
#include "tools/facade/context_file.h"
#include "tools/work/task/workspace_services.h"

namespace snapgen::tools {
namespace {

struct FoundContext {
  SnapbackContextOutputData data;
  std::string summary;
};

Result<const Constraint*> find(App& app, const ProjectContext& context, const std::string& domain,
                               const std::string& name) {
  std::string known;
  if (context.constraints) {
    for (const auto& [each_domain, limits] : *context.constraints) {
      for (const auto& [each_name, limit] : limits) {
        if (each_domain == domain && each_name == name) return &limit;
        known += (known.empty() ? "" : ", ") + each_domain + "." + each_name;
      }
    }
  }
  NextActions actions(app);
  if (!known.empty())
    actions.add(SnapbackContextInput{.op = ContextOp::status}, 0.8, "It lists the constraints.");
  ErrorDetails more;
  add_next_actions(more, std::move(actions).ranked());
  return error_with_hint(ErrorCode::not_found, "NOT_FOUND",
                         "The project has no constraint " + shortened(domain + "." + name, 200) + ".",
                         known.empty()
                             ? std::string(context_json_path) +
                                   " has none. Add it there, for example: " + constraints_example + "."
                             : "The known constraints are: " + shortened(known, 400) + ".",
                         more);
}

// Returns a sentence why the value violates the limit; empty if it does not.
std::string limit_violation(const Constraint& limit, double value) {
  const std::string unit = limit.unit ? " " + *limit.unit : "";
  if (limit.min && limit.max && *limit.min > *limit.max)
    return "No value can pass: min is " + json::number_text(*limit.min) + ", and max is " +
           json::number_text(*limit.max) + unit + ".";
  if (limit.max && value > *limit.max)
    return json::number_text(value) + " is above " + json::number_text(*limit.max) + unit + ".";
  if (limit.min && value < *limit.min)
    return json::number_text(value) + " is below " + json::number_text(*limit.min) + unit + ".";
  return {};
}

Result<FoundContext> check_constraint(App& app, const SnapbackContextInput& in, const std::string& root) {
  ProjectContext context = TRY(read_context(root));
  const Constraint* limit = TRY(find(app, context, *in.domain, *in.name));
  const bool has_limit = limit->min || limit->max;
  const std::string full_name = *in.domain + "." + *in.name;
  FoundContext found{.data = {.op = in.op},
                     .summary = full_name + (has_limit ? " has a limit." : " has no min and no max.")};
  found.data.constraint = *limit;
  if (in.op != ContextOp::check) return found;
  if (!in.value) {
    NextActions actions(app);
    actions.add(SnapbackContextInput{.op = ContextOp::status}, 0.5, "It lists the constraints.");
    ErrorDetails more;
    add_next_actions(more, std::move(actions).ranked());
    return error_with_hint(ErrorCode::invalid_argument, "INVALID_ARGUMENT",
                           "op check needs the argument value.",
                           "Pass the value to compare with the constraint.", more);
  }
  if (!has_limit) {
    found.summary += " So the value was not compared; judge it by the description.";
    return found;
  }
  std::string reason = limit_violation(*limit, *in.value);
  found.data.passed = reason.empty();
  found.summary =
      reason.empty() ? json::number_text(*in.value) + " is within the limit " + full_name + "." : reason;
  if (!reason.empty()) found.data.reason = std::move(reason);
  return found;
}

Result<FoundContext> init_answer(const SnapbackContextInput& in, const std::string& root) {
  CreatedContext made = TRY(init_context(root, in.force));
  FoundContext found{.data = {.op = in.op}, .summary = {}};
  found.data.created = made.is_created;
  found.data.path = context_json_path;
  found.summary =
      made.is_created
          ? std::string(context_json_path) +
                " was created, and git ignores it. Add what people and models that work here should know."
          : std::string(context_json_path) + " already exists. Pass force to overwrite it.";
  if (made.backup_path) found.summary += " The previous file is in " + *made.backup_path + ".";
  found.data.old_path = std::move(made.backup_path);
  return found;
}

Result<FoundContext> build_answer(const SnapbackContextInput& in, const std::string& root) {
  std::string text = TRY(build_context(root));
  FoundContext found{.data = {.op = in.op}, .summary = "Built .ctx from context.json."};
  found.data.context = std::move(text);
  found.data.path = context_text_path;
  return found;
}

FoundContext validate_answer(const SnapbackContextInput& in, const std::string& root) {
  std::string reason = stale_context_sentence(root);
  FoundContext found{.data = {.op = in.op}, .summary = reason.empty() ? "The context is fresh." : reason};
  found.data.valid = reason.empty();
  if (!reason.empty()) found.data.reason = std::move(reason);
  return found;
}

// Handles the operations status and blockers.
Result<FoundContext> overview_answer(const SnapbackContextInput& in, const core::WorkspaceServices& services,
                                     const MeasuredWork& now, const std::stop_token& stop) {
  const std::string& root = root_of(services.workspace).folder();
  Result<ProjectContext> context = read_context(root);
  const bool none = !context && context.error().code == ErrorCode::not_found;
  if (!context && !none) return std::move(context).error();
  const ProjectContext known = none ? ProjectContext() : *context;
  std::vector<Blocker> blockers = TRY(blockers_of(services, known, now.work_status.dirty, stop));
  FoundContext found{.data = {.op = in.op}, .summary = {}};
  found.summary = count_with_noun(static_cast<std::int64_t>(blockers.size()), "blocker") + ".";
  if (none) found.summary += " " + std::string(context_json_path) + " does not exist, so it names none.";
  found.data.blockers = std::move(blockers);
  if (in.op == ContextOp::blockers) return found;
  found.data.name = known.name;
  found.data.phase = known.phase;
  found.data.stack = known.stack;
  found.data.valid = now.health.context_valid;
  found.data.context = read_built_context(root);
  if (!now.health.context_valid) found.data.reason = now.stale_context;
  found.data.constraints.emplace();
  if (known.constraints)
    for (const auto& [domain, limits] : *known.constraints)
      for (const auto& each : limits) found.data.constraints->push_back(domain + "." + each.first);
  found.summary = (known.name ? *known.name + ": " : std::string()) + found.summary + " " +
                  risk_sentence(now.work_status.risk) + " " +
                  count_with_noun(now.work_status.dirty_count(), "file") + " uncommitted.";
  return found;
}

Result<mcp::Summarized<SnapbackContextOutput>> answer_context(App& app, const SnapbackContextInput& in,
                                                              const std::stop_token& stop) {
  core::WorkspaceServices services = TRY(app.services());
  const std::string& root = root_of(services.workspace).folder();
  std::error_code unused;
  if (in.workspace_root && std::filesystem::weakly_canonical(*in.workspace_root, unused) != root)
    return error_with_hint(ErrorCode::permission_denied, "PERMISSION_DENIED",
                           "The server was started for another folder than workspaceRoot.",
                           "Omit workspaceRoot, or start a server with --workspace.");
  Result<FoundContext> found = FoundContext{};
  Result<MeasuredWork> now = MeasuredWork{};
  switch (in.op) {
    case ContextOp::init: found = init_answer(in, root); break;
    case ContextOp::build: found = build_answer(in, root); break;
    case ContextOp::validate: found = validate_answer(in, root); break;
    case ContextOp::constraint:
    case ContextOp::check: found = check_constraint(app, in, root); break;
    case ContextOp::status:
    case ContextOp::blockers: break;
  }
  if (!found) return std::move(found).error();
  now = measure_with_files(services, {}, {}, stop);
  if (!now) return std::move(now).error();
  if (in.op == ContextOp::status || in.op == ContextOp::blockers)
    found = overview_answer(in, services, *now, stop);
  if (!found) return std::move(found).error();
  NextActions actions(app);
  const Result<ProjectContext> context = read_context(root);
  const bool there = bool(context);
  if (!there && context.error().code == ErrorCode::not_found)
    actions.add(SnapbackContextInput{.op = ContextOp::init}, 0.7, "The project has no context yet.");
  else if (!there)
    actions.add(SnapbackContextInput{.op = ContextOp::validate}, 0.7, "context.json is wrong.",
                "after the file was corrected");
  if (there && !now->health.context_valid)
    actions.add(SnapbackContextInput{.op = ContextOp::build}, 0.8, now->stale_context);
  if (there && in.op != ContextOp::status)
    actions.add(SnapbackContextInput{.op = ContextOp::status}, 0.3, "See the project at a glance.");
  if (in.op == ContextOp::status)
    actions.add(SnapbackPrepareWorkspaceInput{}, 0.5, "Check the state of the workspace before you start.");
  return answer<SnapbackContextOutput>(std::move(found->data), now->health, std::move(actions),
                                       std::move(found->summary));
}

}  // namespace

Task<mcp::Summarized<SnapbackContextOutput>> snapback_context(App& app, mcp::Call& call,
                                                              const SnapbackContextInput& in) {
  return run_on_pool(app, call, in, answer_context);
}

}  // namespace snapgen::tools

#include "tools/server/guard/helpful_calls.h"

#include <map>
#include <optional>
#include <utility>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "schemas/facade/snapback_context.h"
#include "schemas/facade/snapback_meta.h"
#include "schemas/facade/snapback_prepare_workspace.h"
#include "schemas/facade/snapback_snapshot_create.h"
#include "schemas/facade/snapback_snapshot_list.h"
#include "schemas/facade/snapback_validate.h"
#include "schemas/substrate/snapshot_create.h"
#include "schemas/substrate/snapshot_list.h"
#include "schemas/tool_names.h"
#include "schemas/wire/snap_fix.h"
#include "tools/app/app.h"
#include "tools/app/next_actions.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"

namespace snapgen::tools {
namespace {

// Arguments: the arguments of a call by name, each as JSON text. Empty if they are unknown.
class Arguments {
 public:
  explicit Arguments(std::string_view text) {
    if (text.empty()) return;
    json::Reader in(text);
    std::string_view name;
    if (!in.begin_object()) return;
    while (in.next_key(name)) {
      std::string& value = members_[std::string(name)];
      in.raw(value);
    }
    if (!in.syntax_ok()) members_.clear();
  }

  bool has(const std::string& name) const { return members_.contains(name); }
  // Returns an argument as JSON text. Precondition: has(name).
  const std::string& at(const std::string& name) const { return members_.at(name); }

  Arguments without(const std::string& name) const {
    Arguments rest = *this;
    rest.members_.erase(name);
    return rest;
  }
  Arguments with(const std::string& name, const std::string& value) const {
    Arguments more = *this;
    more.members_[name] = value;
    return more;
  }
  std::string text() const {
    std::string out = "{";
    for (const auto& [name, value] : members_)
      out += (out.size() > 1 ? "," : "") + json::quoted(name) + ":" + value;
    return out + "}";
  }

 private:
  std::map<std::string, std::string> members_;
};

// Adds calls of a lower tier that do what `call.tool` would have done.
void add_substitutes(NextActions& actions, const FailedCall& call) {
  const std::string_view name = call.tool.name;
  const bool has_create = !callable_name(actions.app(), tool_names::snapshot_create).empty();
  if (name == tool_names::snapback_snapshot_create && has_create)
    actions.add(SnapshotCreateInput{.paths = {{"."}}}, 0.8, "It takes a snapshot of the workspace.");
  else if (name == tool_names::snapback_snapshot_create)
    actions.add(session_start(actions.app()), 0.8, "It takes a snapshot of the workspace.");
  if (name == tool_names::snapback_snapshot_list)
    actions.add(SnapFixInput{.action = SnapFixInputAction::list}, 0.8, "It lists the snapshots.");
  // The call was rejected before its snapshot was searched, so the snapshot may not exist.
  if (name == tool_names::snapback_snapshot_restore)
    actions.add(SnapFixInput{.action = SnapFixInputAction::list}, 0.8,
                "It lists the snapshots that it can restore.");
}

// Returns the id that the call passed; empty if it passed none.
std::string snapshot_id_of(const Arguments& arguments) {
  std::string id;
  if (arguments.has("snapshot_id")) json::Reader(arguments.at("snapshot_id")).string(id);
  return id;
}

bool has_snapshot(App& app, const Arguments& arguments) {
  const std::string id = snapshot_id_of(arguments);
  Result<core::Workspace*> workspace = app.workspace();
  return !id.empty() && workspace && snapshots_of(**workspace).load(id);
}

void add_after_not_found(NextActions& actions, const FailedCall& call, const Arguments& arguments) {
  const std::string_view name = call.tool.name;
  // If the snapshot exists, the missing one is a file in it.
  if (name == tool_names::snapback_snapshot_restore && has_snapshot(actions.app(), arguments))
    actions.add(SnapshotListInput{.recursive = true, .snapshot_id = snapshot_id_of(arguments)}, 0.8,
                "List the files of the snapshot.");
  else if (name == tool_names::snapback_snapshot_restore)
    actions.add(SnapbackSnapshotListInput{}, 0.8, "List the snapshots.");
  if (name == tool_names::snapback_snapshot_create)
    actions.add(SnapbackSnapshotCreateInput{}, 0.5, "Capture the whole workspace.");
  if (name == tool_names::snapback_validate)
    actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::quick}, 0.5,
                "Check the changed files.");
  // Without family_code, context.json is missing. With it a constraint is unknown; only the handler knows
  // whether there are others.
  if (name == tool_names::snapback_context && call.error.family_code.empty())
    actions.add(SnapbackContextInput{.op = ContextOp::init}, 0.8, "The project has no context yet.");
}

}  // namespace

std::vector<NextAction> helpful_calls(App& app, const FailedCall& call) {
  NextActions actions(app);
  const Arguments arguments(call.arguments);
  const std::string_view name = call.tool.name;
  const std::string_view family_code = call.error.family_code;
  const ErrorCode code = call.error.code;
  if (family_code == "TIER_REQUIRED") add_substitutes(actions, call);
  if (family_code == "TIER_REQUIRED" || family_code == "WORKSPACE_INVALID") {
    actions.add(SnapbackMetaInput{}, 0.5, "See which tools can be called.");
    return std::move(actions).ranked();
  }
  if (code == ErrorCode::not_found) add_after_not_found(actions, call, arguments);
  if (code == ErrorCode::invalid_argument && name == tool_names::snapback_snapshot_restore)
    actions.add(SnapbackSnapshotListInput{}, 0.6, "List the snapshots and their ids.");
  // If family_code is set, the error is in context.json, which most operations read.
  if (code == ErrorCode::invalid_argument && name == tool_names::snapback_context && !family_code.empty())
    actions.add(SnapbackContextInput{.op = ContextOp::validate}, 0.5, "Check the file again.",
                "after it was corrected");
  else if (code == ErrorCode::invalid_argument && name == tool_names::snapback_context)
    // status, which lists the constraints, would fail if context.json is wrong. validate proposes it if not.
    actions.add(SnapbackContextInput{.op = ContextOp::validate}, 0.5, "Check context.json.");
  if (code == ErrorCode::invalid_argument && name == tool_names::snapback_meta)
    actions.add(SnapbackMetaInput{}, 0.5, "List the tools of all families.");
  if (code == ErrorCode::permission_denied && arguments.has("workspaceRoot"))
    actions.add_call(name, arguments.without("workspaceRoot").text(), 0.6,
                     "Call it for the server's workspace.");
  if (code == ErrorCode::unsupported && arguments.has("confirm"))
    actions.add_call(name, arguments.without("confirm").with("dry_run", "true").text(), 0.6,
                     "Show the user what a restore would change.");
  if (code == ErrorCode::repo_changed && name != tool_names::snapback_prepare_workspace)
    actions.add(SnapbackPrepareWorkspaceInput{}, 0.6, "Check the current state of the workspace.");
  if (family_code == "DEADLINE_EXCEEDED" && name == tool_names::snapback_validate)
    actions.add(SnapbackValidateInput{.mode = SnapbackValidateInputMode::quick}, 0.6,
                "The quick mode runs no program.");
  const bool is_temporary = family_code == "RATE_LIMITED" || code == ErrorCode::repo_changed;
  if (is_temporary && !call.arguments.empty())
    actions.add_call(
        name, std::string(call.arguments), 0.5, "Repeat the call.",
        code == ErrorCode::repo_changed ? std::nullopt : std::optional<std::string>("after retry_after_ms"));
  return std::move(actions).ranked();
}

std::string tier_hint(const App& app, const mcp::Tool& tool, const std::string& settings_fault) {
  const std::string now = "In the tier " + std::string(tools::text(app.tier)) + ", ";
  std::string hint;
  if (tool.name == tool_names::snapback_snapshot_create) {
    const std::string create = callable_name(app, tool_names::snapshot_create);
    const std::string session = callable_name(app, tool_names::snapback_session);
    hint = now +
           (!create.empty()    ? create
            : !session.empty() ? session + " with op start"
                               : std::string("`snap snapshot create` on the command line")) +
           " takes a snapshot. ";
  } else if (tool.name == tool_names::snapback_snapshot_list) {
    const std::string fix = callable_name(app, tool_names::snap_fix);
    hint = now + (fix.empty() ? "`snap snapshot list` on the command line" : fix) + " lists snapshots. ";
  } else if (tool.name == tool_names::snapback_snapshot_restore) {
    hint = now + name_of_restore_tool(app) + " restores a snapshot or, with paths, parts of it. ";
  }
  const std::string tier(tool.tier);
  const std::string entry = "\"tier\": \"" + tier + "\"";
  const std::string last = ", and restart the server, which reads the tier at its start.";
  if (settings_fault.empty())
    return hint + "To use this tool, set " + entry + " in .snapback/config.json, or SNAPBACK_TIER=" + tier +
           last;
  return hint + "The server ignored .snapback/config.json at its start (" + settings_fault +
         "). Correct it so that it has " + entry + last;
}

}  // namespace snapgen::tools

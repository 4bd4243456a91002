#include "tools/app/allowed_checks.h"

#include <utility>

#include "runtime/mcp/elicitation.h"
#include "schemas/common/trust_form.h"
#include "tools/app/settings.h"
#include "tools/engine/workspace/workspace.h"

namespace snapgen::tools {
namespace {

// Returns the checks in the settings. Errors: unavailable, because no argument and no tool can correct the
// file.
Result<core::CheckSettings> read_check_settings(const std::string& root) {
  Result<Settings> settings = read_settings(root);
  Result<core::CheckSettings> checks =
      settings ? check_settings_of(*settings) : Result<core::CheckSettings>(std::move(settings).error());
  if (checks) return checks;
  Error error = std::move(checks).error();
  error.code = ErrorCode::unavailable;
  error.details = R"({"hint":"Ask the user to correct the file, which no tool may change."})";
  return error;
}

}  // namespace

Result<AllowedChecks> plan_allowed_checks(core::Workspace& workspace, core::CheckRun run,
                                          const std::vector<std::string>& files) {
  const std::string& root = workspace.root().folder();
  core::CheckSettings checks = TRY(read_check_settings(root));
  AllowedChecks allowed{.plan = core::plan_checks(root, run, checks, files), .withheld = {}};
  allowed.withheld = core::withhold_untrusted(allowed.plan, core::trust_store_of(workspace));
  return allowed;
}

void remember_named_scripts(core::Workspace& workspace, const AllowedChecks& checks) {
  core::TrustStore store = core::trust_store_of(workspace);
  for (const std::string& text : checks.withheld.unnamed_scripts) store.add(text);
}

Task<bool> ask_for_trust(mcp::Call& call, core::Workspace& workspace, const AllowedChecks& checks) {
  if (!call.client_abilities().form) co_return false;
  std::string text = ".snapback/config.json of this repository names commands that have not run here yet:";
  for (const core::CheckCommand& command : checks.withheld.untrusted)
    text += "\n  " + core::command_line_of(command);
  Task<mcp::ElicitExchange<TrustForm>> asking = mcp::elicit<TrustForm>(call, std::move(text));
  Result<mcp::ElicitExchange<TrustForm>> asked = co_await std::move(asking);
  // A client that cannot ask, or does not answer, gives no consent.
  if (!asked && asked.error().code != ErrorCode::unavailable) co_return std::move(asked).error();
  if (!asked || !asked->content || !asked->content->trust) co_return false;
  auto job = [&] {
    core::TrustStore store = core::trust_store_of(workspace);
    for (const core::CheckCommand& command : checks.withheld.untrusted) store.add(core::trust_key(command));
    return Result<Unit>(Unit{});
  };
  Result<Unit> added = co_await call.offload(job);
  if (!added) co_return std::move(added).error();
  co_return true;
}

}  // namespace snapgen::tools

#include "tools/app/allowed_checks.h"

#include <utility>

#include "runtime/mcp/elicitation.h"
#include "schemas/common/trust_form.h"
#include "tools/app/settings.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/workspace/workspace_parts.h"

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
  error.details = hint_details("Ask the user to correct the file, which no tool may change.");
  return error;
}

// Returns the question for the user, with every configured command whole.
std::string question_of(const core::WithheldCommands& withheld) {
  std::string text;
  if (!withheld.unconsented.empty())
    text = "May checks run programs here? Note that " + std::string(core::consent_sentence) +
           ". At present: " + core::names_of(withheld.unconsented) + ".";
  if (withheld.untrusted.empty()) return text;
  if (!text.empty()) text += "\n";
  text += ".snapback/config.json of this repository names commands that have not run here yet:";
  for (const core::CheckCommand& command : withheld.untrusted)
    text += "\n  " + core::command_line_of(command);
  return text;
}

}  // namespace

Result<AllowedChecks> plan_allowed_checks(core::Workspace& workspace, core::CheckRun run,
                                          const std::vector<std::string>& files, bool has_consent) {
  const std::string& root = root_of(workspace).folder();
  core::CheckSettings checks = TRY(read_check_settings(root));
  AllowedChecks allowed{.plan = core::plan_checks(root, run, checks, files), .withheld = {}};
  allowed.withheld = core::withhold_untrusted(allowed.plan, core::trust_store_of(workspace), has_consent);
  return allowed;
}

bool has_consent(const App& app, const core::Workspace& workspace) {
  return app.is_used_by_person || core::trust_store_of(workspace).has(core::consent_key);
}

void remember_notice(App& app, const core::Workspace& workspace) {
  app.last_notice_ms = core::steady_ms();
  core::trust_store_of(workspace).add_for_process(core::notice_key);
}

bool was_noticed(const App& app, const core::Workspace& workspace, double time_ms) {
  return core::trust_store_of(workspace).has(core::notice_key) && app.last_notice_ms < time_ms;
}

void remember_consent(const core::Workspace& workspace) {
  core::trust_store_of(workspace).add(core::consent_key);
}

Task<ConsentAnswer> ask_for_consent(mcp::Call& call, core::Workspace& workspace,
                                    const AllowedChecks& checks) {
  if (!call.client_abilities().form) co_return ConsentAnswer::cannot_ask;
  const core::WithheldCommands& withheld = checks.withheld;
  Task<mcp::ElicitExchange<TrustForm>> asking = mcp::elicit<TrustForm>(call, question_of(withheld));
  Result<mcp::ElicitExchange<TrustForm>> outcome = co_await std::move(asking);
  // A client that cannot ask, or does not answer, gives no consent.
  if (!outcome && outcome.error().code != ErrorCode::unavailable) co_return std::move(outcome).error();
  if (!outcome || !outcome->content || !outcome->content->trust) co_return ConsentAnswer::declined;
  auto job = [&] {
    core::TrustStore store = core::trust_store_of(workspace);
    if (!withheld.unconsented.empty()) store.add(core::consent_key);
    for (const core::CheckCommand& command : withheld.untrusted) store.add(core::trust_key(command));
    return Result<Unit>(Unit{});
  };
  Result<Unit> added = co_await call.offload(job);
  if (!added) co_return std::move(added).error();
  co_return ConsentAnswer::agreed;
}

}  // namespace snapgen::tools

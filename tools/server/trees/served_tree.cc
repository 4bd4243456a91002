#include "tools/server/trees/served_tree.h"

#include <utility>

#include "runtime/base/environment.h"
#include "runtime/base/text.h"
#include "schemas/tools.h"
#include "tools/app/api.h"
#include "tools/app/app.h"
#include "tools/app/repository_tools.h"
#include "tools/app/settings.h"
#include "tools/insight/check/run/trust.h"
#include "tools/server/command_tools/command_tools.h"
#include "tools/server/trees/confine.h"

namespace snapgen::tools {
namespace {

// Returns the tier of SNAPBACK_TIER, or else of the settings. A name that is no tier is a fault, and free.
Tier tier_at_start(const Result<Settings>& settings, std::vector<std::string>& faults) {
  if (const std::optional<std::string> named = environment_variable("SNAPBACK_TIER")) {
    const std::optional<Tier> tier = tier_named(*named);
    if (!tier)
      faults.push_back(
          "SNAPBACK_TIER must be free, pro or enterprise; until the next start the tier is free.");
    return tier.value_or(Tier::free);
  }
  return settings ? static_cast<Tier>(settings->tier) : Tier::free;
}

// Returns which files tools may write. If the settings are invalid, nothing may be written, because a
// restriction may be unreadable. If the user's settings are invalid, all protected files remain protected.
core::WriteRules write_rules_at_start(bool for_user, const Result<Settings>& settings,
                                      const Result<UserSettings>& user, std::vector<std::string>& faults) {
  Result<core::WriteRules> rules = settings ? write_rules_of(*settings) : settings.error();
  if (!rules) {
    faults.push_back(rules.error().message);
    return core::WriteRules::deny_all(
        with_full_stop(rules.error().message) +
        " Correct it, then restart the server: it reads the file at its start.");
  }
  if (for_user) {
    rules->unprotect_all();
    return *std::move(rules);
  }
  Result<Unit> unprotected =
      user ? rules->unprotect(user->writable_settings.value_or(std::vector<std::string>()))
           : Result<Unit>(user.error());
  if (!unprotected) faults.push_back(unprotected.error().message);
  return *std::move(rules);
}

// Returns which snapshots expire. Nullopt if there is no workspace, its settings cannot be read, or the
// options do not ask to delete expired ones.
std::optional<core::Retention> retention_at_start(const TreeOptions& options,
                                                  const Result<std::string>& workspace,
                                                  const Result<Settings>& settings) {
  if (!options.collects_garbage || !workspace || !settings) return std::nullopt;
  return retention_of(*settings);
}

// Loads the tools of the folder that the settings name, if the user trusts them. Errors: those of
// check_tools_trusted() and ToolsWithCommands::load().
Result<std::unique_ptr<ToolsWithCommands>> load_repository_tools(Tools& compiled, const std::string& folder,
                                                                 const std::string& workspace) {
  const auto check_trusted = [folder, workspace] {
    // Each call reads the folder again, because its files may have changed since the user trusted them.
    return check_tools_trusted(folder, workspace, core::trust_store_of(workspace));
  };
  TRY(check_trusted());
  CommandToolPolicy policy{.trusts_annotations = false,
                           .confinement = program_confinement_of(workspace),
                           .check_permitted = check_trusted};
  return ToolsWithCommands::load(compiled, folder, workspace, std::move(policy));
}

// Returns the compiled tools, together with those of the folder in --tools or in the settings, which
// `programs` owns. Errors: those of the folder in --tools. A folder in the settings that is invalid, or that
// the user does not trust, is a fault and ignored.
Result<mcp::ToolSet*> all_tools(Tools& compiled, const TreeOptions& options,
                                const Result<std::string>& workspace, const Settings& settings,
                                std::unique_ptr<ToolsWithCommands>& programs,
                                std::vector<std::string>& faults) {
  if (options.tools_folder) {
    Result<std::unique_ptr<ToolsWithCommands>> loaded =
        ToolsWithCommands::load(compiled, *options.tools_folder, workspace, {});
    if (!loaded) return Error(ErrorCode::invalid_argument, loaded.error().message);
    programs = *std::move(loaded);
    return programs.get();
  }
  const std::optional<std::string> folder = workspace ? tools_folder_of(settings, *workspace) : std::nullopt;
  if (!folder) return &compiled;
  Result<std::unique_ptr<ToolsWithCommands>> loaded = load_repository_tools(compiled, *folder, *workspace);
  if (!loaded) faults.push_back(loaded.error().message);
  if (!loaded) return &compiled;
  programs = *std::move(loaded);
  return programs.get();
}

// Returns the web service for tools; nullopt if the settings name none.
std::optional<fetch::ServiceOptions> service_at_start(const Settings& settings, const TreeOptions& options) {
  if (!settings.api) return std::nullopt;
  const ApiToken token = api_token(*settings.api, environment_variable);
  if (!token.problem.empty()) options.log.write(Severity::warning, token.problem);
  return service_options_of(settings, options.user_agent, environment_variable);
}

}  // namespace

struct ServedTree::Compiled {
  explicit Compiled(App& app) : tools(app) {}
  Tools tools;
  std::unique_ptr<ToolsWithCommands> programs;
  std::unique_ptr<Api> api;
};

ServedTree::ServedTree() = default;
ServedTree::~ServedTree() = default;

Result<std::unique_ptr<ServedTree>> ServedTree::open(Result<std::string> workspace,
                                                     const TreeOptions& options, SharedServerState& shared) {
  std::unique_ptr<ServedTree> made(new ServedTree);
  const Result<Settings> settings = workspace ? read_settings(*workspace) : Settings();
  if (settings) made->settings_ = *settings;
  if (!settings) made->settings_fault_ = settings.error().message;
  if (workspace) made->identity_ = identity_of(*workspace);
  made->app_ = std::make_unique<App>(workspace, options.log, shared, store_limits_of(made->settings_),
                                     retention_at_start(options, workspace, settings));
  App& app = *made->app_;
  app.watches_worktree = options.watches_worktree;
  // Settings that cannot be read may switch the history off.
  if (settings) app.history_options = history_options_of(*settings);
  app.is_used_by_person = options.for_user;
  made->compiled_ = std::make_unique<Compiled>(app);
  Compiled& compiled = *made->compiled_;
  mcp::ToolSet* set =
      TRY(all_tools(compiled.tools, options, workspace, made->settings_, compiled.programs, made->faults_));
  made->tools_ = set;
  app.tier = tier_at_start(settings, made->faults_);
  if (workspace)
    if (const std::optional<std::string> folder = tools_folder_of(made->settings_, *workspace))
      app.protected_paths.push_back(*folder);
  const Result<UserSettings> user = read_user_settings();
  app.allows_discard = user && user->allow_discard.value_or(false);
  if (workspace) app.write_rules = write_rules_at_start(options.for_user, settings, user, made->faults_);
  if (std::optional<fetch::ServiceOptions> service = service_at_start(made->settings_, options)) {
    compiled.api = std::make_unique<Api>(*std::move(service));
    app.api = compiled.api.get();
  }
  for (const std::string& each : made->faults_) options.log.write(Severity::warning, each);
  return made;
}

bool ServedTree::is_in_place() const {
  return !app_->workspace_folder() || identity_of(*app_->workspace_folder()) == identity_;
}

void ServedTree::release_loop_objects() {
  app_->api = nullptr;
  compiled_->api.reset();
  app_->wait_for_watches_at_end();
}

}  // namespace snapgen::tools

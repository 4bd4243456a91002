#include "tools/assembly.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "runtime/base/text.h"
#include "schemas/tools.h"
#include "tools/api/api.h"
#include "tools/guard/former_names.h"
#include "tools/guard/tier.h"
#include "tools/instructions.h"
#include "tools/programs/program_tools.h"
#include "tools/user_settings.h"
#include "tools/workspace.h"

namespace snapgen::tools {
namespace {

// What the workspace's own settings say, read once. Errors: they cannot be read; the server starts all the
// same, without what they would have said.
Result<Settings> settings_at_start(const Result<std::string>& workspace) {
  return workspace ? read_settings(*workspace) : Settings();
}

// The folder of tools without C++ that the settings name, if they do.
std::optional<std::string> tools_folder(const Result<std::string>& workspace, const Settings& settings) {
  if (!workspace || !settings.tools) return std::nullopt;
  const std::string& folder = *settings.tools;
  return folder.starts_with('/') ? folder : *workspace + "/" + folder;
}

// What SNAPBACK_TIER says, else the settings. Errors: invalid_argument (no such tier).
Result<Tier> tier_at_start(const Result<Settings>& settings) {
  if (const char* named = std::getenv("SNAPBACK_TIER"); named && *named) {
    const std::optional<Tier> tier = tier_named(named);
    if (tier) return *tier;
    return Error(ErrorCode::invalid_argument, "SNAPBACK_TIER is free, pro or enterprise.");
  }
  return settings ? static_cast<Tier>(settings->tier) : Tier::free;
}

// Settings with faults may forbid writes that cannot be read there, so nothing is written then. Faults of the
// user's own settings leave every protected file protected.
core::WriteRules write_rules_at_start(const AssemblyRequest& request, const Result<Settings>& settings,
                                      std::vector<std::string>& faults) {
  Result<core::WriteRules> rules = settings ? write_rules_of(*settings) : settings.error();
  if (!rules) {
    faults.push_back(rules.error().message);
    return core::WriteRules::none(with_full_stop(rules.error().message) +
                                  " Correct it, then restart the server: it reads the file at its start.");
  }
  if (request.for_user) {
    rules->unprotect_all();
    return *std::move(rules);
  }
  Result<UserSettings> user = read_user_settings();
  Result<Unit> unprotected =
      user ? rules->unprotect(user->writable_settings.value_or(std::vector<std::string>()))
           : Result<Unit>(user.error());
  if (!unprotected) faults.push_back(unprotected.error().message);
  return *std::move(rules);
}

// None: there is no workspace, or nobody knows what is to be kept of it, or nothing is to go.
std::optional<core::Retention> retention_at_start(const AssemblyRequest& request,
                                                  const Result<std::string>& workspace,
                                                  const Result<Settings>& settings) {
  if (!request.sweeps || !workspace || !settings) return std::nullopt;
  return retention_of(*settings);
}

// The compiled tools, and those of --tools or of the settings beside them, which `programs` owns. Errors:
// those of a folder that the command line names; a folder of the settings is left out, and why is logged.
Result<mcp::ToolSet*> all_tools(Tools& compiled, const AssemblyRequest& request,
                                const Result<std::string>& workspace, const Settings& settings,
                                const Log& log, std::unique_ptr<ProgramTools>& programs) {
  const std::optional<std::string> folder = request.tools ? request.tools : tools_folder(workspace, settings);
  if (!folder) return &compiled;
  Result<std::unique_ptr<ProgramTools>> loaded = ProgramTools::load(compiled, *folder, workspace);
  if (!loaded && request.tools) return Error(ErrorCode::invalid_argument, loaded.error().message);
  if (!loaded) log.write(Severity::error, loaded.error().message);
  if (!loaded) return &compiled;
  programs = *std::move(loaded);
  return programs.get();
}

// The service that tools may ask; none: the settings name none.
std::optional<fetch::ServiceOptions> service_at_start(const Settings& settings, const Log& log) {
  if (!settings.api) return std::nullopt;
  const ApiToken token = api_token(*settings.api, process_environment);
  if (!token.problem.empty()) log.write(Severity::warning, token.problem);
  return service_of(settings, "snapgen/" SNAPGEN_VERSION, process_environment);
}

// None: there is a profile of this name.
std::optional<std::string> profile_fault(const GuardedTools& tools, const std::string& profile) {
  std::string known;
  for (const mcp::Profile& each : tools.profiles()) {
    if (each.name == profile) return std::nullopt;
    known += " " + std::string(each.name);
  }
  return "There is no profile " + profile + "; there are:" + known + ".";
}

// What --profile names, else the settings. Errors: invalid_argument, the command line names none that there
// is; one that the settings name is told in `faults`, and every tool is shown.
Result<std::string> profile_at_start(const AssemblyRequest& request, const Settings& settings,
                                     const GuardedTools& tools, std::vector<std::string>& faults) {
  const std::string everything = "full";
  const std::string profile =
      request.profile.value_or(settings.profile.value_or(std::string(default_profile)));
  const std::optional<std::string> fault = profile_fault(tools, profile);
  if (!fault) return profile;
  if (request.profile) return Error(ErrorCode::invalid_argument, *fault);
  faults.push_back(".snapback/config.json: /profile: " + *fault + " All tools are shown.");
  return everything;
}

// What --answers says, else the settings.
AnswerChoice answers_at_start(const AssemblyRequest& request, const Settings& settings) {
  if (request.answers) return *request.answers;
  if (!settings.answers) return AnswerChoice::by_host;
  return answer_choice_named(text(*settings.answers)).value_or(AnswerChoice::by_host);
}

}  // namespace

struct Assembly::Compiled {
  explicit Compiled(App& app) : tools(app) {}
  Tools tools;
  std::unique_ptr<ProgramTools> programs;
  std::unique_ptr<Api> api;
};

Assembly::Assembly() = default;
Assembly::~Assembly() = default;

Result<std::unique_ptr<Assembly>> Assembly::make(const AssemblyRequest& request) {
  std::unique_ptr<Assembly> made(new Assembly);
  const Result<std::string> workspace = resolve_workspace(WorkspaceRequest::of_process(request.workspace));
  const Log log(request.program, request.log_level);
  const Result<Settings> settings = settings_at_start(workspace);
  made->settings_ = settings ? *settings : Settings();
  made->app_ = std::make_unique<App>(workspace, log, limits_of(made->settings_),
                                     retention_at_start(request, workspace, settings));
  App& app = *made->app_;
  app.watches = request.watches;
  made->compiled_ = std::make_unique<Compiled>(app);
  Result<mcp::ToolSet*> set =
      all_tools(made->compiled_->tools, request, workspace, made->settings_, log, made->compiled_->programs);
  if (!set) return std::move(set).error();
  Result<Tier> tier = tier_at_start(settings);
  if (!tier) return std::move(tier).error();
  app.tier = *tier;
  app.write_rules = write_rules_at_start(request, settings, made->faults_);
  if (std::optional<fetch::ServiceOptions> service = service_at_start(made->settings_, log)) {
    made->compiled_->api = std::make_unique<Api>(*std::move(service));
    app.api = made->compiled_->api.get();
  }
  made->answers_ = answers_at_start(request, made->settings_);
  made->guarded_ = std::make_unique<GuardedTools>(
      **set, app,
      GuardOptions{.profiles = made->settings_.profiles.value_or(std::map<std::string, ProfileSettings>()),
                   .settings_fault = settings ? std::string() : settings.error().message,
                   .answers = made->answers_,
                   .has_bridge = request.has_bridge});
  for (const std::string& each : made->guarded_->faults()) made->faults_.push_back(each);
  Result<std::string> profile = profile_at_start(request, made->settings_, *made->guarded_, made->faults_);
  if (!profile) return std::move(profile).error();
  made->profile_ = *std::move(profile);
  for (const std::string& each : made->faults_) log.write(Severity::warning, each);
  made->dotted_names_ =
      request.dotted_names.value_or(made->settings_.tool_names == SettingsToolNames::dotted);
  return made;
}

std::unique_ptr<mcp::Server> Assembly::show(mcp::ResourceSet* resources, mcp::PromptSet* prompts) {
  mcp::Options options;
  options.profile = profile_;
  options.spelling = dotted_names_ ? mcp::Spelling::dotted : mcp::Spelling::safe;
  options.renamed = former_names;
  options.output_schemas = [answers = answers_](std::string_view client_name) {
    return output_schemas_for(traits_for(client_name, answers));
  };
  auto server = std::make_unique<mcp::Server>(
      mcp::Server::Parts{.info = {.name = "snapgen-server", .version = SNAPGEN_VERSION},
                         .instructions = instructions_of(*guarded_, profile_, options.spelling),
                         .tools = guarded_.get(),
                         .resources = resources,
                         .prompts = prompts,
                         .options = options});
  app_->server = server.get();
  return server;
}

}  // namespace snapgen::tools

#include "tools/server/assembly.h"

#include <map>
#include <utility>

#include "tools/server/former_names.h"
#include "tools/server/instructions.h"

namespace snapgen::tools {
namespace {

// Returns an error message, or nullopt if the profile exists.
std::optional<std::string> profile_fault(const GuardedTools& tools, const std::string& profile) {
  std::string known;
  for (const mcp::Profile& each : tools.profiles()) {
    if (each.name == profile) return std::nullopt;
    known += " " + std::string(each.name);
  }
  return "There is no profile " + profile + "; the profiles are:" + known + ".";
}

// Returns the profile of --profile, or else of the settings. Errors: invalid_argument (--profile names an
// unknown profile). If the settings name an unknown one, it is added to `faults`, and all tools are listed.
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

// Returns the value of --answers, or else of the settings.
AnswerChoice answers_at_start(const AssemblyRequest& request, const Settings& settings) {
  if (request.answer_choice) return *request.answer_choice;
  if (!settings.answers) return AnswerChoice::by_host;
  return answer_choice_named(text(*settings.answers)).value_or(AnswerChoice::by_host);
}

}  // namespace

Assembly::Assembly(WorkspaceSources sources) : workspace_sources_(std::move(sources)) {}
Assembly::~Assembly() = default;

Result<std::unique_ptr<Assembly>> Assembly::make(const AssemblyRequest& request) {
  std::unique_ptr<Assembly> made(new Assembly(request.is_server
                                                  ? WorkspaceSources::of_server(request.workspace)
                                                  : WorkspaceSources::of_command(request.workspace)));
  const Log log(request.program, request.log_level);
  made->trees_ = TRY(ServedTrees::open(resolve_workspace(made->workspace_sources_),
                                       {.log = log,
                                        .tools_folder = request.tools_folder,
                                        .user_agent = "snapgen/" SNAPGEN_VERSION,
                                        .watches_worktree = request.watches_worktree,
                                        .collects_garbage = request.collects_garbage,
                                        .for_user = request.for_user},
                                       made->shared_state_));
  made->chooser_ = std::make_unique<TreeChooser>(made->workspace_sources_, *made->trees_);
  made->answers_ = answers_at_start(request, made->settings());
  made->guarded_tools_ = std::make_unique<GuardedTools>(
      *made->trees_, *made->chooser_,
      GuardOptions{.profiles = made->settings().profiles.value_or(std::map<std::string, ProfileSettings>()),
                   .answers = made->answers_,
                   .has_bridge = request.has_bridge,
                   .has_tiers = !request.for_user});
  std::vector<std::string> faults = made->guarded_tools_->faults();
  made->profile_ = TRY(profile_at_start(request, made->settings(), *made->guarded_tools_, faults));
  for (const std::string& each : faults) log.write(Severity::warning, each);
  made->faults_ = made->trees_->start_tree()->faults();
  made->faults_.insert(made->faults_.end(), faults.begin(), faults.end());
  made->dotted_names_ =
      request.dotted_names.value_or(made->settings().tool_names == SettingsToolNames::dotted);
  return made;
}

std::unique_ptr<mcp::Server> Assembly::make_server(mcp::ResourceSet* resources, mcp::PromptSet* prompts) {
  mcp::Options options;
  options.profile = profile_;
  options.spelling = dotted_names_ ? mcp::Spelling::dotted : mcp::Spelling::safe;
  options.renamed = former_tool_names;
  options.output_schema_form = [answers = answers_](std::string_view client_name) {
    return output_schema_form_for(traits_for(client_name, answers));
  };
  auto server = std::make_unique<mcp::Server>(
      mcp::Server::Parts{.info = {.name = "snapgen-server", .version = SNAPGEN_VERSION},
                         .instructions = instructions_of(*guarded_tools_, profile_, options.spelling),
                         .tools = guarded_tools_.get(),
                         .resources = resources,
                         .prompts = prompts,
                         .options = options});
  shared_state_.server = server.get();
  return server;
}

}  // namespace snapgen::tools

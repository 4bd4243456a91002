#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/app/repository_tools.h"
#include "tools/app/settings.h"
#include "tools/cli/commands.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/json_object.h"
#include "tools/engine/files/path.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/insight/check/run/trust.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {
namespace {

struct TrustOptions {
  bool yes = false;
  bool remove = false;
};

// One decision of the user: what it permits, as text and as JSON, and what identifies it in the store.
struct Decision {
  std::string text;  // Lines, each with a final line break. Nothing is shortened.
  std::string json;  // The members besides "trusted".
  std::string trust_key;
  bool trusted = false;
};

// What may run in this workspace: code of the repository in checks, commands of the settings, and its tools.
struct Decisions {
  Decision consent;
  std::vector<Decision> commands;
  std::optional<Decision> tools;

  template <class Visit>
  void for_each(Visit visit) {
    visit(consent);
    for (Decision& each : commands) visit(each);
    if (tools) visit(*tools);
  }
};

std::string command_text(const std::vector<std::string>& words) {
  return core::command_line_of({.argv = words});
}

Decision decision_on_tools(const RepositoryTools& tools) {
  Decision decision{.text = "the tools in " + printable(core::path_in_sentence(tools.folder)) + "\n",
                    .json = {},
                    .trust_key = tools.trust_key};
  std::string listed, files;
  for (const RepositoryTool& each : tools.tools) {
    const std::string command = command_text(each.command);
    decision.text += "  " + printable(each.name) + ": " + printable(command) + "\n";
    listed += (listed.empty() ? "" : ",") +
              core::JsonObject().add("command", command).add("name", each.name).finish();
  }
  for (const std::string& each : tools.files) {
    decision.text += "  with the present content of " + printable(core::path_in_sentence(each)) + "\n";
    files += (files.empty() ? "" : ",") + json::quoted(core::text_of_path(each));
  }
  decision.json = core::JsonObject()
                      .add_json("files", "[" + files + "]")
                      .add("folder", core::text_of_path(tools.folder))
                      .add_json("tools", "[" + listed + "]")
                      .finish();
  return decision;
}

Result<Decisions> read_decisions(const Settings& settings, const core::CheckSettings& checks,
                                 const std::string& workspace) {
  Decisions all;
  all.consent = {.text = "checks that compile, lint or test: " + std::string(core::consent_sentence) + "\n",
                 .json = {},
                 .trust_key = std::string(core::consent_key)};
  for (const std::vector<core::CheckCommand>* list : {&checks.replacement_commands, &checks.added_commands})
    for (const core::CheckCommand& each : *list) {
      const std::string line = core::command_line_of(each);
      all.commands.push_back({.text = "the command " + printable(line) + "\n",
                              .json = core::JsonObject().add("command", line).finish(),
                              .trust_key = core::trust_key(each)});
    }
  if (const std::optional<std::string> folder = tools_folder_of(settings, workspace)) {
    const RepositoryTools tools = TRY(read_repository_tools(*folder, workspace));
    all.tools = decision_on_tools(tools);
  }
  return all;
}

std::string with_trusted(const Decision& one) {
  return one.json.substr(0, one.json.size() - 1) + ",\"trusted\":" + (one.trusted ? "true" : "false") + "}";
}

std::string json_of(const Decisions& all) {
  std::string commands;
  for (const Decision& each : all.commands) commands += (commands.empty() ? "" : ",") + with_trusted(each);
  return "{\"checks\":" + std::string(all.consent.trusted ? "true" : "false") + ",\"commands\":[" + commands +
         "]" + (all.tools ? ",\"tools\":" + with_trusted(*all.tools) : std::string()) + "}";
}

std::string decisions_text(Decisions& all, const Terminal& out) {
  std::string text;
  all.for_each([&](const Decision& each) {
    text += (each.trusted ? out.paint(Colour::green, "trusted") : out.paint(Colour::yellow, "not trusted")) +
            "  " + each.text;
  });
  return text;
}

Result<int> trust(const Invocation& invocation, const TrustOptions& options) {
  const std::string workspace_folder =
      TRY(resolve_workspace(WorkspaceSources::of_command(invocation.workspace)));
  const Settings settings = TRY(read_settings(workspace_folder));
  const core::CheckSettings checks = TRY(check_settings_of(settings));
  Decisions all = TRY(read_decisions(settings, checks, workspace_folder));
  std::shared_ptr<core::Workspace> workspace = TRY(core::open_workspace(workspace_folder));
  core::TrustStore store = core::trust_store_of(*workspace);
  bool all_trusted = true;
  all.for_each([&](Decision& each) {
    each.trusted = store.has(each.trust_key);
    all_trusted = all_trusted && each.trusted;
  });
  const bool may_ask = !invocation.prints_json && invocation.out.is_terminal && ::isatty(0) == 1;
  const bool asks = !options.yes && !options.remove && !all_trusted && may_ask;
  if (asks) static_cast<void>(invocation.out.print(decisions_text(all, invocation.out)));
  const bool agrees = !options.remove && !all_trusted &&
                      (options.yes || (asks && ask_yes_no(invocation, "Trust all of these?")));
  Result<Unit> changed = Unit{};
  all.for_each([&](Decision& each) {
    if (agrees) store.add(each.trust_key);
    if (options.remove && changed) changed = store.remove(each.trust_key);
    each.trusted = agrees || (each.trusted && !options.remove);
  });
  if (!changed) return std::move(changed).error();
  const bool undecided = !options.remove && !all_trusted && !agrees;
  const std::string hint = undecided && !asks ? "Pass --yes to trust all of these.\n" : "";
  return print_answer(invocation, json_of(all), decisions_text(all, invocation.out) + hint,
                      undecided ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_trust_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<TrustOptions>();
  CLI::App& command = add_command(
      program, invocation,
      {.name = "trust",
       .description = "Allow checks to run code of this repository, and trust the commands and the folder of "
                      "tools that .snapback/config.json names. A command that changes, or tools of which a "
                      "file changes, must be trusted again.",
       .examples = {{"snap trust", "shows what may run, and asks"},
                    {"snap trust --yes", "trusts all without asking"},
                    {"snap trust --remove", "withdraws the trust"}},
       .exit_codes = "0 all are trusted, or the trust was withdrawn; 1 some are "
                     "not, or it failed; 2 the command line is wrong."},
      [options](const Invocation& now) { return trust(now, *options); });
  command.add_flag("-y,--yes", options->yes, "Trust without asking.");
  command.add_flag("--remove", options->remove, "Withdraw the consent, and the trust in all of them.")
      ->excludes("--yes");
}

}  // namespace snapgen::tools

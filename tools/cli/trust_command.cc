#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "runtime/json/writer.h"
#include "tools/app/settings.h"
#include "tools/cli/commands.h"
#include "tools/engine/base/encoding.h"
#include "tools/engine/base/phrase.h"
#include "tools/engine/workspace/workspace.h"
#include "tools/insight/check/trust.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {
namespace {

struct TrustOptions {
  bool yes = false;
  bool remove = false;
};

struct ConfiguredCommand {
  core::CheckCommand command;
  bool trusted = false;
};

std::string json_of(const std::vector<ConfiguredCommand>& commands) {
  std::string text = "{\"commands\":[";
  for (const ConfiguredCommand& each : commands) {
    if (&each != commands.data()) text += ",";
    text += "{\"command\":" + json::quoted(core::command_line_of(each.command)) +
            ",\"trusted\":" + (each.trusted ? "true" : "false") + "}";
  }
  return text + "]}";
}

std::string commands_text(const std::vector<ConfiguredCommand>& commands, const Terminal& out) {
  if (commands.empty()) return ".snapback/config.json names no commands.\n";
  AlignedRows rows;
  for (const ConfiguredCommand& each : commands)
    rows.add({{each.trusted ? "trusted" : "not trusted", each.trusted ? Colour::green : Colour::yellow},
              {core::command_line_of(each.command)}});
  return rows.text(out);
}

Result<int> trust(const Invocation& invocation, const TrustOptions& options) {
  std::string workspace_folder = TRY(resolve_workspace(WorkspaceSources::of_command(invocation.workspace)));
  Settings settings = TRY(read_settings(workspace_folder));
  core::CheckSettings checks = TRY(check_settings_of(settings));
  std::unique_ptr<core::Workspace> workspace = TRY(core::Workspace::open(workspace_folder));
  core::TrustStore store = core::trust_store_of(*workspace);
  std::vector<ConfiguredCommand> commands;
  bool all_trusted = true;
  for (const std::vector<core::CheckCommand>* list : {&checks.replacement_commands, &checks.added_commands})
    for (const core::CheckCommand& command : *list) {
      commands.push_back({.command = command, .trusted = store.has(core::trust_key(command))});
      all_trusted = all_trusted && commands.back().trusted;
    }
  const bool may_ask = !invocation.prints_json && invocation.out.is_terminal && ::isatty(0) == 1;
  const bool asks = !options.yes && !options.remove && !all_trusted && may_ask;
  if (asks) static_cast<void>(invocation.out.print(commands_text(commands, invocation.out)));
  const bool agrees = !options.remove && !all_trusted &&
                      (options.yes || (asks && ask_yes_no(invocation, "Let checks run these commands?")));
  for (ConfiguredCommand& each : commands) {
    const std::string text = core::trust_key(each.command);
    Result<Unit> changed = Unit{};
    if (options.remove) changed = store.remove(text);
    if (agrees) store.add(text);
    if (!changed) return std::move(changed).error();
    each.trusted = agrees || (each.trusted && !options.remove);
  }
  const bool undecided = !options.remove && !all_trusted && !agrees;
  const std::string hint = undecided && !asks ? "Pass --yes to trust these commands.\n" : "";
  return print_answer(invocation, json_of(commands), commands_text(commands, invocation.out) + hint,
                      undecided ? exit_failed_or_found : exit_done);
}

}  // namespace

void add_trust_command(CLI::App& program, Invocation& invocation) {
  auto options = std::make_shared<TrustOptions>();
  CLI::App& command =
      add_command(program, invocation,
                  {.name = "trust",
                   .description = "Allow checks to run the commands that .snapback/config.json "
                                  "names. After a change a command must be trusted again.",
                   .examples = {{"snap trust", "shows the commands, and asks"},
                                {"snap trust --yes", "trusts them without asking"},
                                {"snap trust --remove", "withdraws the trust"}},
                   .exit_codes = "0 all are trusted, or the trust was withdrawn; 1 some are "
                                 "not, or it failed; 2 the command line is wrong."},
                  [options](const Invocation& now) { return trust(now, *options); });
  command.add_flag("-y,--yes", options->yes, "Trust without asking.");
  command.add_flag("--remove", options->remove, "Withdraw the trust from all of them.")->excludes("--yes");
}

}  // namespace snapgen::tools

#include "tools/cli/help.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/cli/sentence.h"
#include "tools/cli/command_line.h"
#include "tools/cli/terminal.h"

namespace snapgen::tools {
namespace {

// Returns the error for a command line; empty if the command line is valid.
std::string said_of(const std::string& program, std::vector<std::string> words) {
  Invocation chosen;
  const std::unique_ptr<CLI::App> all = all_commands(program, command_set_of(program, {}), chosen);
  words = std::vector<std::string>(words.rbegin(), words.rend());
  try {
    all->parse(words);
  } catch (const CLI::ParseError& error) {
    return cli::usage_error_sentence(*all, error, printable);
  }
  return chosen.run ? "" : "nothing was chosen";
}

TEST(CommandLine, EveryCommandDescribesItselfAndItsExitStatus) {
  Invocation chosen;
  const std::unique_ptr<CLI::App> all = all_commands("snap", CommandSet::snap_commands, chosen);
  std::set<std::string> seen;
  const auto look = [&](const auto& self, const CLI::App& app) -> void {
    const std::string name = cli::full_command_name(app);
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_TRUE(app.get_description().ends_with('.') || app.get_description().ends_with('?')) << name;
    const std::vector<const CLI::App*> within = app.get_subcommands({});
    EXPECT_TRUE(!within.empty() || app.get_footer().find("Exit codes: 0 ") != std::string::npos) << name;
    for (const CLI::Option* option : app.get_options())
      EXPECT_FALSE(option->get_description().empty()) << name << " " << option->get_name();
    for (const CLI::App* each : within) self(self, *each);
  };
  look(look, *all);
  for (const char* name :
       {"snap snapshot restore", "snap session checkpoint", "snap ctx blockers", "snap mcp http"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

TEST(CommandLine, ParsesValidArguments) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"snapshot", "list", "--json"},
        {"snapshot", "create", "a", "b", "-m", "why"},
        {"snapshot", "diff", "head", "snap_1", "--path", "a", "--path", "b"},
        {"check"},
        {"check", "full", "a", "b"},
        {"session", "start", "task", "--file", "a", "--file", "b"},
        {"mcp"},
        {"mcp", "--stdio", "--ws"},
        {"mcp", "http", "--port", "0"},
        {"store", "gc", "--keep-days", "3"}})
    EXPECT_EQ(said_of("snap", words), "") << words.front();
  EXPECT_EQ(said_of("snapgen-server", {"--stdio"}), "");
}

TEST(CommandLine, AnInvalidArgumentGivesAOneSentenceError) {
  EXPECT_EQ(said_of("snap", {"snapshat"}),
            "snap has no command snapshat; did you mean snapshot? (snap --help)");
  EXPECT_EQ(said_of("snap", {"snapshot", "xyzzy"}),
            "snap snapshot has no command xyzzy. (snap snapshot --help)");
  EXPECT_EQ(said_of("snap", {"snapshot", "list", "--jsn=1"}),
            "snap snapshot list has no option --jsn; did you mean --json? (snap snapshot list --help)");
  EXPECT_EQ(said_of("snap", {"store", "stats", "more"}),
            "snap store stats takes no argument more. (snap store stats --help)");
  EXPECT_EQ(
      said_of("snap", {"ctx"}),
      "snap ctx is not complete: say which of init, build, validate, status, constraint, check, blockers. "
      "(snap ctx --help)");
  EXPECT_EQ(said_of("snap", {"snapshot", "show"}),
            "snap snapshot show: ID is required. (snap snapshot show --help)");
  EXPECT_EQ(said_of("snapgen-server", {"--stdoi"}),
            "snapgen-server has no option --stdoi; did you mean --stdio? (snapgen-server --help)");
  EXPECT_EQ(said_of("snap", {"--limit", "snapshot", "list"}),
            "snap has no option --limit; write it after snap snapshot list. (snap --help)");
  EXPECT_EQ(said_of("snap", {"check", "quik"}),
            "snap check: MODE is one of quick, patterns, impact, circular, docs, build, test, full, all, not "
            "quik; did you mean quick? (snap check --help)");
  EXPECT_EQ(said_of("snap", {"init", "--host", "\x1b[2J"}),
            "snap init: --host is one of claude, codex, gemini, qwen, opencode, copilot, cursor, vscode, "
            "zed, kiro, junie, windsurf, desktop, not "
            "\\u001b[2J. (snap init --help)");
  EXPECT_EQ(said_of("snap", {"store", "gc", "--keep-days", "x"}).find("snap store gc: "), 0U);
  EXPECT_EQ(said_of("snap", {"\x1b[2J"}), "snap has no command \\u001b[2J. (snap --help)");
}

TEST(HelpFormatter, WorksAlsoAsASubcommand) {
  // Returns the output of `snap help`, or its error.
  const auto said = [](std::vector<std::string> words) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    Invocation chosen;
    chosen.out = {.fd = ends[1]};
    const std::unique_ptr<CLI::App> all = all_commands("snap", CommandSet::snap_commands, chosen);
    words.insert(words.begin(), "help");
    all->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const Result<int> outcome = chosen.run(chosen);
    ::close(ends[1]);
    std::string text(1 << 16, '\0');
    text.resize(static_cast<std::size_t>(::read(ends[0], text.data(), text.size())));
    ::close(ends[0]);
    return outcome ? text : text + outcome.error().message;
  };
  Invocation chosen;
  const std::unique_ptr<CLI::App> all = all_commands("snap", CommandSet::snap_commands, chosen);
  EXPECT_EQ(said({}), all->help());
  EXPECT_EQ(said({"snapshot"}), all->get_subcommand("snapshot")->help());
  EXPECT_EQ(said({"snapshot", "restore"}),
            all->get_subcommand("snapshot")->get_subcommand("restore")->help());
  EXPECT_EQ(said({"snapshat"}), "snap has no command snapshat; did you mean snapshot? (snap --help)");
  EXPECT_EQ(said({"snapshot", "\x1b[2J"}), "snap snapshot has no command \\u001b[2J. (snap snapshot --help)");
}

TEST(HelpFormatter, PrintsTheUsageAndWrapsLines) {
  Invocation chosen;
  chosen.out = {.fd = 1, .is_terminal = true, .has_colours = true, .width = 60};
  const std::unique_ptr<CLI::App> all = all_commands("snap", CommandSet::snap_commands, chosen);
  const std::string help = all->get_subcommand("snapshot")->get_subcommand("restore")->help();
  EXPECT_EQ(help.find("Usage: snap snapshot restore [OPTIONS] ID [PATH...]\n"), 0U) << help;
  EXPECT_NE(help.find("\n  -y, --yes "), std::string::npos) << help;
  EXPECT_NE(help.find("\n  --workspace DIR "), std::string::npos) << help;
  EXPECT_NE(help.find("\nExit codes: 0 "), std::string::npos) << help;
  EXPECT_EQ(first_sentence("One. Two."), "One");
  EXPECT_EQ(first_sentence("One only."), "One only");
}

}  // namespace
}  // namespace snapgen::tools

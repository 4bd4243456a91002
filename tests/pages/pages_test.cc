// Completions and manual pages of options whose texts contain syntax of shells and of roff.
#include "runtime/cli/pages.h"

#include <algorithm>
#include <string>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include "runtime/cli/completion.h"

namespace snapgen::cli {
namespace {

const Parameter* option_of(const Command& command, const std::string& name) {
  for (const Parameter& each : command.options)
    if (std::count(each.names.begin(), each.names.end(), name) > 0) return &each;
  return nullptr;
}

ManualMetadata text() {
  return {.product = "thing 1", .date = "2026-11-22", .other_names = {}, .see_also = {}};
}

std::string page_of(CLI::App& app) { return manual_pages(describe(app), text()).front().text; }

TEST(Description, ReadsAllPropertiesOfAnOptionFromCli11) {
  CLI::App app("About.", "thing");
  std::string place, level, folder;
  std::vector<std::string> many;
  int number = 3;
  bool flag = false;
  app.add_option("-p,--place", place, "Where.")->type_name("[HOST:]PORT")->expected(0, 1);
  app.add_option("--level", level, "How much.")->check(CLI::IsMember({"low", "high"}));
  app.add_option("--folder", folder, "In it.")->check(CLI::ExistingDirectory);
  app.add_option("--number", number, "So many.")->check(CLI::Range(0, 9))->capture_default_str();
  app.add_option("WHAT", many, "These.");
  app.add_flag("--flag", flag, "So.");
  app.add_flag("--hidden", flag, "No.")->group("");
  const Command command = describe(app);
  EXPECT_EQ(option_of(command, "--place")->placeholder, "[HOST:]PORT");
  EXPECT_EQ(option_of(command, "--place"), option_of(command, "-p"));
  EXPECT_TRUE(option_of(command, "--place")->value_optional);
  EXPECT_EQ(option_of(command, "--level")->values, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(value_placeholder(*option_of(command, "--level")), "low|high");
  EXPECT_EQ(option_of(command, "--folder")->value_kind, ValueKind::folder);
  EXPECT_EQ(option_of(command, "--number")->default_text, "3");
  EXPECT_TRUE(option_of(command, "--number")->values.empty());
  EXPECT_EQ(option_of(command, "--flag")->value_kind, ValueKind::nothing);
  EXPECT_EQ(option_of(command, "--hidden"), nullptr);
  ASSERT_EQ(command.positionals.size(), 1u);
  EXPECT_TRUE(command.positionals[0].is_repeatable);
  EXPECT_EQ(command.positionals[0].placeholder, "WHAT");
}

TEST(Description, ContainsAliasesAndInheritedOptionsButNoHiddenCommands) {
  CLI::App app("About.", "thing");
  bool loud = false;
  app.add_flag("--loud", loud, "Loud.");
  app.add_subcommand("seen", "It is.")->alias("s")->fallthrough();
  app.add_subcommand("alone", "It is, too.");
  app.add_subcommand("hidden", "It is not.")->group("");
  const Command command = describe(app);
  ASSERT_EQ(command.subcommands.size(), 2u);
  EXPECT_EQ(command.subcommands[0].path, "thing seen");
  EXPECT_EQ(command.subcommands[0].aliases, std::vector<std::string>{"s"});
  EXPECT_NE(option_of(command.subcommands[0], "--loud"), nullptr);
  EXPECT_EQ(option_of(command.subcommands[1], "--loud"), nullptr);
  EXPECT_NE(completion_script(command, Shell::bash, {}).find("'thing seen' | 'thing s'"), std::string::npos);
}

TEST(Manual, EscapesRequestsAndEscapeSequencesOfRoff) {
  CLI::App app(".TH is not one. A \\fBbackslash\\fR is itself, and 'quotes' are, `these` and \"those\".",
               "thing");
  app.footer("Examples:\n  .begins with a dot\n  'tis a quote\n\n  behind an empty line\n");
  const std::string page = page_of(app);
  EXPECT_NE(page.find("\n\\&.TH is not one."), std::string::npos);
  EXPECT_NE(page.find("\\efBbackslash\\efR"), std::string::npos);
  EXPECT_NE(page.find("\\(aqquotes\\(aq"), std::string::npos);
  EXPECT_NE(page.find("\\(gathese\\(ga"), std::string::npos);
  EXPECT_NE(page.find("\n\\&.begins with a dot\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\(aqtis a quote\n"), std::string::npos);
  EXPECT_NE(page.find(".SH \"EXAMPLES\""), std::string::npos);
}

TEST(Manual, SortsAFooterIntoSections) {
  CLI::App app("About.", "thing");
  app.footer("It has notes.\n\nExit codes: 0 done; 1 not.\n\nExample:\n  thing --help");
  const std::string page = page_of(app);
  const std::size_t notes = page.find("It has notes."), examples = page.find(".SH \"EXAMPLES\""),
                    status = page.find(".SH \"EXIT STATUS\"\n0 done; 1 not.\n");
  EXPECT_LT(notes, examples);
  EXPECT_LT(examples, status);
  EXPECT_NE(status, std::string::npos);
}

TEST(Manual, ListsManyValuesBelowTheirOption) {
  CLI::App app("About.", "thing");
  std::string few, many;
  app.add_option("--few", few, "These")->check(CLI::IsMember({"one", "two"}));
  app.add_option("--many", many, "Those.")
      ->type_name("NAME")
      ->check(CLI::IsMember({"something-long", "something-longer", "something-else", "and-more"}));
  const std::string page = page_of(app);
  EXPECT_NE(page.find("\\fB\\-\\-few\\fR \\fIone|two\\fR\nThese\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\fB\\-\\-many\\fR \\fINAME\\fR\nThose.\nOne of something\\-long, "),
            std::string::npos)
      << page;
}

TEST(Manual, DescribesOptionsOfAllCommandsOnce) {
  CLI::App app("About.", "thing");
  CLI::App* group = app.add_subcommand("group", "Both.");
  bool json = false;
  for (const char* name : {"one", "two"})
    group->add_subcommand(name, "It.")->add_flag("--json", json, "As JSON.");
  const std::vector<ManualPage> pages = manual_pages(describe(app), text());
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[1].name, "thing-group");
  const std::string& page = pages[1].text;
  EXPECT_EQ(page.find("As JSON."), page.rfind("As JSON."));
  EXPECT_NE(page.find("thing group two"), std::string::npos);
}

TEST(Completion, QuotesTextThatAShellWouldInterpret) {
  CLI::App app("About.", "thing");
  bool flag = false;
  app.add_flag("--flag", flag, "It's $(not) `run`, [really]: no \\.");
  const Command command = describe(app);
  EXPECT_NE(completion_script(command, Shell::zsh, {})
                .find("'(--flag)--flag[It'\\''s $(not) `run`, \\[really\\]\\: no \\\\]'"),
            std::string::npos)
      << completion_script(command, Shell::zsh, {});
  EXPECT_NE(completion_script(command, Shell::fish, {}).find("-d 'It\\'s $(not) `run`, [really]: no \\\\'"),
            std::string::npos);
}

}  // namespace
}  // namespace snapgen::cli

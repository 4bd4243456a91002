// The files that no tool changes: by their names, and through symlinks.
#include <cstdlib>
#include <filesystem>

#include "tests/engine/folder.h"
#include "tools/engine/write/protected_links.h"
#include "tools/engine/write/protected_paths.h"
#include "tools/engine/write/write_rules.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

TEST(ProtectedPaths, AreWhatAHostRunsOrObeys) {
  for (const char* path : {".snapback/config.json",
                           "a/.snapback/tools/x/y.json",
                           ".snapback/.gitignore",
                           ".mcp.json",
                           "a/b/.MCP.json",
                           ".claude/settings.json",
                           ".claude/settings.local.json",
                           ".claude/hooks/x.sh",
                           ".claude/commands/x.md",
                           ".claude/skills/s/SKILL.md",
                           ".claude/agents/a.md",
                           ".Claude/Commands/x.md",
                           ".opencode/plugin/x.ts",
                           ".opencode/tool/x.js",
                           ".opencode/tools/x.js",
                           "opencode.jsonc",
                           ".codex/config.toml",
                           ".codex/rules/a.rules",
                           ".gemini/.env",
                           ".gemini/commands/x.toml",
                           ".qwen/settings.json",
                           ".cursor/mcp.json",
                           ".kiro/hooks/a.kiro.hook",
                           ".kiro/settings/mcp.json",
                           ".junie/mcp/mcp.json",
                           ".windsurf/hooks.json",
                           ".zed/settings.json",
                           ".zed/tasks.json",
                           ".agents/plugins/marketplace.json",
                           ".copilot/mcp-config.json",
                           ".vscode/tasks.json",
                           ".vscode/settings.json",
                           ".vscode/launch.json",
                           ".github/hooks/x.json",
                           ".github/mcp.json",
                           ".claude/rules/run.sh",
                           ".claude/worktrees/side/.claude/settings.json"})
    EXPECT_TRUE(is_protected_path(path)) << path;
}

TEST(ProtectedPaths, AreNoTextsForModels) {
  for (const char* path :
       {"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/style/cpp.md", ".cursor/rules/a.mdc",
        ".kiro/steering/tech.md", ".junie/guidelines.md", ".kiro/specs/x/design.md", ".gemini/GEMINI.md",
        ".agents/notes.md", ".claude/worktrees/side/src/a.c", ".vscode/extensions.json",
        ".github/workflows/ci.yml", "src/.claudette/settings.json", "mcp.json", "docs/.codex.md",
        ".snapback/ctx/context.json", ".claude"})
    EXPECT_FALSE(is_protected_path(path)) << path;
  EXPECT_TRUE(is_above_protected("a/.claude")) << "a symlink in its place would provide other settings";
}

class ProtectedLinksTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("repo/shared.json", "{}\n");
    folder_.write("repo/src/a.txt", "a\n");
    run("git init -q");
  }
  void run(const std::string& command) {
    ASSERT_EQ(std::system(("cd '" + (folder_ / "repo") + "' && " + command).c_str()), 0) << command;
  }
  void link(const std::string& name, const std::string& target) {
    fs::create_directories(fs::path(folder_ / ("repo/" + name)).parent_path());
    fs::create_symlink(target, folder_ / ("repo/" + name));
  }
  // Returns the setting that leads to `path`, as a new server finds it.
  std::string setting_at(const std::string& path, const std::vector<std::string>& outside = {}) {
    const Root root = *Root::open(folder_ / "repo");
    const Repository repository = *Repository::open(folder_ / "repo");
    const ProtectedLinks links(root, repository, "", outside);
    return ProtectedLinks::Moment(links).setting_at(path);
  }
  Folder folder_;
};

TEST_F(ProtectedLinksTest, FindTheTargetOfASettingsFile) {
  link(".mcp.json", "shared.json");
  EXPECT_EQ(setting_at("shared.json"), ".mcp.json");
  EXPECT_EQ(setting_at("src/a.txt"), "");
}

TEST_F(ProtectedLinksTest, FindFilesInTheTargetOfAHostsFolder) {
  folder_.write("repo/conf/claude/settings.json", "{}\n");
  link(".claude", "conf/claude");
  EXPECT_EQ(setting_at("conf/claude/settings.json"), ".claude");
  EXPECT_EQ(setting_at("conf/claude/hooks/new.sh"), ".claude") << "a file that does not exist yet";
  EXPECT_EQ(setting_at("conf/claude/CLAUDE.md"), "") << "text for a model";
}

TEST_F(ProtectedLinksTest, FollowLinksInFoldersOfHosts) {
  folder_.write("repo/conf/skills/s/SKILL.md", "s\n");
  folder_.write("repo/scripts/run.sh", "s\n");
  link(".claude/skills", "../conf/skills");
  link("conf/skills/s/run.sh", "../../../scripts/run.sh");
  EXPECT_NE(setting_at("conf/skills/s/SKILL.md"), "");
  EXPECT_EQ(setting_at("scripts/run.sh"), ".claude/skills/s/run.sh");
}

TEST_F(ProtectedLinksTest, FindTrackedLinksInOtherFolders) {
  link("packages/a/.mcp.json", "../../shared.json");
  EXPECT_EQ(setting_at("shared.json"), "") << "git does not know it, and no folder above has it";
  run("git add packages");
  EXPECT_EQ(setting_at("shared.json"), "packages/a/.mcp.json");
}

TEST_F(ProtectedLinksTest, NoticeANewLink) {
  const Root root = *Root::open(folder_ / "repo");
  const Repository repository = *Repository::open(folder_ / "repo");
  const ProtectedLinks links(root, repository, "", {});
  EXPECT_EQ(ProtectedLinks::Moment(links).setting_at("shared.json"), "");
  link(".gemini/settings.json", "../shared.json");
  EXPECT_EQ(ProtectedLinks::Moment(links).setting_at("shared.json"), ".gemini/settings.json");
}

TEST_F(ProtectedLinksTest, FindTheUsersFilesInTheWorkspace) {
  // The home folder is the workspace, and another file is a symlink into it.
  fs::create_symlink(folder_ / "repo/dotfiles/gitconfig", folder_ / "gitconfig");
  EXPECT_EQ(setting_at(".gitconfig", {folder_ / "repo/.gitconfig"}), folder_ / "repo/.gitconfig");
  EXPECT_EQ(setting_at("dotfiles/gitconfig", {folder_ / "gitconfig"}), folder_ / "gitconfig");
  EXPECT_EQ(setting_at(".config/snapgen/config.json", {folder_ / "repo/.config/snapgen"}),
            folder_ / "repo/.config/snapgen");
}

TEST_F(ProtectedLinksTest, FindGitsIncludesAndHooks) {
  folder_.write("repo/team.gitconfig", "[includeIf \"onbranch:none\"]\n\tpath = sub/more.cfg\n");
  run("git config include.path ../team.gitconfig");
  run("git config core.hooksPath tools/hooks");
  for (const char* path : {"team.gitconfig", "sub/more.cfg", "tools/hooks/pre-commit"})
    EXPECT_NE(setting_at(path), "") << path;
  EXPECT_EQ(setting_at("tools/a.sh"), "");
}

TEST_F(ProtectedLinksTest, FindThemInAConfigurationThatOnlyGitUnderstands) {
  folder_.write("repo/.git/config",
                "[core] hooksPath = hk\n[include] path = \"../s.cfg\" # mine\n[alias] lg = log\t--oneline\n"
                "[includeIf \"hasconfig:remote.*.url:x]\"] path = ../c.cfg\n");
  for (const char* path : {"hk/pre-commit", "s.cfg", "c.cfg"}) EXPECT_NE(setting_at(path), "") << path;
  folder_.write("repo/.git/config", "[core]\n\thooksPath =\n");
  EXPECT_EQ(setting_at("src/a.txt"), "") << "an empty folder of hooks";
}

TEST_F(ProtectedLinksTest, NoticeThatTheConfigurationChanged) {
  const Root root = *Root::open(folder_ / "repo");
  const Repository repository = *Repository::open(folder_ / "repo");
  const ProtectedLinks links(root, repository, "", {});
  EXPECT_EQ(ProtectedLinks::Moment(links).setting_at(".husky/pre-commit"), "");
  run("git config core.hooksPath .husky/_");
  EXPECT_NE(ProtectedLinks::Moment(links).setting_at(".husky/_/h"), "");
  EXPECT_NE(ProtectedLinks::Moment(links).setting_at(".husky/pre-commit"), "") << "husky's own hook runs it";
}

TEST_F(ProtectedLinksTest, ProtectTheSymlinksOnTheWay) {
  folder_.write("repo/real/settings.json", "{}\n");
  link("mid", "real");
  link(".claude", "mid");
  link("pl", "p");
  folder_.write("repo/p/q/m.json", "{}\n");
  link(".mcp.json", "pl/q/m.json");
  link(".gemini/settings.json", "../later/m.json");
  for (const char* path :
       {".claude", "mid", "real/settings.json", "pl", "p/q/m.json", ".mcp.json", "later/m.json"})
    EXPECT_NE(setting_at(path), "") << path;
  const Root root = *Root::open(folder_ / "repo");
  const Repository repository = *Repository::open(folder_ / "repo");
  const ProtectedLinks links(root, repository, "", {folder_ / "repo/.config/snapgen"});
  EXPECT_NE(ProtectedLinks::Moment(links).setting_below("later"), "")
      << "a symlink in place of the missing folder";
  EXPECT_NE(ProtectedLinks::Moment(links).setting_below("p"), "");
  EXPECT_NE(ProtectedLinks::Moment(links).setting_below(".config"), "");
  EXPECT_EQ(ProtectedLinks::Moment(links).setting_below("src"), "");
}

TEST_F(ProtectedLinksTest, ASymlinkMayNotTakeThePlaceOfAFolderToWhichAHostsFolderLeads) {
  link(".claude", "laterdir");
  const Root root = *Root::open(folder_ / "repo");
  const Repository repository = *Repository::open(folder_ / "repo");
  WriteRules rules;
  rules.protect_targets_of(
      std::make_shared<ProtectedLinks>(root, repository, "", std::vector<std::string>()));
  EXPECT_FALSE(rules.check(TreeChange{.path = "laterdir", .mode = FileMode::symlink, .bytes = "evil"}));
  EXPECT_TRUE(rules.check(TreeChange{.path = "laterdir/CLAUDE.md", .bytes = "text"}));
  EXPECT_FALSE(rules.check(TreeChange{.path = "laterdir/settings.json", .bytes = "{}"}));
}

TEST_F(ProtectedLinksTest, TheErrorNamesTheLink) {
  link(".mcp.json", "shared.json");
  const Root root = *Root::open(folder_ / "repo");
  const Repository repository = *Repository::open(folder_ / "repo");
  WriteRules rules;
  rules.protect_targets_of(
      std::make_shared<ProtectedLinks>(root, repository, "", std::vector<std::string>()));
  const Result<Unit> denied = rules.check("shared.json");
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, ErrorCode::permission_denied);
  EXPECT_NE(denied.error().message.find(".mcp.json, which leads to it, decides what"), std::string::npos)
      << denied.error().message;
  ASSERT_TRUE(rules.unprotect({"shared.json"}));
  EXPECT_TRUE(rules.check("shared.json"));
}

}  // namespace
}  // namespace snapgen::core

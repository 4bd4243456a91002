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
        ".kiro/steering/tech.md", ".kiro/specs/x/design.md", ".gemini/GEMINI.md", ".agents/notes.md",
        ".claude/worktrees/side/src/a.c", ".vscode/extensions.json", ".github/workflows/ci.yml",
        "src/.claudette/settings.json", "mcp.json", "docs/.codex.md", ".snapback/ctx/context.json",
        ".claude"})
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
    return ProtectedLinks(root, repository, "", outside).setting_at(path);
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
  EXPECT_EQ(setting_at("conf/skills/s/SKILL.md"), ".claude/skills");
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
  EXPECT_EQ(links.setting_at("shared.json"), "");
  link(".gemini/settings.json", "../shared.json");
  EXPECT_EQ(links.setting_at("shared.json"), ".gemini/settings.json");
}

TEST_F(ProtectedLinksTest, FindTheUsersFilesInTheWorkspace) {
  // The home folder is the workspace, and another file is a symlink into it.
  fs::create_symlink(folder_ / "repo/dotfiles/gitconfig", folder_ / "gitconfig");
  EXPECT_EQ(setting_at(".gitconfig", {folder_ / "repo/.gitconfig"}), folder_ / "repo/.gitconfig");
  EXPECT_EQ(setting_at("dotfiles/gitconfig", {folder_ / "gitconfig"}), folder_ / "gitconfig");
  EXPECT_EQ(setting_at(".config/snapgen/config.json", {folder_ / "repo/.config/snapgen"}),
            folder_ / "repo/.config/snapgen");
}

TEST_F(ProtectedLinksTest, GitsObeyedFilesAreItsIncludesAndHooks) {
  run("git config include.path ../team.gitconfig");
  run("git config core.hooksPath tools/hooks");
  const std::vector<std::string> obeyed = git::obeyed_files(*Repository::open(folder_ / "repo"));
  EXPECT_EQ(setting_at("team.gitconfig", obeyed).ends_with("team.gitconfig"), true);
  EXPECT_EQ(setting_at("tools/hooks/pre-commit", obeyed).ends_with("tools/hooks"), true);
  EXPECT_EQ(setting_at("tools/a.sh", obeyed), "");
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

// Which folder is found from the sources: each source alone and together with the next one, and each folder
// that must not be used.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/folder.h"
#include "tools/server/trees/find_workspace.h"

namespace snapgen::tools {
namespace {

// A scratch folder with these folders:
//
//   repo/       a repository that contains sub/deep/
//   other/      a repository
//   linked/     a work tree of repo: its .git is a file
//   outer/      a repository that contains broken/, a former work tree of repo: its .git file names nothing
//   leftover/   contains an empty folder .git, and inner/
//   package/    contains package.json, and inner/
//   state/      contains .snapback/, and inner/
//   home/       a repository that contains project/ (a repository), notes/ (empty) and plugins/tool/bin
//   plain/      empty
class World {
 public:
  World() {
    for (const char* each : {"repo", "other", "outer", "home", "home/project"}) make_repository(each);
    for (const char* each :
         {"repo/sub/deep", "leftover/.git", "leftover/inner", "state/.snapback", "state/inner", "home/notes",
          "home/plugins/tool/bin", "plain", "package/inner", "repo/.git/worktrees/linked"})
      std::filesystem::create_directories(at(each));
    folder_.write("repo/.git/worktrees/linked/HEAD", "ref: refs/heads/side\n");
    folder_.write("repo/.git/worktrees/linked/commondir", "../..\n");
    folder_.write("linked/.git", "gitdir: " + at("repo/.git/worktrees/linked") + "\n");
    folder_.write("outer/broken/.git", "gitdir: " + at("repo/.git/worktrees/gone") + "\n");
    folder_.write("package/package.json", "{}");
    folder_.link("way", "repo/sub");
  }

  std::string at(const std::string& name) const { return folder_ / name; }

  // The sources of a process that was started in `current` by a parent process in plain/.
  WorkspaceSources from(const std::string& current) const {
    WorkspaceSources sources;
    sources.current_folder = at(current);
    sources.parent_folder = at("plain");
    sources.home = at("home");
    return sources;
  }

  // Returns the workspaces, by their names in this world; or the error's message.
  std::string found(const WorkspaceSources& sources) const {
    Result<std::vector<std::string>> folders = find_workspaces(sources);
    if (!folders) return "error: " + folders.error().message;
    std::string names;
    for (const std::string& each : *folders)
      names += (names.empty() ? "" : " ") +
               (each == folder_.path() ? std::string(".") : each.substr(folder_.path().size() + 1));
    return names;
  }

 private:
  void make_repository(const std::string& name) const {
    folder_.write(name + "/.git/HEAD", "ref: refs/heads/main\n");
    std::filesystem::create_directories(at(name + "/.git/objects"));
    std::filesystem::create_directories(at(name + "/.git/refs"));
  }

  core::Folder folder_;
};

bool refuses(const std::string& found, const std::string& sentence) {
  return found.starts_with("error: ") && found.find(sentence) != std::string::npos &&
         found.find("--workspace DIR") != std::string::npos;
}

TEST(FindWorkspaces, TheCurrentFolderLeadsToTheNearestWorkspace) {
  const World world;
  struct Case {
    const char* current;
    const char* expected;  // empty: no workspace
  };
  for (const Case& each :
       {Case{"repo", "repo"}, Case{"repo/sub/deep", "repo"}, Case{"way", "repo"}, Case{"linked", "linked"},
        Case{"outer/broken", "outer/broken"}, Case{"state/inner", "state"}, Case{"package/inner", "package"},
        Case{"home/project", "home/project"}, Case{"plain", ""}, Case{"leftover", ""},
        Case{"leftover/inner", ""}, Case{"home", ""}, Case{"home/notes", ""}, Case{"gone", ""}}) {
    const std::string found = world.found(world.from(each.current));
    if (*each.expected != '\0')
      EXPECT_EQ(found, each.expected) << each.current;
    else
      EXPECT_TRUE(refuses(found, "There is no workspace: neither the current folder"))
          << each.current << found;
  }
  EXPECT_TRUE(refuses(world.found(world.from("home/notes")), "is served only if you name it"));
  WorkspaceSources root = world.from("plain");
  root.current_folder = "/";
  EXPECT_TRUE(refuses(world.found(root), "There is no workspace"));
}

// In this test each source names a different folder.
TEST(FindWorkspaces, TheFirstSourceThatNamesAFolderIsUsed) {
  const World world;
  WorkspaceSources sources = world.from("home/plugins/tool/bin");
  sources.plugin_folders = {world.at("home/plugins/tool")};
  sources.parent_folder = world.at("package/inner");
  EXPECT_EQ(world.found(sources), "package");
  sources.project_folders = {world.at("state/inner"), world.at("other")};
  EXPECT_EQ(world.found(sources), "state");
  sources.request_folders = {world.at("home/project")};
  EXPECT_EQ(world.found(sources), "home/project");
  sources.roots = {world.at("repo/sub")};
  EXPECT_EQ(world.found(sources), "repo");
  sources.variable = world.at("linked");
  EXPECT_EQ(world.found(sources), "linked");
  sources.argument = world.at("other");
  EXPECT_EQ(world.found(sources), "other");
}

TEST(FindWorkspaces, AnExplicitFolderIsUsedExactlyOrRejected) {
  const World world;
  for (const bool by_argument : {true, false}) {
    const auto name = [&](const std::string& folder) {
      WorkspaceSources sources = world.from("repo");
      (by_argument ? sources.argument : sources.variable) = folder;
      return world.found(sources);
    };
    EXPECT_EQ(name(world.at("home")), "home") << "the home folder counts if it is named";
    EXPECT_EQ(name(world.at("way/..")), "repo");
    EXPECT_TRUE(refuses(name(world.at("repo/sub")), "does not contain .git with a HEAD"));
    EXPECT_TRUE(refuses(name(world.at("leftover")), "does not contain .git with a HEAD"));
    EXPECT_TRUE(refuses(name(world.at("gone")), "is not a folder"));
    EXPECT_TRUE(refuses(name(""), by_argument ? "--workspace" : "SNAPBACK_WORKSPACE_ROOT"));
  }
}

TEST(FindWorkspaces, NeitherRootsNorTheRequestLeadToTheHomeFolder) {
  const World world;
  for (const bool by_roots : {true, false}) {
    const auto name = [&](std::vector<std::string> folders) {
      WorkspaceSources sources = world.from("repo");
      (by_roots ? sources.roots : sources.request_folders) = std::move(folders);
      return world.found(sources);
    };
    EXPECT_EQ(name({world.at("other")}), "other");
    EXPECT_EQ(name({world.at("repo/sub"), world.at("other"), world.at("repo")}), "repo other");
    EXPECT_EQ(name({world.at("plain"), world.at("other")}), "other");
    for (const char* each : {"home", "home/notes", "plain", "leftover/inner", "gone"})
      EXPECT_TRUE(refuses(name({world.at(each)}), "There is no workspace")) << each;
    EXPECT_TRUE(refuses(name({"/"}), "There is no workspace"));
  }
}

TEST(FindWorkspaces, APluginsFolderDoesNotLeadToAWorkspace) {
  const World world;
  WorkspaceSources sources = world.from("home/project/plugin");
  std::filesystem::create_directories(world.at("home/project/plugin"));
  sources.plugin_folders = {world.at("home/project/plugin")};
  sources.parent_folder = world.at("repo/sub");
  EXPECT_EQ(world.found(sources), "repo");
  // A parent process in the plugin's folder, or one whose folder cannot be read, is ignored.
  for (const std::string& parent : {world.at("home/project/plugin"), std::string()}) {
    sources.parent_folder = parent;
    EXPECT_TRUE(refuses(world.found(sources), "was started in a plugin's folder"));
  }
  sources.parent_folder = world.at("plain");
  EXPECT_TRUE(refuses(world.found(sources), "neither the parent process's folder"));
  // A parent process in the project's folder is used.
  WorkspaceSources outside = world.from("repo/sub");
  outside.plugin_folders = {world.at("home/plugins/tool")};
  EXPECT_EQ(world.found(outside), "repo");
  // The search from a root inside a plugin's folder does not go above that folder.
  outside.roots = {world.at("home/project/plugin")};
  outside.plugin_folders = {world.at("home/project/plugin")};
  EXPECT_TRUE(refuses(world.found(outside), "There is no workspace"));
  outside.plugin_folders = {world.at("home/project")};
  EXPECT_EQ(world.found(outside), "home/project");
}

TEST(FindWorkspaces, ACommandNeedsOneWorkspace) {
  const World world;
  WorkspaceSources sources = world.from("plain");
  sources.roots = {world.at("repo"), world.at("other")};
  EXPECT_EQ(resolve_workspace(sources).error().code, ErrorCode::invalid_argument);
  sources.roots.pop_back();
  ASSERT_TRUE(resolve_workspace(sources));
  EXPECT_EQ(*resolve_workspace(sources), world.at("repo"));
}

TEST(FolderOfUri, IsThePathOfALocalFileUri) {
  EXPECT_EQ(folder_of_uri("file:///home/user/a%20b"), "/home/user/a b");
  EXPECT_EQ(folder_of_uri("file://localhost/a%C3%A9"), "/a\xc3\xa9");
  EXPECT_EQ(folder_of_uri("file:///a%zz"), "/a%zz");
  for (const char* each : {"file://server/share", "http://localhost/a", "/home/user", "file:///a%00b", ""})
    EXPECT_EQ(folder_of_uri(each), std::nullopt) << each;
}

TEST(PluginFolderOf, IsTheNearestFolderWithAManifestAboveTheProgram) {
  const core::Folder folder;
  folder.write("agent/plugin.json", "{}");
  folder.write("agent/bin/linux-x64/snapgen-server", "");
  folder.write("agent/a/b/c/snapgen-server", "");
  folder.write("host/.claude-plugin/plugin.json", "{}");
  folder.write("usr/bin/snapgen-server", "");
  EXPECT_EQ(plugin_folder_of(folder / "agent/bin/linux-x64/snapgen-server"), folder / "agent");
  EXPECT_EQ(plugin_folder_of(folder / "host/bin/snapgen-server"), folder / "host");
  EXPECT_EQ(plugin_folder_of(folder / "agent/a/b/c/snapgen-server"), std::nullopt);
  EXPECT_EQ(plugin_folder_of(folder / "usr/bin/snapgen-server"), std::nullopt);
  EXPECT_EQ(plugin_folder_of(""), std::nullopt);
  EXPECT_EQ(plugin_folder_of("/snapgen-server"), std::nullopt);
}

}  // namespace
}  // namespace snapgen::tools

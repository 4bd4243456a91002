// The servers that a host's file names, and how our entry is added.
#include "tools/cli/hosts/host_file.h"

#include <gtest/gtest.h>

#include "tests/engine/folder.h"

namespace snapgen::tools {
namespace {

std::string edited(std::string_view text, Host host, const std::string& program = "/opt/bin/snap") {
  Result<std::string> out =
      with_our_entry(text, host, {.entry = entry_for(host, program, "/w"), .workspace = "/w"});
  return out ? *out : "error: " + out.error().message;
}

TEST(HostFile, ANewFileHasTheFormOfItsHost) {
  EXPECT_EQ(edited("", Host::claude),
            "{\n  \"mcpServers\": {\n    \"snapgen\": {\n      \"command\": \"/opt/bin/snap\",\n"
            "      \"args\": [\"mcp\", \"--stdio\"]\n    }\n  }\n}\n");
  EXPECT_EQ(edited("\n", Host::vscode, "/opt/snapgen-server"),
            "{\n  \"servers\": {\n    \"snapgen\": {\n      \"type\": \"stdio\",\n"
            "      \"command\": \"/opt/snapgen-server\",\n"
            "      \"args\": [\"--stdio\", \"--workspace\", \"${workspaceFolder}\"]\n    }\n  }\n}\n");
  for (const auto& [form, traits] : all_hosts()) {
    const Host host = form.host;
    const std::string text = edited("", host);
    EXPECT_EQ(edited(text, host), text);
    EXPECT_EQ(entry_to_paste(host, entry_for(host, "/opt/bin/snap", "/w")), text);
    Result<std::vector<HostServer>> servers = servers_of(text, host);
    ASSERT_TRUE(servers);
    ASSERT_EQ(servers->size(), 1U);
    EXPECT_TRUE(is_our_entry(servers->front()));
    EXPECT_EQ(wrong_arguments_sentence(servers->front()), "");
  }
}

TEST(HostFile, KeepsOtherServersAndMembers) {
  const std::string text =
      "{\n    // mine\n    \"inputs\": [],\n    \"servers\": {\n        \"other\": { \"url\": \"http://x\" "
      "},\n"
      "        \"Snap\": {\n            \"command\": \"/gone/snapback\", // old\n            \"env\": { "
      "\"A\": \"b\" }\n        }\n    }\n}\n";
  const std::string expected =
      "{\n    // mine\n    \"inputs\": [],\n    \"servers\": {\n        \"other\": { \"url\": \"http://x\" "
      "},\n"
      "        \"Snap\": {\n            \"command\": \"/opt/bin/snap\", // old\n            \"env\": { "
      "\"A\": \"b\" },\n"
      "            \"type\": \"stdio\",\n            \"args\": [\"mcp\", \"--stdio\", \"--workspace\", "
      "\"${workspaceFolder}\"]\n        }\n    }\n}\n";
  EXPECT_EQ(edited(text, Host::vscode), expected);
  EXPECT_EQ(edited(expected, Host::vscode), expected);
  Result<std::vector<HostServer>> servers = servers_of(expected, Host::vscode);
  ASSERT_TRUE(servers);
  ASSERT_EQ(servers->size(), 2U);
  EXPECT_EQ(servers->at(1).environment, std::vector<std::string>{"A=b"});
  EXPECT_FALSE(is_our_entry(servers->at(0)));
}

TEST(HostFile, KeepsFlagsThatTheUserAdded) {
  const std::string text =
      "{\"mcpServers\": {\"s\": {\"command\": \"/opt/bin/snap\", \"args\": [\"mcp\", \"--ws\", "
      "\"--stdio\"]}}}";
  EXPECT_EQ(edited(text, Host::claude), text);
}

TEST(HostFile, DoesNotChangeUnreadableFiles) {
  for (const char* text :
       {"{\"mcpServers\": []}", "[]", "{\"mcpServers\": {\"a\": 1}}", "{// c\n}", "{\"a\":1,}",
        "{\"mcpServers\": {\"a\": {\"command\": 1}}}", "{\"mcpServers\": {\"a\": {\"args\": \"x\"}}}",
        "{\"mcpServers\": {\"a\": {\"args\": [1]}}}", "nonsense", "{\"a\":1,\"a\":2}"})
    EXPECT_TRUE(edited(text, Host::claude).starts_with("error: ")) << text;
}

TEST(HostFile, ComparesArgumentsByProgramName) {
  auto judged = [](std::string command, std::vector<std::string> args) {
    return wrong_arguments_sentence({.name = "x", .command = std::move(command), .args = std::move(args)});
  };
  EXPECT_EQ(judged("/a/snap", {"mcp", "--stdio"}), "");
  EXPECT_EQ(judged("snapgen-server", {"--workspace", "/a", "--stdio"}), "");
  EXPECT_EQ(judged("/a/snapgen-server-linux-x64", {"--stdio"}), "");
  EXPECT_NE(judged("/a/snap", {"--stdio"}), "");
  EXPECT_NE(judged("/a/snap", {}), "");
  EXPECT_NE(judged("/a/snapgen-server", {"--ws"}), "");
}

TEST(HostFile, EachHostHasItsPathAndFormat) {
  const core::Folder folder;
  const auto file = [&](const char* name) { return host_file(*host_named(name), folder.path()); };
  EXPECT_EQ(file("claude"), ".mcp.json");
  EXPECT_EQ(file("codex"), ".codex/config.toml");
  EXPECT_EQ(file("gemini"), ".gemini/settings.json");
  EXPECT_EQ(file("qwen"), ".qwen/settings.json");
  EXPECT_EQ(file("opencode"), "opencode.json");
  EXPECT_EQ(file("copilot"), ".github/mcp.json");
  EXPECT_EQ(file("cursor"), ".cursor/mcp.json");
  EXPECT_EQ(file("vscode"), ".vscode/mcp.json");
  EXPECT_EQ(file("zed"), ".zed/settings.json");
  EXPECT_EQ(file("kiro"), ".kiro/settings/mcp.json");
  EXPECT_EQ(file("junie"), ".junie/mcp/mcp.json");
  EXPECT_EQ(file("windsurf"), "~/.codeium/windsurf/mcp_config.json");
  EXPECT_TRUE(file("desktop").starts_with("~/"));
  EXPECT_FALSE(host_named("emacs"));
  // `snap init` uses the existing file; if there are several, the one with our entry.
  folder.write("opencode.jsonc", "{}");
  EXPECT_EQ(file("opencode"), "opencode.jsonc");
  folder.write(".opencode/opencode.json", R"({"mcp":{"snapgen":{"type":"local","command":["/bin/snap"]}}})");
  EXPECT_EQ(file("opencode"), ".opencode/opencode.json");
  EXPECT_EQ(edited("", Host::opencode),
            "{\n  \"mcp\": {\n    \"snapgen\": {\n      \"type\": \"local\",\n"
            "      \"command\": [\"/opt/bin/snap\", \"mcp\", \"--stdio\"]\n    }\n  }\n}\n");
  EXPECT_EQ(edited("", Host::codex),
            "[mcp_servers.snapgen]\ncommand = \"/opt/bin/snap\"\nargs = [\"mcp\", \"--stdio\"]\n");
}

TEST(HostFile, WritesTheProfileIfRequested) {
  const auto with = [](std::string_view text, Host host, const std::string& profile, bool sets) {
    return *with_our_entry(
        text, host,
        {.entry = entry_for(host, "/opt/bin/snap", "/w", profile), .workspace = "/w", .sets_profile = sets});
  };
  const std::string first = with("", Host::cursor, "first", false);
  EXPECT_NE(
      first.find(R"("args": ["mcp", "--stdio", "--profile", "first", "--workspace", "${workspaceFolder}"])"),
      std::string::npos)
      << first;
  EXPECT_EQ(with(first, Host::cursor, "full", false), first);
  EXPECT_NE(with(first, Host::cursor, "full", true).find(R"("--profile", "full", "--workspace")"),
            std::string::npos);
  for (const auto& [form, traits] : all_hosts()) {
    const std::string mine = with(edited("", form.host), form.host, "wire", true);
    Result<std::vector<HostServer>> servers = servers_of(mine, form.host);
    ASSERT_TRUE(servers) << form.name;
    EXPECT_EQ(option_value(servers->front().args, "--profile"), "wire") << form.name;
  }
}

TEST(HostFile, AnEntryNamesTheWorkspaceIfItsHostStartsElsewhere) {
  const auto with = [](std::string_view text, Host host, const std::string& workspace) {
    return *with_our_entry(text, host,
                           {.entry = entry_for(host, "/opt/bin/snap", workspace), .workspace = workspace});
  };
  for (const auto& [form, traits] : all_hosts()) {
    const std::string text = with("", form.host, "/my/w");
    EXPECT_EQ(text.find("\"/my/w\"") != std::string::npos, form.needs_workspace) << form.name;
  }
  // The entry of a moved workspace gets its new folder, and one without a folder gets one.
  const std::string moved = with(with("", Host::kiro, "/old"), Host::kiro, "/my/w");
  EXPECT_EQ(moved, with("", Host::kiro, "/my/w"));
  const std::string bare =
      R"({"mcpServers": {"mine": {"command": "/opt/bin/snap", "args": ["mcp", "--stdio"]}}})";
  EXPECT_EQ(
      with(bare, Host::desktop, "/my/w"),
      R"({"mcpServers": {"mine": {"command": "/opt/bin/snap", "args": ["mcp", "--stdio", "--workspace", "/my/w"]}}})");
  const std::string by_variable =
      R"({"mcpServers": {"mine": {"command": "/opt/bin/snap", "args": ["mcp", "--stdio"], "env": {"SNAPBACK_WORKSPACE_ROOT": "/my/w"}}}})";
  EXPECT_EQ(with(by_variable, Host::desktop, "/my/w"), by_variable);
}

TEST(HostFile, AFileOfTheHomeFolderHasAnEntryForEachWorkspace) {
  const auto with = [](std::string_view text, const std::string& workspace) {
    return *with_our_entry(
        text, Host::windsurf,
        {.entry = entry_for(Host::windsurf, "/opt/bin/snap", workspace), .workspace = workspace});
  };
  const std::string one = with("", "/a/my repo");
  const std::string two = with(one, "/b/my repo");
  const std::string three = with(two, "/c/my repo");
  EXPECT_EQ(with(three, "/b/my repo"), three);
  const Result<std::vector<HostServer>> servers = servers_of(three, Host::windsurf);
  ASSERT_TRUE(servers);
  std::vector<std::string> names;
  for (const HostServer& each : *servers) names.push_back(each.name + " " + workspace_of(each));
  EXPECT_EQ(names, (std::vector<std::string>{"snapgen /a/my repo", "snapgen-my-repo /b/my repo",
                                             "snapgen-my-repo-2 /c/my repo"}));
  // Only the entry of the named workspace is removed.
  EXPECT_EQ(*without_our_entry(two, Host::windsurf, "/b/my repo"), one);
  EXPECT_EQ(*without_our_entry(two, Host::windsurf, "/other"), two);
}

TEST(HostFile, AUserFileCanConfigureServersForOneFolder) {
  const std::string text =
      R"({"mcpServers":{"a":{"command":"/a"}},"projects":{"/w":{"mcpServers":{"snapgen":{"command":"/b/snap"}}}}})";
  Result<std::vector<HostServer>> all = servers_of(text, Host::claude, "/w");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->at(1).command, "/b/snap");
  EXPECT_EQ(servers_of(text, Host::claude, "/other")->size(), 1U);
  Result<std::vector<HostServer>> local = servers_of(
      R"({"mcp":{"a":{"type":"local","command":["/bin/snap","mcp"],"enabled":false,"environment":{"A":"b"}}}})",
      Host::opencode);
  ASSERT_TRUE(local);
  EXPECT_EQ(local->front().command, "/bin/snap");
  EXPECT_EQ(local->front().args, std::vector<std::string>{"mcp"});
  EXPECT_EQ(local->front().environment, std::vector<std::string>{"A=b"});
  EXPECT_TRUE(local->front().is_disabled);
}

TEST(HostFile, FindsItsEntryByNameOrProgram) {
  const auto ours = [](std::string name, std::string command) {
    return is_our_entry({.name = std::move(name), .command = std::move(command)});
  };
  EXPECT_TRUE(ours("x", "/opt/snap"));
  EXPECT_TRUE(ours("x", "snapback"));
  EXPECT_TRUE(ours("x", "/opt/snapgen-server-linux-x64"));
  EXPECT_TRUE(ours("snapgen", "npx"));
  EXPECT_FALSE(ours("x", "npx"));
  EXPECT_FALSE(ours("snapgen", ""));
}

TEST(HostFile, RemovesOnlyItsEntry) {
  const auto without = [](std::string_view text, Host host) {
    Result<std::string> out = without_our_entry(text, host, "/w");
    return out ? *out : "error: " + out.error().message;
  };
  const std::string others =
      "{\n  // mine\n  \"mcpServers\": {\n    \"other\": {\"command\": \"/x\"} // last\n  }\n}\n";
  const std::string with = edited(others, Host::qwen);
  EXPECT_NE(with, others);
  EXPECT_EQ(without(with, Host::qwen), others);
  EXPECT_EQ(without(others, Host::qwen), others);
  EXPECT_EQ(without("", Host::claude), "");
  EXPECT_EQ(without("{\"mcpServers\": {\"a\": {\"command\": \"snap\"}, \"b\": {\"command\": \"/x\"}}}",
                    Host::claude),
            "{\"mcpServers\": {\"b\": {\"command\": \"/x\"}}}");
  EXPECT_TRUE(without("{", Host::claude).starts_with("error: "));
}

}  // namespace
}  // namespace snapgen::tools

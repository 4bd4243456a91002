// Whose servers a host's file names, and how ours gets there.
#include "tools/cli/hosts/host_file.h"

#include <gtest/gtest.h>

namespace snapgen::tools {
namespace {

std::string edited(std::string_view text, Host host, const std::string& program = "/opt/bin/snap") {
  Result<std::string> out = with_our_entry(text, host, entry_for(host, program));
  return out ? *out : "error: " + out.error().message;
}

TEST(HostFile, ANewFileSaysWhatTheHostNeeds) {
  EXPECT_EQ(edited("", Host::claude),
            "{\n  \"mcpServers\": {\n    \"snapgen\": {\n      \"command\": \"/opt/bin/snap\",\n"
            "      \"args\": [\"mcp\", \"--stdio\"]\n    }\n  }\n}\n");
  EXPECT_EQ(edited("\n", Host::vscode, "/opt/snapgen-server"),
            "{\n  \"servers\": {\n    \"snapgen\": {\n      \"type\": \"stdio\",\n"
            "      \"command\": \"/opt/snapgen-server\",\n"
            "      \"args\": [\"--stdio\", \"--workspace\", \"${workspaceFolder}\"]\n    }\n  }\n}\n");
  for (const Host host : all_hosts) {
    const std::string text = edited("", host);
    EXPECT_EQ(edited(text, host), text);
    EXPECT_EQ(pasted(host, entry_for(host, "/opt/bin/snap")), text);
    Result<std::vector<HostServer>> servers = servers_of(text, host);
    ASSERT_TRUE(servers);
    ASSERT_EQ(servers->size(), 1U);
    EXPECT_TRUE(is_ours(servers->front()));
    EXPECT_EQ(wrong_arguments(servers->front()), "");
  }
}

TEST(HostFile, OtherServersAndOtherMembersStay) {
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
  EXPECT_FALSE(is_ours(servers->at(0)));
}

TEST(HostFile, FlagsThatSomebodyAddedStay) {
  const std::string text =
      "{\"mcpServers\": {\"s\": {\"command\": \"/opt/bin/snap\", \"args\": [\"mcp\", \"--ws\", "
      "\"--stdio\"]}}}";
  EXPECT_EQ(edited(text, Host::claude), text);
}

TEST(HostFile, WhatCannotBeReadIsNotChanged) {
  for (const char* text :
       {"{\"mcpServers\": []}", "[]", "{\"mcpServers\": {\"a\": 1}}", "{// c\n}", "{\"a\":1,}",
        "{\"mcpServers\": {\"a\": {\"command\": 1}}}", "{\"mcpServers\": {\"a\": {\"args\": \"x\"}}}",
        "{\"mcpServers\": {\"a\": {\"args\": [1]}}}", "nonsense", "{\"a\":1,\"a\":2}"})
    EXPECT_TRUE(edited(text, Host::claude).starts_with("error: ")) << text;
}

TEST(HostFile, ArgumentsAreJudgedByTheNameOfTheProgram) {
  auto judged = [](std::string command, std::vector<std::string> args) {
    return wrong_arguments({.name = "x", .command = std::move(command), .args = std::move(args)});
  };
  EXPECT_EQ(judged("/a/snap", {"mcp", "--stdio"}), "");
  EXPECT_EQ(judged("snapgen-server", {"--workspace", "/a", "--stdio"}), "");
  EXPECT_NE(judged("/a/snap", {"--stdio"}), "");
  EXPECT_NE(judged("/a/snap", {}), "");
  EXPECT_NE(judged("/a/snapgen-server", {"--ws"}), "");
}

TEST(HostFile, EachHostHasItsPlaceAndName) {
  EXPECT_EQ(path_of(Host::claude, "/w", "/h"), "/w/.mcp.json");
  EXPECT_EQ(path_of(Host::cursor, "/w", "/h"), "/w/.cursor/mcp.json");
  EXPECT_EQ(path_of(Host::vscode, "/w", "/h"), "/w/.vscode/mcp.json");
  EXPECT_TRUE(path_of(Host::desktop, "/w", "/h").starts_with("/h/"));
  EXPECT_EQ(host_named("vscode"), Host::vscode);
  EXPECT_FALSE(host_named("emacs"));
}

}  // namespace
}  // namespace snapgen::tools

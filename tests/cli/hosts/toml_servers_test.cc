// Tables of servers are added to a TOML file and removed from it, and all other bytes remain unchanged.
#include "tools/cli/hosts/toml_servers.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::tools {
namespace {

constexpr std::string_view servers = "mcp_servers";
const OurEntry ours{.command = "/opt/bin/snap", .args = {"mcp", "--stdio"}};
const std::string table =
    "[mcp_servers.snapgen]\ncommand = \"/opt/bin/snap\"\nargs = [\"mcp\", \"--stdio\"]\n";

std::string with(std::string_view text, const std::vector<std::string>& approved_tools = {},
                 const std::string& name = "snapgen") {
  Result<std::string> out = with_toml_server(text, servers, name, ours, approved_tools);
  return out ? *out : "error: " + out.error().message;
}

std::string without(std::string_view text, const std::string& name = "snapgen") {
  Result<std::string> out = without_toml_server(text, servers, name);
  return out ? *out : "error: " + out.error().message;
}

TEST(TomlServers, ReadsServersAndTheirApprovals) {
  const std::string text =
      "model = \"m\"\n[mcp_servers.one]\ncommand = \"a\\tb\" # why\nargs = [\n  \"x\",\n  'y',\n]\nenv = { A "
      "= \"b\" }\n"
      "enabled = false\n[mcp_servers.one.tools.edit]\napproval_mode = \"approve\"\n"
      "[mcp_servers.one.tools.read]\napproval_mode = \"prompt\"\n"
      "[mcp_servers.two]\nurl = \"http://x\"\ndefault_tools_approval_mode = \"approve\"\n"
      "[mcp_servers.three]\ncommand = \"/home/é/snap\"\n";
  Result<std::vector<HostServer>> found = toml_servers(text, servers);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 3U);
  const auto server = [&](const std::string& name) {
    for (const HostServer& each : *found)
      if (each.name == name) return each;
    return HostServer();
  };
  EXPECT_EQ(server("one").command, "a\tb");
  EXPECT_EQ(server("one").args, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(server("one").environment, std::vector<std::string>{"A=b"});
  EXPECT_EQ(server("one").approved_tools, std::vector<std::string>{"edit"});
  EXPECT_TRUE(server("one").is_disabled);
  EXPECT_EQ(server("two").command, "");
  EXPECT_EQ(server("two").approved_tools, std::vector<std::string>{"*"});
  EXPECT_EQ(server("three").command, "/home/é/snap");
  EXPECT_TRUE(toml_servers("", servers)->empty());
}

TEST(TomlServers, RejectsUnreadableTomlWithItsPosition) {
  for (const auto& [text, sentence] :
       {std::pair("a = \n", "It is not TOML at line 1"), std::pair("mcp_servers = 1\n", "is not a table"),
        std::pair("[mcp_servers]\na = 1\n", "is not a table"),
        std::pair("[mcp_servers.a]\ncommand = 1\n", "command that is not a string"),
        std::pair("[mcp_servers.a]\nargs = [1]\n", "argument that is not a string"),
        std::pair("\xff", "UTF-8"), std::pair("\xef\xbb\xbf", "byte order mark")}) {
    Result<std::vector<HostServer>> found = toml_servers(text, servers);
    ASSERT_FALSE(found) << text;
    EXPECT_NE(found.error().message.find(sentence), std::string::npos) << found.error().message;
    EXPECT_TRUE(with(text).starts_with("error: ")) << text;
  }
}

TEST(TomlServers, AppendsANewTable) {
  EXPECT_EQ(with(""), table);
  EXPECT_EQ(with("model = \"m\" # mine"), "model = \"m\" # mine\n\n" + table);
  EXPECT_EQ(with("# only\r\n"),
            "# only\r\n\r\n[mcp_servers.snapgen]\r\ncommand = \"/opt/bin/snap\"\r\nargs = [\"mcp\", "
            "\"--stdio\"]\r\n");
  EXPECT_EQ(with("[mcp_servers.other]\ncommand = \"x\"\n", {"edit", "a.b"}),
            "[mcp_servers.other]\ncommand = \"x\"\n\n" + table +
                "\n[mcp_servers.snapgen.tools.edit]\napproval_mode = \"approve\"\n"
                "\n[mcp_servers.snapgen.tools.\"a.b\"]\napproval_mode = \"approve\"\n");
}

TEST(TomlServers, KeepsTheRestOfAnExistingTable) {
  const std::string before =
      "# é first\n[mcp_servers.snapgen] # ours\n  command = \"/old/snap\" # é old\n  startup_timeout_sec = "
      "5\nargs=[\"x\"]\n\n"
      "# of the profile\n[profiles.a]\nmodel = \"m\"\n";
  const std::string after =
      "# é first\n[mcp_servers.snapgen] # ours\n  command = \"/opt/bin/snap\" # é old\n  startup_timeout_sec "
      "= 5\n"
      "args=[\"mcp\", \"--stdio\"]\n\n# of the profile\n[profiles.a]\nmodel = \"m\"\n";
  EXPECT_EQ(with(before), after);
  EXPECT_EQ(with(after), after);
  EXPECT_EQ(
      with("[mcp_servers.snapgen]\nenabled = true"),
      "[mcp_servers.snapgen]\ncommand = \"/opt/bin/snap\"\nargs = [\"mcp\", \"--stdio\"]\nenabled = true");
  // Entries of tools that the file already mentions are unchanged.
  const std::string approved_tools = with(after, {"edit", "read"});
  EXPECT_EQ(approved_tools, after.substr(0, after.find("\n# of the profile")) +
                                "\n[mcp_servers.snapgen.tools.edit]\napproval_mode = \"approve\"\n"
                                "\n[mcp_servers.snapgen.tools.read]\napproval_mode = \"approve\"\n" +
                                after.substr(after.find("\n# of the profile")));
  EXPECT_EQ(with(approved_tools, {"edit", "read"}), approved_tools);
  const std::string all = table + "default_tools_approval_mode = \"prompt\"\n";
  EXPECT_EQ(with(all, {"edit"}), all);
  const std::string dotted = table + "tools.edit.approval_mode = \"prompt\"\n";
  EXPECT_EQ(with(dotted, {"edit", "read"}),
            dotted + "\n[mcp_servers.snapgen.tools.read]\napproval_mode = \"approve\"\n");
}

TEST(TomlServers, DoesNotRewriteUnsupportedForms) {
  for (const char* text :
       {"mcp_servers = { snapgen = { command = \"x\" } }\n", "[mcp_servers]\nsnapgen = { command = \"x\" }\n",
        "[mcp_servers]\nsnapgen.command = \"x\"\n", "mcp_servers.snapgen.command = \"x\"\n",
        "mcp_servers = { other = { command = \"x\" } }\n"}) {
    EXPECT_TRUE(with(text).starts_with("error: ")) << with(text);
  }
  EXPECT_TRUE(with("[mcp_servers.snapgen]\ncommand = \"\"\"\nx\"\"\"\n").starts_with("error: "));
  EXPECT_TRUE(without("[mcp_servers]\nsnapgen = { command = \"x\" }\n").starts_with("error: "));
}

TEST(TomlServers, RemovesATableAndItsToolTables) {
  const std::string others =
      "# é first\nmodel = \"m\"\n\n[other]\ntext = \"\"\"\n[mcp_servers.snapgen]\n\"\"\"\n";
  EXPECT_EQ(without(with(others, {"edit"})), others + "\n");
  EXPECT_EQ(without(table + "\n# of other\n[other]\na = 1\n"), "# of other\n[other]\na = 1\n");
  EXPECT_EQ(without("[a]\nb = 1\n\n" + table + "\n[[c]]\nd = 1\n\n[[c]]\nd = 2\n"),
            "[a]\nb = 1\n\n[[c]]\nd = 1\n\n[[c]]\nd = 2\n");
  EXPECT_EQ(without(others), others);
}

}  // namespace
}  // namespace snapgen::tools

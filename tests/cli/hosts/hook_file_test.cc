// Our hooks are added to the files of hosts, and removed from them.
#include "tools/cli/hosts/hook_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::tools {
namespace {

const HostForm& form_named(std::string_view name) { return form_of(*host_named(name)); }

std::string with_hooks(std::string_view text, std::string_view host,
                       const std::string& program = "/opt/bin/snap") {
  Result<std::string> out = with_our_hooks(text, form_named(host), program);
  return out ? *out : "error: " + out.error().message;
}

std::string without_hooks(std::string_view text, std::string_view host) {
  Result<std::string> out = without_our_hooks(text, form_named(host));
  return out ? *out : "error: " + out.error().message;
}

std::vector<std::string> programs_in(std::string_view text, std::string_view host) {
  Result<std::vector<std::string>> out = hook_programs(text, form_named(host));
  return out ? *out : std::vector<std::string>{"error: " + out.error().message};
}

using Programs = std::vector<std::string>;

TEST(HookFile, ANewFileHasTheFormOfItsHost) {
  const std::string cursor = with_hooks("", "cursor");
  EXPECT_TRUE(
      cursor.starts_with("{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": "
                         "[{\"command\": \"/opt/bin/snap hook cursor || true\"}],\n"))
      << cursor;
  EXPECT_TRUE(
      cursor.ends_with("\n    \"afterFileEdit\": [{\"command\": \"/opt/bin/snap hook cursor || "
                       "true\"}]\n  }\n}\n"))
      << cursor;
  const std::string codex = with_hooks("", "codex");
  EXPECT_TRUE(codex.starts_with(
      "{\n  \"hooks\": {\n    \"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": "
      "\"/opt/bin/snap hook codex || true\", \"timeout\": 5}]}],\n"))
      << codex;
  EXPECT_NE(with_hooks("", "gemini").find("\"timeout\": 5000}"), std::string::npos);
  EXPECT_NE(with_hooks("", "copilot")
                .find("\"Stop\": [{\"type\": \"command\", \"bash\": \"/opt/bin/snap hook "
                      "copilot || true\", \"timeoutSec\": 5}]"),
            std::string::npos);
}

TEST(HookFile, RepeatedCallsChangeNothing) {
  for (const auto& [form, traits] : all_hosts()) {
    if (form.hooks.file.empty()) continue;
    const std::string text = with_hooks("", form.name);
    EXPECT_EQ(with_hooks(text, form.name), text);
    EXPECT_EQ(programs_in(text, form.name), Programs{"/opt/bin/snap"}) << form.name;
    EXPECT_EQ(programs_in(without_hooks(text, form.name), form.name), Programs()) << form.name;
    // Another program replaces it.
    const std::string moved = with_hooks(text, form.name, "/usr/bin/snapgen-server");
    EXPECT_EQ(programs_in(moved, form.name), Programs{"/usr/bin/snapgen-server"}) << form.name;
    EXPECT_EQ(moved.size(), with_hooks("", form.name, "/usr/bin/snapgen-server").size());
  }
}

TEST(HookFile, PreservesOtherHooksAndMembers) {
  const std::string text =
      "{\n\t\"model\": \"m\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{ \"hooks\": [{\"type\": \"command\", "
      "\"command\": \"mine\"}] }\n\t\t],\n\t\t\"PreCompact\": []\n\t}\n}\n";
  const std::string added = with_hooks(text, "claude");
  EXPECT_NE(added.find("\n\t\t\t{ \"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}] },\n\t\t\t"
                       "{\"hooks\": [{\"type\": \"command\", \"command\": \"/opt/bin/snap hook claude || "
                       "true\", \"timeout\": 5}]}\n\t\t],\n"),
            std::string::npos)
      << added;
  EXPECT_EQ(with_hooks(added, "claude"), added);
  EXPECT_EQ(without_hooks(added, "claude"), text);
  EXPECT_EQ(without_hooks(text, "claude"), text);
  const std::string commented = "{\n  // mine\n  \"hooks\": {\n    \"Stop\": [ // none\n    ],\n  },\n}\n";
  EXPECT_EQ(programs_in(with_hooks(commented, "qwen"), "qwen"), Programs{"/opt/bin/snap"});
  EXPECT_NE(with_hooks(commented, "qwen").find("// none"), std::string::npos);
}

TEST(HookFile, RetainsWhatTheUserChangedInOurHooks) {
  std::string text = with_hooks("", "claude");
  text.replace(text.find("\"timeout\": 5"), 12, "\"timeout\": 9");
  EXPECT_EQ(with_hooks(text, "claude"), text);
  // A group with another hook is the user's.
  const std::string shared =
      R"({"hooks":{"Stop":[{"hooks":[{"command":"x"},{"command":"/opt/bin/snap hook claude"}]}]}})";
  EXPECT_EQ(without_hooks(shared, "claude"), shared);
}

TEST(HookFile, QuotesProgramsForTheShell) {
  for (const std::string program :
       {"/opt/my tools/snap", "/opt/it's/snap", "/opt/$HOME/`x`/snap", "/opt/é/snap"}) {
    const std::string text = with_hooks("", "copilot", program);
    EXPECT_EQ(programs_in(text, "copilot"), Programs{program});
    EXPECT_EQ(with_hooks(text, "copilot", program), text);
    EXPECT_EQ(programs_in(with_hooks("", "opencode", program), "opencode"), Programs{program});
  }
  EXPECT_NE(with_hooks("", "cursor", "/opt/it's/snap").find(R"('/opt/it'\\''s/snap' hook cursor)"),
            std::string::npos);
}

TEST(HookFile, DoesNotChangeOtherFiles) {
  for (const char* text :
       {"[]", "nonsense", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": {}}}", "{// c\n}", "{\"a\":1,\"a\":2}"})
    EXPECT_TRUE(with_hooks(text, "claude").starts_with("error: ")) << text;
  EXPECT_TRUE(with_hooks("export const mine = 1;\n", "opencode").starts_with("error: "));
  EXPECT_EQ(without_hooks("export const mine = 1;\n", "opencode"), "export const mine = 1;\n");
  EXPECT_EQ(without_hooks(with_hooks("", "opencode"), "opencode"), "");
  // Commands of other programs are not ours.
  for (const char* command : {"git hook run", "/x/other hook claude", "snap list", "a snap hook claude", ""})
    EXPECT_EQ(programs_in(R"({"hooks":{"Stop":[{"hooks":[{"command":")" + std::string(command) + "\"}]}]}}",
                          "claude"),
              Programs())
        << command;
}

}  // namespace
}  // namespace snapgen::tools

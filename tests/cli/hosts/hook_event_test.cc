// The JSON that hosts pass to their hooks becomes events of the history.
#include "tools/cli/hosts/hook_event.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace snapgen::tools {
namespace {

const std::filesystem::path recorded = HOOK_FOLDER;

std::string content(const std::filesystem::path& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

const HostForm& form_of_host(std::string_view name) { return form_of(*host_named(name)); }

// Returns the event as it is written to the history, "none", or "unreadable".
std::string read_event(std::string_view host, std::string_view payload, std::string_view event_name = {}) {
  const Result<std::optional<HookReport>> report = read_hook(form_of_host(host), event_name, payload);
  if (!report) return "unreadable";
  return *report ? core::encoded_event(core::within_limits((*report)->event)) : "none";
}

// events.txt has a line for each file: its name and its event.
TEST(HookEvent, ReadsWhatEachHostPassed) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(recorded))
    if (entry.path().extension() == ".json")
      files.push_back(entry.path().lexically_relative(recorded).string());
  std::ranges::sort(files);
  std::string events;
  for (const std::string& file : files) {
    const std::string host = file.substr(0, file.find('/'));
    // Only the JSON of a plugin does not name the event. Such a file has the event's name.
    const bool is_plugin = form_of_host(host).hooks.layout == HookLayout::plugin;
    const std::string name = is_plugin ? std::filesystem::path(file).stem().string() : "";
    events += file + " " + read_event(host, content(recorded / file), name) + "\n";
  }
  EXPECT_EQ(events, content(recorded / "events.txt"));
}

TEST(HookEvent, EveryEventOfTheTableHasAKind) {
  for (const auto& [form, traits] : all_hosts()) {
    EXPECT_EQ(form.hooks.file.empty(), form.hooks.events.empty()) << form.name;
    for (const HookEvent& event : form.hooks.events)
      EXPECT_TRUE(core::host_event_kind_named(event.kind)) << form.name << " " << event.name;
  }
}

TEST(HookEvent, NamesTheFoldersOfTheProject) {
  const auto folders = [](std::string_view payload) {
    return (*read_hook(form_of_host("cursor"), "stop", payload))->folders;
  };
  EXPECT_EQ(folders(R"({"workspace_roots":["/p","","/q"],"cwd":"/p/src"})"),
            (std::vector<std::string>{"/p/src", "/p", "/q"}));
  EXPECT_EQ(folders("{}"), std::vector<std::string>());
}

TEST(HookEvent, UsesTheNamedEventBeforeThatOfTheJson) {
  EXPECT_EQ(read_event("claude", R"({"hook_event_name":"Stop"})", "SessionEnd"),
            R"({"event":"session_end","at_ms":0,"host":"claude"})");
  EXPECT_EQ(read_event("claude", R"({"hook_event_name":"Stop"})", "Unknown"), "none");
}

TEST(HookEvent, MissingAndWrongMembersLeaveTheEvent) {
  EXPECT_EQ(read_event("codex", R"({"hook_event_name":"PreToolUse"})"),
            R"({"event":"tool_begin","at_ms":0,"host":"codex"})");
  EXPECT_EQ(
      read_event("codex", R"({"session_id":7,"turn_id":null,"tool_name":["a"],"tool_input":"text","cwd":{},)"
                          R"("workspace_roots":[1],"tool_use_id":"c","hook_event_name":"PreToolUse"})"),
      R"({"event":"tool_begin","at_ms":0,"host":"codex","call":"c"})");
  EXPECT_EQ(
      read_event("codex", R"({"hook_event_name":"PreToolUse","tool_input":{"command":["a"],"path":"p"}})"),
      R"({"event":"tool_begin","at_ms":0,"host":"codex","detail":"p"})");
  EXPECT_EQ(read_event("claude", R"({"hook_event_name":"UserPromptSubmit"})"),
            R"({"event":"prompt","at_ms":0,"host":"claude"})");
  for (const char* payload : {"{}", R"({"hook_event_name":3})", R"({"hook_event_name":""})",
                              R"({"hook_event_name":"Later","version":99})"})
    EXPECT_EQ(read_event("gemini", payload), "none") << payload;
}

TEST(HookEvent, RejectsOtherTexts) {
  for (const std::string payload : {"", " ", "{", "[]", "null", "3", "\"a\"", "{} {}", "{\"a\":}", "{'a':1}",
                                    "{\"prompt\":\"\xff\"}", "{\"hook_event_name\":\"Stop\""})
    EXPECT_EQ(read_event("claude", payload, "Stop"), "unreadable") << payload;
  EXPECT_EQ(read_event("claude", std::string(100'000, '['), "Stop"), "unreadable");
  EXPECT_EQ(read_event("claude", std::string_view("\0{}", 3), "Stop"), "unreadable");
}

TEST(HookEvent, CutsALongPrompt) {
  const std::string payload =
      R"({"hook_event_name":"UserPromptSubmit","prompt":")" + std::string(10 << 20, 'x') + "\"}";
  EXPECT_EQ(read_event("claude", payload), R"({"event":"prompt","at_ms":0,"host":"claude","detail":")" +
                                               std::string(core::event_detail_max, 'x') + "\"}");
}

}  // namespace
}  // namespace snapgen::tools

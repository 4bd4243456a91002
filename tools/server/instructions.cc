#include "tools/server/instructions.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "runtime/base/text.h"
#include "schemas/tool_names.h"

namespace snapgen::tools {
namespace {

// A purpose that is named if the server lists one of the tools.
struct Purpose {
  std::string_view words;
  std::array<std::string_view, 3> tools;
};

constexpr Purpose purposes[] = {
    {.words = "Snapshots",
     .tools = {tool_names::snapshot_create, tool_names::snap, tool_names::snapback_snapshot_create}},
    {.words = "undo", .tools = {tool_names::snap_fix, tool_names::snapback_snapshot_restore}},
    {.words = "safe edits",
     .tools = {tool_names::workspace_edit, tool_names::workspace_apply_patch,
               tool_names::workspace_write_file}},
    {.words = "checks", .tools = {tool_names::check, tool_names::snapback_validate}},
};

// A sentence that is added if the server lists the tool. It has the name with underscores.
struct Advice {
  std::string_view tool;
  std::string_view text;
};

// The most important sentence is first. Those that do not fit are omitted.
constexpr Advice advices[] = {
    {.tool = tool_names::snapshot_create, .text = "Call snapshot_create before editing."},
    {.tool = tool_names::history_rewind, .text = "history_rewind brings back lost files."},
    {.tool = tool_names::snap_fix, .text = "snap_fix restores snapshots."},
    {.tool = tool_names::workspace_edit, .text = "workspace_edit edits several files or none."},
    {.tool = tool_names::check, .text = "check finds errors."},
    {.tool = tool_names::snap, .text = "snap begins a task."},
    {.tool = tool_names::snapback_prepare_workspace, .text = "Begin work with snapback_prepare_workspace."},
    {.tool = tool_names::bridge_pair,
     .text =
         "bridge_pair connects the Snap! IDE in the user's browser; pass its session_id to the other bridge "
         "tools."},
};

// Returns the sentence with the tool's name as tools/list spells it.
std::string spelled(const Advice& advice, mcp::Spelling spelling) {
  std::string text(advice.text);
  std::string safe(advice.tool);
  std::ranges::replace(safe, '.', '_');
  const std::size_t at = text.find(safe);
  if (spelling == mcp::Spelling::dotted && at != std::string::npos)
    text.replace(at, safe.size(), advice.tool);
  return text;
}

// Returns a sentence such as "Snapshots, undo and safe edits for this repository."; empty without such tools.
std::string purpose_sentence(const std::set<std::string_view>& shown) {
  std::vector<std::string_view> words;
  for (const Purpose& each : purposes)
    if (std::ranges::any_of(each.tools, [&](std::string_view tool) { return shown.contains(tool); }))
      words.push_back(each.words);
  if (words.empty()) return {};
  return enumerated(words, "and") + " for this repository.";
}

}  // namespace

std::string instructions_of(const mcp::ToolSet& tools, std::string_view profile, mcp::Spelling spelling) {
  std::set<std::string_view> shown;
  for (const mcp::Profile& one : tools.profiles()) {
    if (one.name != profile) continue;
    for (const std::uint16_t index : one.tools)
      if (tools.can_work(tools.all()[index])) shown.insert(tools.all()[index].name);
  }
  std::string text = purpose_sentence(shown);
  for (const Advice& advice : advices) {
    if (!shown.contains(advice.tool)) continue;
    const std::string sentence = (text.empty() ? "" : " ") + spelled(advice, spelling);
    if (text.size() + sentence.size() <= instructions_bytes_max) text += sentence;
  }
  return text;
}

}  // namespace snapgen::tools

#pragma once
// rendered_members: formats a tool's output for a host, without calling the tool.
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/json/rules.h"
#include "runtime/json/values.h"
#include "runtime/mcp/render.h"
#include "tools/app/file_lines.h"
#include "tools/server/answers/host_renderer.h"
#include "tools/server/answers/host_text.h"

namespace snapgen::tools {

inline constexpr HostTraits text_host{.client_name = "a host of text", .answer_form = AnswerForm::text};

inline mcp::Tool tool_of(std::string_view name) {
  std::string_view family = name.find('.') == std::string_view::npos ? "wire" : "substrate";
  for (const std::string_view each : {"bridge", "shop"})
    if (name.starts_with(each)) family = each;
  if (name.starts_with("snapback.")) family = "facade";
  return {.name = name,
          .safe_name = name,
          .family = family,
          .deadline_ms = 0,
          .listing = {},
          .merged_output_schema = {}};
}

// The parts of a call that a renderer receives: the arguments and the output as JSON, and the summary.
struct AnsweredCall {
  std::string_view tool;
  std::string_view arguments;
  std::string structured;
  std::string summary = {};
};

// Reads the arguments and the output of `call` into these types, and returns the members of the result.
template <class Input, class Output>
std::string rendered_as(const HostTraits& host, const AnsweredCall& call,
                        void (*read_output)(json::Reader&, Output&)) {
  Input input;
  json::Reader arguments(call.arguments);
  read(arguments, input);
  Output output;
  json::Reader structured(call.structured);
  read_output(structured, output);
  EXPECT_TRUE(structured.ok()) << call.structured;
  // Handlers return whole lines.
  if constexpr (std::is_same_v<Output, SnapshotFileOutput>) {
    const auto end = [&](auto& file) {
      if constexpr (requires { file.content; }) end_at_line(file, input.start_line.value_or(1));
    };
    std::visit(end, output);
  }
  const mcp::Tool tool = tool_of(call.tool);
  std::string members;
  HostRenderer(host, tool).append_output(mcp::TypedAnswer(input, output, call.summary), members);
  return members;
}

// Returns the members of the result for `host`.
inline std::string rendered_members(const HostTraits& host, const AnsweredCall& call) {
  if (call.tool == "history.list")
    return rendered_as<HistoryListInput>(host, call, &read_history_list_output);
  if (call.tool == "history.rewind")
    return rendered_as<HistoryRewindInput>(host, call, &read_history_rewind_output);
  if (call.tool == "history.undo")
    return rendered_as<HistoryUndoInput>(host, call, &read_history_undo_output);
  if (call.tool == "snapshot.changes")
    return rendered_as<SnapshotChangesInput>(host, call, &read_snapshot_changes_output);
  if (call.tool == "snapshot.create")
    return rendered_as<SnapshotCreateInput>(host, call, &read_snapshot_create_output);
  if (call.tool == "snapshot.diff")
    return rendered_as<SnapshotDiffInput>(host, call, &read_snapshot_diff_output);
  if (call.tool == "snapshot.export")
    return rendered_as<SnapshotExportInput>(host, call, &read_snapshot_export_output);
  if (call.tool == "snapshot.file")
    return rendered_as<SnapshotFileInput>(host, call, &read_snapshot_file_output);
  if (call.tool == "snapshot.grep")
    return rendered_as<SnapshotGrepInput>(host, call, &read_snapshot_grep_output);
  if (call.tool == "snapshot.info")
    return rendered_as<SnapshotInfoInput>(host, call, &read_snapshot_info_output);
  if (call.tool == "snapshot.list")
    return rendered_as<SnapshotListInput>(host, call, &read_snapshot_list_output);
  if (call.tool == "workspace.apply_patch")
    return rendered_as<WorkspaceApplyPatchInput>(host, call, &read_workspace_apply_patch_output);
  if (call.tool == "workspace.delete")
    return rendered_as<WorkspaceDeleteInput>(host, call, &read_workspace_delete_output);
  if (call.tool == "workspace.write_file")
    return rendered_as<WorkspaceWriteFileInput>(host, call, &read_workspace_write_file_output);
  // The renderer knows the other outputs only as JSON.
  const auto read_raw = [](json::Reader& in, json::Raw& out) { json::read(in, out); };
  return rendered_as<json::Raw, json::Raw>(host, call, read_raw);
}

// Returns the only text of a result.
inline std::string only_text(const std::string& members) {
  const json::Document document = json::parse_document("{" + members + "}");
  EXPECT_TRUE(document.ok()) << members;
  const json::Node* content = document.root.find("content");
  if (!content || content->items.size() != 1) {
    ADD_FAILURE() << "not one block: " << members;
    return {};
  }
  EXPECT_EQ(document.root.find("structuredContent"), nullptr) << members;
  return content->items[0].find("text")->text;
}

inline std::string shaped_text(const HostTraits& host, std::string_view tool, std::string_view arguments,
                               const std::string& structured, const std::string& summary = "") {
  return only_text(rendered_members(
      host, {.tool = tool, .arguments = arguments, .structured = structured, .summary = summary}));
}

// Returns the text of an error for a host of text. The error has no form of a family, except for wire tools.
inline std::string text_of_error(std::string_view tool_name, const Error& error) {
  const mcp::Tool tool = tool_of(tool_name);
  const mcp::ErrorWriter write_line = [](std::string& text, const Error& each) {
    text = "🧢|!|code:NO_TASK\n---\n" + each.message;
  };
  std::string members;
  HostRenderer(text_host, tool).append_error(error, write_line, members);
  EXPECT_TRUE(members.ends_with(",\"isError\":true")) << members;
  return only_text(members);
}

}  // namespace snapgen::tools

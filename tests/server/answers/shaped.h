#pragma once
// shaped_result: formats a tool's result for a host, without calling the tool.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "runtime/mcp/render.h"
#include "tools/server/answers/answers.h"

namespace snapgen::tools {

inline constexpr HostTraits text_host{.client_name = "a host of text", .answer_form = AnswerForm::text};

inline mcp::Tool tool_of(std::string_view name, std::string_view family) {
  return {.name = name,
          .safe_name = name,
          .family = family,
          .deadline_ms = 0,
          .listing = {},
          .merged_output_schema = {}};
}

inline std::string_view family_of(std::string_view tool) {
  if (tool.starts_with("snapback.")) return "facade";
  if (tool.starts_with("bridge.")) return "bridge";
  return tool.find('.') == std::string_view::npos ? "wire" : "substrate";
}

// Returns the members of the result for `host`, of a call with these arguments and the result `members`.
inline std::string shaped_members(const HostTraits& host, std::string_view tool_name,
                                  std::string_view arguments, std::string members) {
  const mcp::Tool tool = tool_of(tool_name, family_of(tool_name));
  HostCall(host, tool, arguments).shape_result(members, 0);
  return members;
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
  std::string members;
  mcp::append_text_and_structured(members, structured, summary, {});
  return only_text(shaped_members(host, tool, arguments, members));
}

inline std::string text_of_error(std::string_view tool, const std::string& error) {
  std::string members;
  mcp::append_error(members, error);
  const std::string shaped = shaped_members(text_host, tool, "{}", members);
  EXPECT_TRUE(shaped.ends_with(",\"isError\":true")) << shaped;
  return only_text(shaped);
}

}  // namespace snapgen::tools

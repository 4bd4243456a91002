#include "tools/server/answers/answers.h"

#include <algorithm>
#include <array>

#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/render.h"
#include "tools/server/answers/change_answers.h"
#include "tools/server/answers/envelope_answers.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/answers/read_answers.h"
#include "tools/server/answers/unformatted_answer.h"

namespace snapgen::tools {
namespace {

using AnswerShaper = std::string (*)(const UnformattedAnswer&);

struct ToolAnswer {
  std::string_view tool;  // The name of the tool, with dots.
  AnswerShaper shape;
  bool is_limited = false;     // The host's limit also applies to the JSON form.
  bool has_max_bytes = false;  // The tool has an argument max_bytes.
};

constexpr std::array tool_answers = {
    ToolAnswer{.tool = "snapshot.changes", .shape = &changes_answer, .is_limited = true},
    ToolAnswer{.tool = "snapshot.create", .shape = &snapshot_create_answer},
    ToolAnswer{.tool = "snapshot.diff", .shape = &diff_answer, .is_limited = true, .has_max_bytes = true},
    ToolAnswer{.tool = "snapshot.export", .shape = &snapshot_export_answer},
    ToolAnswer{.tool = "snapshot.file", .shape = &file_answer, .is_limited = true, .has_max_bytes = true},
    ToolAnswer{.tool = "snapshot.grep", .shape = &grep_answer, .is_limited = true},
    ToolAnswer{.tool = "snapshot.info", .shape = &snapshot_info_answer},
    ToolAnswer{.tool = "snapshot.list", .shape = &list_answer, .is_limited = true},
    ToolAnswer{.tool = "workspace.apply_patch", .shape = &apply_patch_answer},
    ToolAnswer{.tool = "workspace.delete", .shape = &delete_answer},
    ToolAnswer{.tool = "workspace.write_file", .shape = &write_file_answer},
};

ToolAnswer answer_of_tool(const mcp::Tool& tool) {
  const auto found = std::ranges::find(tool_answers, tool.name, &ToolAnswer::tool);
  if (found != tool_answers.end()) return *found;
  if (tool.family == "facade") return {.tool = tool.name, .shape = &facade_answer};
  if (tool.family == "bridge") return {.tool = tool.name, .shape = &bridge_answer};
  return {.tool = tool.name, .shape = &plain_answer};
}

// The parts of a CallToolResult, which is the result of tools/call.
struct ResultParts {
  std::string text;             // The text of the first content block.
  std::string summary;          // The text of the second content block.
  std::string_view structured;  // The structured content as JSON; empty if there is none.
  bool is_error = false;
};

// Returns the text of a content block; empty for other types of blocks.
std::string text_of_block(json::Reader& in) {
  std::string text, type;
  json::read_members(in, "text", text, "type", type);
  return type == "text" ? text : std::string();
}

// Reads the parts of `object`, a result as one JSON object. It must outlive the returned parts.
ResultParts parts_of_result(std::string_view object) {
  ResultParts parts;
  json::Reader in(object);
  std::string_view name;
  if (!in.begin_object()) return parts;
  while (in.next_key(name)) {
    if (name == "content" && in.begin_array()) {
      for (std::size_t i = 0; in.next_element(); ++i) {
        std::string text = text_of_block(in);
        if (i == 0)
          parts.text = std::move(text);
        else if (i == 1)
          parts.summary = std::move(text);
      }
    } else if (name == "isError") {
      in.boolean(parts.is_error);
    } else if (name == "structuredContent") {
      in.raw(parts.structured);
    } else {
      in.skip();
    }
  }
  return parts;
}

// Removes the lease from the first line if the call passed it, because the client then knows it.
std::string without_lease(std::string text, const std::string& lease_id) {
  if (lease_id.empty()) return text;
  const std::string words = " " + lease_id;
  const std::size_t at = text.substr(0, text.find('\n')).find(words);
  if (at != std::string::npos) text.erase(at, words.size());
  return text;
}

}  // namespace

std::optional<AnswerChoice> answer_choice_named(std::string_view name) {
  if (name == "auto") return AnswerChoice::by_host;
  if (name == "json") return AnswerChoice::json;
  if (name == "text") return AnswerChoice::text;
  return std::nullopt;
}

HostTraits traits_for(std::string_view client, AnswerChoice choice) {
  HostTraits host = host_traits(client);
  if (choice == AnswerChoice::json) {
    host.answer_form = AnswerForm::json;
    host.omitted_members = {};
  }
  if (choice == AnswerChoice::text) host.answer_form = AnswerForm::text;
  return host;
}

mcp::OutputSchemaForm output_schema_form_for(const HostTraits& host) {
  if (host.answer_form == AnswerForm::text) return {.detail = mcp::OutputSchemaDetail::none};
  if (!host.reads_output_schema) return {.detail = mcp::OutputSchemaDetail::brief};
  return {.detail = mcp::OutputSchemaDetail::merged, .omitted_members = host.omitted_members};
}

HostCall::HostCall(const HostTraits& host, const mcp::Tool& tool, std::string_view arguments)
    : host_(host), tool_(tool), given_arguments_(arguments) {
  if (changes_answers() || !host_.added_argument.empty()) change_arguments();
}

void HostCall::change_arguments() {
  std::string kept = "{";
  json::Writer writer(kept);
  bool has_added = false;
  json::Reader in(given_arguments_);
  if (in.peek() != json::Kind::object || !in.begin_object()) return;
  std::string_view key;
  while (in.next_key(key)) {
    const std::string name(key);
    std::string_view value;
    in.raw(value);
    if (name == "start_line") json::Reader(value).integer(start_line_);
    if (name == "lease_id" && json::Reader(value).peek() == json::Kind::string)
      json::Reader(value).string(lease_id_);
    has_max_bytes_ = has_max_bytes_ || name == "max_bytes";
    const bool is_added = !host_.added_argument.empty() && name == host_.added_argument;
    has_added = has_added || is_added;
    if (is_added) continue;
    if (kept.size() > 1) writer.text(",");
    writer.string(name);
    writer.text(":");
    writer.text(value);
  }
  in.end();
  if (!in.syntax_ok()) return;  // The tool itself reports the syntax error.
  const TextLimit limit(host_);
  const bool adds_length =
      answer_of_tool(tool_).has_max_bytes && !has_max_bytes_ && host_.shown_bytes_max != 0;
  if (!has_added && !adds_length) return;
  if (adds_length) {
    writer.text(kept.size() > 1 ? ",\"max_bytes\":" : "\"max_bytes\":");
    writer.unsigned_integer(std::max<std::size_t>(limit.bytes(), 1));
  }
  writer.text("}");
  changed_arguments_ = std::move(kept);
}

void HostCall::shape_result(std::string& result, std::size_t begin) const {
  if (!changes_answers()) return;
  const std::string object = "{" + result.substr(begin) + "}";
  const ResultParts parts = parts_of_result(object);
  const bool is_text = host_.answer_form == AnswerForm::text;
  if (parts.is_error) {
    if (!is_text) return;
    result.resize(begin);
    return mcp::append_error(result, error_text(parts.text));
  }
  const ToolAnswer answer = answer_of_tool(tool_);
  if (parts.structured.empty()) return;
  std::string shaped(parts.structured);
  if (is_text || answer.is_limited)
    shaped = answer.shape({.structured = parts.structured,
                           .summary = parts.summary,
                           .requested_start_line = start_line_,
                           .requested_lease_id = lease_id_,
                           .form = host_.answer_form,
                           .limit = has_max_bytes_ ? TextLimit() : TextLimit(host_)});
  if (!is_text && !host_.omitted_members.empty())
    shaped = json::without_members(shaped, host_.omitted_members);
  if (!is_text && shaped == parts.structured) return;
  result.resize(begin);
  if (is_text)
    mcp::append_text_block(result, without_lease(shaped, lease_id_));
  else
    mcp::append_text_and_structured(result, shaped);
}

}  // namespace snapgen::tools

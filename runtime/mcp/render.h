#pragma once
// Functions for generated tools: reading the arguments of a call, and passing its outcome to the renderer.
// For renderers: functions that append the members of a CallToolResult, in canonical order.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/call.h"
#include "runtime/mcp/content.h"

namespace snapgen::mcp {

inline void append_text_block(std::string& result, std::string_view text) {
  json::Writer out(result);
  out.text("\"content\":[{\"text\":");
  out.string(text);
  out.text(",\"type\":\"text\"}]");
}

// Appends `structured`, which is canonical JSON, as a text block and as structuredContent.
inline void append_text_and_structured(std::string& result, std::string_view structured) {
  append_text_block(result, structured);
  result += ",\"structuredContent\":";
  result += structured;
}

// The same, followed by the links, and before them a second text block with the summary unless it is empty.
inline void append_text_and_structured(std::string& result, std::string_view structured,
                                       std::string_view summary, const std::vector<ResourceLink>& links) {
  json::Writer out(result);
  out.text("\"content\":[{\"text\":");
  out.string(structured);
  out.text(",\"type\":\"text\"}");
  if (!summary.empty()) {
    out.text(",{\"text\":");
    out.string(summary);
    out.text(",\"type\":\"text\"}");
  }
  for (const ResourceLink& link : links) {
    out.text(",");
    write(out, link);
  }
  out.text("],\"structuredContent\":");
  result += structured;
}

inline void append_error(std::string& result, std::string_view text) {
  append_text_block(result, text);
  result += ",\"isError\":true";
}

inline void append_content(std::string& result, const Content& content) {
  result += "\"content\":";
  result += content.blocks;
  if (content.is_error) result += ",\"isError\":true";
  // Clients validate structured content against the output schema even in an error, so an error has none.
  if (!content.structured || content.is_error) return;
  Result<std::string> structured = json::canonical(content.structured->text);
  if (!structured) return;
  result += ",\"structuredContent\":";
  result += *structured;
}

// Describes why arguments are invalid. The message has the first few violations; the details have all of them
// (`violations`: keyword, message and pointer of each).
Error invalid_arguments(const json::Reader& in);
Error invalid_arguments(const std::vector<json::Violation>& violations);
// The same with another beginning of the message, such as "The arguments do not fit the tool's schema".
Error violation_error(std::string_view subject, const std::vector<json::Violation>& violations);

// Appends the answer of a failed call.
inline void append_failure(Call& call, ErrorWriter write_error, Error error, std::string& result) {
  const Error shown = call.client_error(std::move(error));
  call.renderer().append_error(shown, write_error, result);
}

// Reads the arguments with `read_input`. Returns false, with the violations in `result`, if they are invalid.
template <class Input>
bool read_arguments(Call& call, std::string_view arguments, Input& input,
                    void (*read_input)(json::Reader&, Input&), ErrorWriter write_error, std::string& result) {
  json::Reader in(arguments);
  in.ignore_member(call.renderer().added_argument());
  read_input(in, input);
  in.end();
  if (in.ok()) return true;
  append_failure(call, write_error, invalid_arguments(in), result);
  return false;
}

// These append the answer of a handler. Each is for a type that handlers return.
template <class Input, class Output>
void append_answer(Call& call, const Input& input, Output& output, std::string& result) {
  call.renderer().append_output(TypedAnswer(input, output), result);
}
template <class Input, class Output>
void append_answer(Call& call, const Input& input, Summarized<Output>& answer, std::string& result) {
  call.renderer().append_output(TypedAnswer(input, answer.output, answer.summary, answer.links), result);
}
template <class Input>
void append_answer(Call& call, const Input&, Text& answer, std::string& result) {
  call.renderer().append_text(answer.text, result);
}
template <class Input>
void append_answer(Call& call, const Input&, Content& answer, std::string& result) {
  call.renderer().append_content(answer, result);
}

}  // namespace snapgen::mcp

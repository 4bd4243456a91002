#pragma once
// Functions for generated tools that append the members of a CallToolResult, in canonical order.
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
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

}  // namespace snapgen::mcp

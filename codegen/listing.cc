#include "codegen/listing.h"

#include <map>

#include "codegen/publish.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

std::string tool_object(const ToolFile& tool, const Listing& schemas, std::size_t form, bool dotted) {
  std::map<std::string, std::string> members;
  members["name"] = json::quoted(dotted ? tool.name : tool.safe_name);
  members["description"] = json::quoted(tool.description);
  members["inputSchema"] = schemas.input;
  if (form >= 1 && !tool.annotations.empty()) members["annotations"] = tool.annotations;
  if (form >= 2) {
    if (!tool.title.empty()) members["title"] = json::quoted(tool.title);
    if (tool.output) members["outputSchema"] = schemas.output;
    if (!tool.meta.empty()) members["_meta"] = tool.meta;
    // A client that shows safe names can still tell the name in the documentation.
    else if (!dotted && tool.name != tool.safe_name)
      members["_meta"] = "{\"snapgen/name\":" + json::quoted(tool.name) + "}";
  }
  std::string text = "{";
  for (const auto& [key, value] : members)
    text += (text.size() > 1 ? "," : "") + json::quoted(key) + ":" + value;
  return text + "}";
}

}  // namespace

Listing list_tool(const ToolFile& tool) {
  Findings unused;  // The schemas were published once before, when they were checked.
  Listing listing{.input = published(*tool.input, unused),
                  .output = tool.output ? published(*tool.output, unused) : "",
                  .objects = {}};
  for (std::size_t form = 0; form < listing_forms.size(); ++form)
    for (bool dotted : {false, true})
      listing.objects[form][dotted] = tool_object(tool, listing, form, dotted);
  return listing;
}

}  // namespace snapgen::codegen

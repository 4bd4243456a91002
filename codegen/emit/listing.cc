#include "codegen/emit/listing.h"

#include <map>

#include "codegen/emit/short_schema.h"
#include "codegen/front/keywords.h"
#include "codegen/front/publish.h"
#include "runtime/json/writer.h"

namespace snapgen::codegen {
namespace {

constexpr std::string_view dialect = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view own_definition = "#/$defs/";

// Adds the definitions that `node` refers to, directly or indirectly.
void collect(const json::Node& node, const json::Node& definitions,
             std::map<std::string, const json::Node*>& found) {
  for (const json::Member& member : node.members) {
    if (member.key == "$ref" && member.value.text.starts_with(own_definition)) {
      const std::string_view rest = std::string_view(member.value.text).substr(own_definition.size());
      const std::string name(rest.substr(0, rest.find('/')));
      const json::Node* definition = definitions.find(name);
      if (definition && found.emplace(name, definition).second) collect(*definition, definitions, found);
    }
    collect(member.value, definitions, found);
  }
  for (const json::Node& item : node.items) collect(item, definitions, found);
}

// Returns a schema unchanged, in canonical form, as a complete document with the definitions it needs.
std::string as_written(const json::Node& file, std::string_view which) {
  const json::Node& schema = *file.find(which);
  std::map<std::string, std::string> members;
  for (const json::Member& member : schema.members) members[member.key] = constant_of(member.value).canonical;
  members["$schema"] = json::quoted(dialect);
  if (const json::Node* definitions = file.find("$defs")) {
    std::map<std::string, const json::Node*> needed;
    collect(schema, *definitions, needed);
    std::map<std::string, std::string> texts;
    for (const auto& [name, node] : needed) texts[name] = constant_of(*node).canonical;
    if (!texts.empty()) members["$defs"] = json_object(texts);
  }
  return json_object(members);
}

// Adds a member to `object`, which is canonical JSON, or empty. An existing member is not replaced.
std::string with_member(const std::string& object, const std::string& member) {
  if (member.empty()) return object;
  std::string added = "{" + member + "}";
  if (object.empty() || object == "{}") return added;
  const std::string joined = added.substr(0, added.size() - 1) + "," + object.substr(1);
  const Result<std::string> canonical = json::canonical(joined);
  return canonical ? *canonical : object;
}

std::string tool_object(const ToolFile& tool, const Listing& schemas, Detail detail, std::size_t form,
                        bool dotted) {
  const bool brief = detail == Detail::brief;
  const std::string annotations = brief ? brief_annotations(tool.annotations) : tool.annotations;
  std::map<std::string, std::string> members;
  members["name"] = json::quoted(dotted ? tool.name : tool.safe_name);
  members["description"] = json::quoted(tool.description);
  members["inputSchema"] = brief && !tool.listed_as_written ? brief_input(schemas.input) : schemas.input;
  if (form >= 1 && !annotations.empty() && annotations != "{}") members["annotations"] = annotations;
  if (form >= 2) {
    if (!tool.title.empty()) members["title"] = json::quoted(tool.title);
    if (tool.output) members["outputSchema"] = brief ? brief_output(schemas.output) : schemas.output;
    if (!tool.icons.empty()) members["icons"] = tool.icons;
    // A client that shows the name without dots can read the name in the documents from this member.
    const std::string name =
        dotted || tool.name == tool.safe_name ? std::string() : "\"snapgen/name\":" + json::quoted(tool.name);
    const std::string meta = with_member(tool.meta, name);
    if (!meta.empty()) members["_meta"] = meta;
  }
  return json_object(members);
}

}  // namespace

Listing make_listing(const ToolFile& tool, Detail detail) {
  Findings unused;  // The check stage has already reported these findings.
  const json::Node& file = tool.file->document.root;
  Listing listing{.input = tool.listed_as_written ? as_written(file, "inputSchema")
                                                  : published_schema(*tool.input, unused),
                  .output = tool.output ? published_schema(*tool.output, unused) : ""};
  if (tool.output) listing.merged_output = merged_output(listing.output);
  for (std::size_t form = 0; form < listing_forms.size(); ++form)
    for (bool dotted : {false, true})
      listing.objects[form][dotted] = tool_object(tool, listing, detail, form, dotted);
  return listing;
}

}  // namespace snapgen::codegen

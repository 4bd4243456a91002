// Emits listing.h and listing.cc: each tool's constants, with its Tool object in every form and spelling.
// These are separate sources, so that a changed description recompiles only texts.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "codegen/emit/emit.h"
#include "codegen/emit/listing.h"
#include "codegen/model/cpp.h"
#include "runtime/base/text.h"

namespace snapgen::codegen {
namespace {

// The literals are split, because compilers need not support longer ones.
constexpr std::size_t literal_max = 60000;

// Writes the size of the text, because a compiler needs seconds to count the characters of all listings.
std::string constant(const std::string& name, const std::string& text) {
  std::string code = "constexpr std::string_view " + name + "{\n";
  for (std::size_t at = 0; at < text.size() || at == 0;) {
    const std::string_view part = utf8_head(std::string_view(text).substr(at), literal_max);
    const std::size_t end = at + part.size();
    code += "    " + raw_literal(part) +
            (end == text.size() ? ",\n    " + std::to_string(text.size()) + "};\n" : "\n");
    at = end;
    if (text.empty()) break;
  }
  return code;
}

// Returns the names of constants: {2024-11-05 safe, dotted}, {2025-03-26 safe, ... Adds their definitions to
// `texts`. Equal texts share one constant.
std::string listing_constants(const std::string& handler, const Listing& listing, std::string& texts) {
  std::map<std::string, std::string> written;  // The name of the constant for each text.
  std::string names;
  for (std::size_t form = 0; form < listing_forms.size(); ++form) {
    names += form == 0 ? "{" : ",\n                 {";
    for (bool dotted : {false, true}) {
      std::string own = handler + "_" + std::string(listing_forms[form]) + (dotted ? "_dotted" : "_safe");
      auto [same, is_new] = written.emplace(listing.objects[form][dotted], own);
      if (is_new) texts += constant(own, same->first);
      names += (dotted ? ", " : "") + same->second;
    }
    names += "}";
  }
  return names;
}

// Returns the values of the argument whose values have separate rate limits.
std::string rate_values(const ToolFile& tool) {
  std::string code = "constexpr std::string_view " + handler_name(tool) + "_rates[] = {";
  for (const std::string& each : tool.rate->values)
    code += (&each == tool.rate->values.data() ? "" : ", ") + string_literal(each);
  return code + "};\n";
}

using Brands = std::set<std::pair<std::string, std::string>>;  // Pairs of an argument's name and its brand.

// Adds the members of `schema`, at any depth, that have a brand, or whose items have one.
void add_brands(const Schema& schema, std::set<const Schema*>& seen, Brands& found) {
  const Schema& whole = resolved(schema);
  if (!seen.insert(&whole).second) return;
  const auto brand_of = [](const Schema& value) {
    return value.annotations.brand.empty() ? resolved(value).annotations.brand : value.annotations.brand;
  };
  for (const Property& each : whole.properties) {
    const Schema* const items = resolved(*each.schema).items;
    for (const Schema* value : {each.schema, items})
      if (value != nullptr && !brand_of(*value).empty()) found.emplace(each.name, brand_of(*value));
    add_brands(*each.schema, seen, found);
  }
  if (whole.items != nullptr) add_brands(*whole.items, seen, found);
  for (const Schema* each : whole.alternatives) add_brands(*each, seen, found);
}

Brands brands_in(const ToolFile& tool) {
  Brands found;
  std::set<const Schema*> seen;
  add_brands(*tool.input, seen, found);
  return found;
}

std::string branded_arguments(const ToolFile& tool, const Brands& brands) {
  std::string code = "constexpr mcp::BrandedArgument " + handler_name(tool) + "_brands[] = {";
  for (const auto& [name, brand] : brands)
    code += (code.ends_with("{") ? "{" : ", {") + string_literal(name) + ", " + string_literal(brand) + "}";
  return code + "};\n";
}

// Returns one element of the table of tools. `has_brands`: branded_arguments() are defined for the tool.
std::string element(const ToolFile& tool, const std::string& names, bool has_brands) {
  std::string text = "    {.name = " + string_literal(tool.name);
  auto member = [&](const std::string& name, const std::string& value) {
    text += ",\n     ." + name + " = " + value;
  };
  member("safe_name", string_literal(tool.safe_name));
  member("family", string_literal(tool.file->family));
  member("deadline_ms", std::to_string(tool.deadline_ms));
  member("listing", "{" + names + "}");
  member("merged_output_schema", tool.output ? handler_name(tool) + "_merged_output" : "{}");
  if (!tool.tier.empty()) member("tier", string_literal(tool.tier));
  if (tool.rate) {
    member("rate_per_minute", std::to_string(tool.rate->per_minute));
    member("rate_burst", std::to_string(tool.rate->burst));
    if (!tool.rate->by_argument.empty()) {
      member("rate_argument", string_literal(tool.rate->by_argument));
      member("rate_values", handler_name(tool) + "_rates");
    }
  }
  if (has_brands) member("branded_arguments", handler_name(tool) + "_brands");
  if (!tool.task.empty()) member("task", "mcp::TaskUse::" + tool.task);
  if (tool.needs_workspace) member("needs_workspace", "true");
  if (tool.is_hidden) member("is_hidden", "true");
  return text + "},\n";
}

}  // namespace

std::string emit_listing_header(const Model& model, const ToolsEmitSettings& paths) {
  return "#pragma once\n" + generated_by_line(paths) + "#include \"runtime/mcp/tool.h\"\n\nnamespace " +
         paths.name_space + "::listing {\n\nextern const snapgen::mcp::Tool tools[" +
         std::to_string(model.tools.size()) + "];\n\n}  // namespace " + paths.name_space + "::listing\n";
}

std::string emit_listing_source(const Model& model, const ToolsEmitSettings& paths) {
  std::string texts;
  std::string table;
  for (const ToolModel& each : model.tools) {
    const ToolFile& tool = *each.tool;
    const Listing listing = make_listing(tool, paths.brief ? Detail::brief : Detail::whole);
    const Brands brands = brands_in(tool);
    table += element(tool, listing_constants(handler_name(tool), listing, texts), !brands.empty());
    if (tool.rate && !tool.rate->by_argument.empty()) texts += rate_values(tool);
    if (!brands.empty()) texts += branded_arguments(tool, brands);
    if (tool.output) texts += constant(handler_name(tool) + "_merged_output", listing.merged_output);
    texts += "\n";
  }
  return generated_by_line(paths) + "#include \"" + paths.schemas + "/listing.h\"\n\nnamespace " +
         paths.name_space + "::listing {\nnamespace {\n\nnamespace mcp = snapgen::mcp;\n\n" + texts +
         "}  // namespace\n\nconstinit const mcp::Tool tools[] = {\n" + table + "};\n\n}  // namespace " +
         paths.name_space + "::listing\n";
}

}  // namespace snapgen::codegen

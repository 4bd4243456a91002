// Emits the routes of a service's API.
#include <algorithm>
#include <optional>

#include "codegen/emit/emit.h"
#include "codegen/front/name.h"
#include "codegen/model/cpp.h"
#include "codegen/model/route.h"

namespace snapgen::codegen {
namespace {

using json::Node;

// Returns the declared type of a schema, or null.
const Type* made_of(const Node& node, const SourceUnit& unit) {
  const auto found = std::ranges::find_if(unit.types, [&](const Type* each) {
    return each->declared && each->schema && each->schema->node == &node;
  });
  return found == unit.types.end() ? nullptr : *found;
}

}  // namespace

std::string route_constants(const SourceUnit& unit) {
  const std::optional<RouteDefinition> words = route_of(*unit.file);
  if (!words) return {};
  const std::string name = member_name(unit.file->stem) + "_route";
  std::string text = "\n// " + words->method + " " + words->path + "\n";
  text += "inline constexpr ::snapgen::fetch::Route " + name + " = {\n    " + string_literal(words->name) +
          ", ::snapgen::fetch::Method::" + (words->method == "GET" ? "get" : "post") + ", " +
          string_literal(words->path) + ", " + (words->repeatable ? "true" : "false");
  if (words->rate)
    text += ", " + std::to_string(words->rate->per_minute) + ", " + std::to_string(words->rate->burst);
  text += "};\n";
  const Type* request = made_of(unit.file->document.root, unit);
  if (!request || !request->is_class()) return text;
  const Node* definitions = unit.file->document.root.find("$defs");
  const Node* defined = definitions ? definitions->find("answer") : nullptr;
  const Type* answer = defined ? made_of(*defined, unit) : nullptr;
  return text + "constexpr ::snapgen::fetch::Route route_of(const " + request->name + "*) { return " + name +
         "; }\n// Declared for its return type, the type of the response; never defined.\n" +
         (answer ? answer->name : "::snapgen::json::Raw") + " answer_of(const " + request->name + "*);\n";
}

}  // namespace snapgen::codegen

#include "tools/cli/hosts/permissions.h"

#include <algorithm>
#include <array>

#include "runtime/json/document.h"
#include "runtime/json/writer.h"
#include "tools/cli/hosts/jsonc.h"

namespace snapgen::tools {
namespace {

const std::array<std::string, 2>& path_of_rules() {
  static const std::array<std::string, 2> path = {"permissions", "allow"};
  return path;
}

Result<std::vector<std::string>> rules_in(std::string_view text) {
  std::vector<std::string> rules;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return rules;
  const std::string json = TRY(checked_json(text, Comments::refused));
  const json::Node root = json::parse_document(json).root;
  const json::Node* permissions = root.find("permissions");
  const json::Node* allow = permissions ? permissions->find("allow") : nullptr;
  if (!allow) return rules;
  const auto is_text = [](const json::Node& each) { return each.is(json::Kind::string); };
  if (!allow->is(json::Kind::array) || !std::ranges::all_of(allow->items, is_text))
    return Error(ErrorCode::invalid_argument, "permissions.allow in it is not a list of texts.");
  for (const json::Node& each : allow->items) rules.push_back(each.text);
  return rules;
}

// Returns the rules as a JSON array on one line, as people write it.
std::string list_of(const std::vector<std::string>& rules) {
  std::string list;
  for (const std::string& each : rules) list += (list.empty() ? "" : ", ") + json::quoted(each);
  return "[" + list + "]";
}

}  // namespace

std::string permission_for(std::string_view server, std::string_view tool) {
  return "mcp__" + std::string(server) + "__" + std::string(tool);
}

Result<std::string> with_permissions(std::string_view text, const std::vector<std::string>& rules) {
  std::vector<std::string> all = TRY(rules_in(text));
  const std::size_t before = all.size();
  for (const std::string& each : rules)
    if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  if (all.size() == before) return std::string(text);
  return with_member(text, path_of_rules(), list_of(all), Comments::refused);
}

Result<std::string> without_permissions(std::string_view text, std::string_view server) {
  std::vector<std::string> all = TRY(rules_in(text));
  const std::string prefix = permission_for(server, "");
  if (std::erase_if(all, [&](const std::string& each) { return each.starts_with(prefix); }) == 0)
    return std::string(text);
  if (all.empty()) return without_member(text, path_of_rules(), Comments::refused);
  return with_member(text, path_of_rules(), list_of(all), Comments::refused);
}

}  // namespace snapgen::tools

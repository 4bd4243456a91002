#include "tools/insight/imports/package_exports.h"

#include <algorithm>
#include <span>

namespace snapgen::core {
namespace {

// Limit for the paths and conditions that package.json has for one name, and for its names.
constexpr int conditions_max = 100;
constexpr std::size_t exports_max = 4096;

// Collects the paths that `exports` or `imports` of package.json has for one name under any condition, such
// as "import". Reads at most `nodes_left` nodes, and subtracts them.
void collect_targets(const json::Node& node, std::vector<std::string>& targets, int& nodes_left) {
  if (nodes_left-- <= 0) return;
  if (node.is(json::Kind::string)) targets.push_back(node.text);
  for (const json::Node& item : node.items) collect_targets(item, targets, nodes_left);
  for (const json::Member& member : node.members) collect_targets(member.value, targets, nodes_left);
}

}  // namespace

std::vector<std::string> mapped_targets(const json::Node& map, std::string_view name) {
  std::vector<std::string> targets;
  int nodes_left = conditions_max;
  const json::Member* best = nullptr;
  for (const json::Member& member : std::span(map.members).first(std::min(map.members.size(), exports_max))) {
    if (member.key == name) {
      collect_targets(member.value, targets, nodes_left);
      return targets;
    }
    std::size_t star = member.key.find('*');
    if (star == std::string::npos) continue;
    std::string_view before = std::string_view(member.key).substr(0, star);
    std::string_view after = std::string_view(member.key).substr(star + 1);
    if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
      continue;
    if (best == nullptr || star > best->key.find('*')) best = &member;
  }
  if (best == nullptr) return targets;
  std::size_t star = best->key.find('*');
  std::string_view middle = name.substr(star, name.size() - (best->key.size() - 1));
  collect_targets(best->value, targets, nodes_left);
  for (std::string& target : targets) {
    if (std::size_t position = target.find('*'); position != std::string::npos)
      target.replace(position, 1, middle);
  }
  return targets;
}

std::vector<std::string> exported_targets(const json::Node& manifest, std::string_view subpath) {
  const json::Node* exports = manifest.find("exports");
  std::vector<std::string> targets;
  if (exports == nullptr) return targets;
  if (!exports->members.empty() && exports->members.front().key.starts_with('.'))
    return mapped_targets(*exports, subpath.empty() ? "." : "./" + std::string(subpath));
  int nodes_left = conditions_max;
  if (subpath.empty()) collect_targets(*exports, targets, nodes_left);
  return targets;
}

}  // namespace snapgen::core

#include "tools/insight/imports/package_exports.h"

#include <algorithm>
#include <climits>
#include <span>
#include <utility>

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

// Returns an empty text instead of one that is longer than a path.
std::string with_stars_replaced(std::string_view target, std::string_view middle) {
  std::string path;
  for (const char c : target) {
    if (c == '*')
      path += middle;
    else
      path += c;
    if (path.size() >= PATH_MAX) return {};
  }
  return path;
}

}  // namespace

std::vector<std::string> mapped_targets(const json::Node& map, std::string_view name) {
  std::vector<std::string> targets;
  int nodes_left = conditions_max;
  const json::Member* best = nullptr;
  std::string_view best_before, middle;
  for (const json::Member& member : std::span(map.members).first(std::min(map.members.size(), exports_max))) {
    const std::string_view key = member.key;
    if (key == name) {
      collect_targets(member.value, targets, nodes_left);
      return targets;
    }
    const std::size_t star = key.find('*');
    if (star == key.npos && !key.ends_with('/')) continue;
    const std::string_view before = key.substr(0, star);
    const std::string_view after = star == key.npos ? std::string_view() : key.substr(star + 1);
    if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
      continue;
    // The longer part before `*` has precedence, then the longer key.
    if (best != nullptr &&
        std::pair(before.size(), key.size()) <= std::pair(best_before.size(), best->key.size()))
      continue;
    best = &member;
    best_before = before;
    middle = name.substr(before.size(), name.size() - before.size() - after.size());
  }
  if (best == nullptr) return targets;
  collect_targets(best->value, targets, nodes_left);
  for (std::string& target : targets)
    target = best_before == best->key ? target + std::string(middle) : with_stars_replaced(target, middle);
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

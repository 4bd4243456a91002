// Reads package.json, and the lock files of npm and Bun.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "tools/engine/base/json_comments.h"
#include "tools/insight/package/project_packages.h"
#include "tools/insight/syntax/yaml.h"

namespace snapgen::core {
namespace {

constexpr std::array<const char*, 4> dependency_kinds = {"dependencies", "devDependencies",
                                                         "optionalDependencies", "peerDependencies"};
constexpr std::string_view modules = "node_modules/";

// Returns whether the text has a syntax error within this value, so that its version is unknown.
bool is_cut_short(const json::Node& value, std::string_view text) {
  if (value.is(json::Kind::string) && value.text.empty()) return text.substr(value.offset, 2) != "\"\"";
  return value.is(json::Kind::invalid);
}

// Adds the dependencies of one list, such as "devDependencies", of which some are optional. A name that is in
// several lists has the version of the first one.
void declare_list(ProjectPackages& found, PackageFiles& files, const std::string& path, std::string_view text,
                  const json::Node& list, std::string_view kind,
                  const std::set<std::string_view>& optional_names) {
  if (!list.is(json::Kind::object)) {
    found.has_unread_manifest = true;
    return files.add_problem(path, text, list.offset, "\"" + std::string(kind) + "\" is not an object");
  }
  for (const json::Member& each : list.members) {
    if (is_cut_short(each.value, text) || found.declared.contains(each.key)) continue;
    Dependency dependency{
        .name = each.key, .range = string_value(&each.value), .manifest = path, .source = {}};
    dependency.is_valid = each.value.is(json::Kind::string);
    if (!dependency.is_valid)
      files.add_problem(path, text, each.value.offset, "the version of \"" + each.key + "\" is not a string");
    dependency.is_local = dependency.range.starts_with("workspace:");
    dependency.is_tool = optional_names.contains(each.key);
    if (is_npm_source(dependency.range)) dependency.source = dependency.range;
    found.add_declared(std::move(dependency));
  }
}

// Adds the versions with which a manifest, or bun.lock, replaces those that its packages ask for.
void add_overrides(ProjectPackages& found, const json::Node& manifest) {
  const json::Node* pnpm = manifest.find("pnpm");
  for (const json::Node* list : {manifest.find("overrides"), manifest.find("resolutions"),
                                 pnpm == nullptr ? nullptr : pnpm->find("overrides")}) {
    if (list == nullptr) continue;
    for (const json::Member& each : list->members) {
      const json::Node* own = each.value.is(json::Kind::object) ? each.value.find(".") : &each.value;
      if (own != nullptr) found.add_override(each.key, string_value(own));
    }
  }
}

// Returns the peers that package.json calls optional.
std::set<std::string_view> optional_peers_of(const json::Node& manifest) {
  std::set<std::string_view> names;
  if (const json::Node* peers = manifest.find("peerDependenciesMeta"))
    for (const json::Member& each : peers->members)
      if (const json::Node* optional = each.value.find("optional"); optional != nullptr && optional->boolean)
        names.insert(each.key);
  return names;
}

// Returns the patterns in package.json's `workspaces`.
std::vector<std::string> workspace_patterns_of(const json::Node& manifest) {
  std::vector<std::string> patterns;
  const json::Node* list = manifest.find("workspaces");
  if (list != nullptr && list->is(json::Kind::object)) list = list->find("packages");
  if (list != nullptr)
    for (const json::Node& each : list->items)
      if (each.is(json::Kind::string)) patterns.push_back(each.text);
  return patterns;
}

LockedPackage npm_locked(const json::Node& node) {
  const json::Node* script = node.find("hasInstallScript");
  const json::Node* link = node.find("link");
  const std::string source = string_member(node, "resolved");
  const bool is_remote = source.find("://") != std::string::npos;
  return {.version = string_member(node, "version"),
          .source = source,
          .ranges = {},
          .is_foreign = is_remote && !is_in_npm_registry(source),
          .has_hash = !is_remote || !string_member(node, "integrity").empty(),
          .has_script = script && script->is(json::Kind::boolean) && script->boolean,
          .is_link = link && link->is(json::Kind::boolean) && link->boolean};
}

// Returns whether this member may be incomplete, because the lock file has a syntax error, which ends the
// list.
bool may_be_cut(const ProjectPackages& found, const json::Node& list, const json::Member& each) {
  return found.has_unread_lock && &each == &list.members.back();
}

// Reads package-lock.json. Versions 2 and 3 have "packages" by path, version 1 has "dependencies" by name.
void add_npm_lock(ProjectPackages& found, const json::Node& root, const std::string& own) {
  if (const json::Node* packages = root.find("packages")) {
    const std::string nested = own.empty() ? "" : own + "/" + std::string(modules);
    for (const json::Member& each : packages->members) {
      const bool is_nested = !nested.empty() && each.key.starts_with(nested);
      if (!is_nested && !each.key.starts_with(modules)) continue;
      if (may_be_cut(found, *packages, each)) continue;
      const std::string name = each.key.substr(is_nested ? nested.size() : modules.size());
      if (name.find("/node_modules/") != std::string::npos) continue;
      LockedPackage package = npm_locked(each.value);
      package.is_direct = is_nested;
      found.add_locked(name, std::move(package));
    }
  } else if (const json::Node* dependencies = root.find("dependencies")) {
    for (const json::Member& each : dependencies->members)
      if (!may_be_cut(found, *dependencies, each)) found.add_locked(each.key, npm_locked(each.value));
  }
}

// Reads bun.lock, whose packages have the form "express": ["express@4.18.2", "", {...}, "sha512-..."].
void add_bun_lock(ProjectPackages& found, const json::Node& root) {
  add_overrides(found, root);
  const json::Node* packages = root.find("packages");
  if (packages == nullptr) return;
  for (const json::Member& each : packages->members) {
    const std::string id = each.value.items.empty() ? "" : string_value(&each.value.items.front());
    const std::size_t at = id.rfind('@');
    // A key such as "a/b" has the version of b that only a uses.
    const std::size_t scope = each.key.starts_with('@') ? each.key.find('/') + 1 : 0;
    if (at == std::string::npos || at == 0 || each.key.find('/', scope) != std::string::npos) continue;
    if (may_be_cut(found, *packages, each)) continue;
    const std::string version = id.substr(at + 1);
    const bool is_foreign = is_npm_source(version);
    const bool is_local = version.starts_with("workspace:");
    found.add_locked(each.key, {.version = is_foreign || is_local ? "" : version,
                                .source = is_foreign ? version : "",
                                .ranges = {},
                                .is_foreign = is_foreign,
                                .has_hash = is_foreign || is_local ||
                                            string_value(&each.value.items.back()).starts_with("sha")});
  }
}

void read_npm_lock(ProjectPackages& found, PackageFiles& files) {
  const std::optional<LockFile> lock =
      files.read_nearest_lock(found, {"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml",
                                      "yarn.lock", "bun.lock", binary_lock_name});
  if (!lock) return;
  const std::string own = files.folder() == lock->folder
                              ? ""
                              : files.folder().substr(lock->folder.empty() ? 0 : lock->folder.size() + 1);
  // The manifest of the workspace beside the lock file has the overrides of all its packages.
  if (!own.empty()) {
    const std::string above = lock->folder.empty() ? "package.json" : lock->folder + "/package.json";
    bool is_unread = false;
    const std::optional<std::string> text = files.read_manifest(above, is_unread);
    if (const std::optional<json::Node> root = text ? files.json_of(above, *text, is_unread) : std::nullopt)
      add_overrides(found, *root);
  }
  const bool is_yarn = lock->name == "yarn.lock";
  if (is_yarn || lock->name == "pnpm-lock.yaml") {
    const std::optional<SyntaxFault> fault = is_yarn ? yarn_lock_fault(lock->text) : yaml_fault(lock->text);
    if (fault) {
      found.has_unread_lock = true;
      return files.add_problem(lock->path, *fault);
    }
    return is_yarn ? add_yarn_lock(found, lock->text) : add_pnpm_lock(found, lock->text, own);
  }
  const bool is_bun = lock->name == "bun.lock";
  const std::string bare = is_bun ? without_json_comments(lock->text) : std::string();
  const std::optional<json::Node> root =
      files.json_of(lock->path, is_bun ? bare : lock->text, found.has_unread_lock);
  if (root && is_bun) add_bun_lock(found, *root);
  if (root && !is_bun) add_npm_lock(found, *root, own);
}

}  // namespace

bool is_in_npm_registry(std::string_view source) {
  return source.starts_with("https://registry.npmjs.org/") ||
         source.starts_with("https://registry.yarnpkg.com/");
}

bool is_npm_source(std::string_view range) {
  return range.find("://") != std::string_view::npos || range.starts_with("git") ||
         range.starts_with("file:") || range.starts_with("link:") ||
         (range.find('/') != std::string_view::npos && !range.starts_with("npm:") &&
          !range.starts_with("patch:") && !range.starts_with("workspace:") && !range.starts_with('@'));
}

ProjectPackages read_npm(PackageFiles& files) {
  ProjectPackages found{.ecosystem = Ecosystem::npm};
  const std::string path = files.path_of("package.json");
  const std::optional<std::string> text = files.read_manifest(path, found.has_unread_manifest);
  if (!text) return found;
  found.manifests.push_back(path);
  const std::optional<json::Node> root = files.json_of(path, *text, found.has_unread_manifest);
  for (const std::string_view kind : dependency_kinds)
    if (const json::Node* list = root ? root->find(kind) : nullptr)
      declare_list(found, files, path, *text, *list, kind,
                   kind == "peerDependencies" ? optional_peers_of(*root) : std::set<std::string_view>());
  if (root) {
    add_overrides(found, *root);
    found.workspace_patterns = workspace_patterns_of(*root);
  }
  read_npm_lock(found, files);
  return found;
}

}  // namespace snapgen::core

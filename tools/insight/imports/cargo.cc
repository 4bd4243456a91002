#include "tools/insight/imports/cargo.h"

#include <algorithm>
#include <utility>

#include "runtime/json/document.h"
#include "tools/insight/imports/toml.h"

namespace snapgen::core {
namespace {

void add_dependencies(CargoDependencies& dependencies, const json::Node* list) {
  if (list == nullptr) return;
  for (const json::Member& each : list->members) {
    CargoDependency dependency{.package = string_member(each.value, "package"),
                               .path = string_member(each.value, "path"),
                               .is_inherited = each.value.find("workspace") != nullptr};
    if (dependency.package.empty() && dependency.path.empty() && !dependency.is_inherited) continue;
    if (dependency.package.empty()) dependency.package = each.key;
    std::string name = each.key;
    std::ranges::replace(name, '-', '_');
    dependencies.insert_or_assign(std::move(name), std::move(dependency));
  }
}

void add_all_dependencies(CargoDependencies& dependencies, const json::Node& table) {
  for (const char* kind : {"dependencies", "dev-dependencies", "build-dependencies"})
    add_dependencies(dependencies, table.find(kind));
}

}  // namespace

std::optional<CargoManifest> read_cargo_manifest(std::string_view text) {
  const json::Document document = parse_toml(text);
  if (!document.ok()) return std::nullopt;
  CargoManifest manifest;
  if (const json::Node* workspace = document.root.find("workspace"))
    add_dependencies(manifest.workspace_dependencies, workspace->find("dependencies"));
  const json::Node* package = document.root.find("package");
  if (package != nullptr) manifest.package_name = string_member(*package, "name");
  manifest.library_name = manifest.package_name;
  if (manifest.package_name.empty()) return manifest;
  add_all_dependencies(manifest.dependencies, document.root);
  if (const json::Node* targets = document.root.find("target"))
    for (const json::Member& target : targets->members)
      add_all_dependencies(manifest.dependencies, target.value);
  if (const json::Node* library = document.root.find("lib")) {
    std::string name = string_member(*library, "name");
    if (!name.empty()) manifest.library_name = std::move(name);
    manifest.library_path = string_member(*library, "path");
  }
  for (const char* kind : {"bin", "test", "example", "bench"}) {
    const json::Node* programs = document.root.find(kind);
    if (programs == nullptr) continue;
    for (const json::Node& program : programs->items) {
      std::string path = string_member(program, "path");
      if (!path.empty()) manifest.program_paths.push_back(std::move(path));
    }
  }
  return manifest;
}

}  // namespace snapgen::core

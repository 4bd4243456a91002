#include "tools/insight/imports/cargo.h"

#include <utility>

#include "runtime/json/document.h"
#include "tools/insight/imports/toml.h"

namespace snapgen::core {
namespace {

// Returns a string of the table; empty if there is no such string.
std::string string_in(const json::Node& table, std::string_view key) {
  const json::Node* value = table.find(key);
  return value != nullptr && value->is(json::Kind::string) ? value->text : std::string();
}

}  // namespace

std::optional<CargoManifest> read_cargo_manifest(std::string_view text) {
  const json::Document document = parse_toml(text);
  const json::Node* package = document.root.find("package");
  if (!document.ok() || package == nullptr) return std::nullopt;
  CargoManifest manifest;
  manifest.library_name = string_in(*package, "name");
  if (manifest.library_name.empty()) return std::nullopt;
  if (const json::Node* library = document.root.find("lib")) {
    std::string name = string_in(*library, "name");
    if (!name.empty()) manifest.library_name = std::move(name);
    manifest.library_path = string_in(*library, "path");
  }
  for (const char* kind : {"bin", "test", "example", "bench"}) {
    const json::Node* programs = document.root.find(kind);
    if (programs == nullptr) continue;
    for (const json::Node& program : programs->items) {
      std::string path = string_in(program, "path");
      if (!path.empty()) manifest.program_paths.push_back(std::move(path));
    }
  }
  return manifest;
}

}  // namespace snapgen::core

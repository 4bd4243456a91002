#pragma once
// Reads the root files of a crate, and the names of its dependencies, from its Cargo.toml.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

// A dependency whose entry has a name of its own, or a folder.
struct CargoDependency {
  std::string package;        // The name of the package.
  std::string path;           // Its folder, relative to the manifest's; or empty.
  bool is_inherited = false;  // The workspace's manifest has the entry.
};
// The key is the name in the manifest, with `_` for `-`, as in source code.
using CargoDependencies = std::map<std::string, CargoDependency, std::less<>>;

struct CargoManifest {
  std::string package_name;                // Empty in a virtual workspace, which has no package.
  std::string library_name;                // The name of the library, or if it has none, of the package.
  std::string library_path;                // The path; empty if the library has the default path.
  std::vector<std::string> program_paths;  // The paths in [[bin]], [[test]], [[example]] and [[bench]].
  CargoDependencies dependencies;
  CargoDependencies workspace_dependencies;
};

// Returns nullopt if the text is not TOML.
std::optional<CargoManifest> read_cargo_manifest(std::string_view text);

}  // namespace snapgen::core

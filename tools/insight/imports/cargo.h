#pragma once
// Reads the root files of a crate from its Cargo.toml.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

struct CargoManifest {
  std::string library_name;                // The name of the library, or if it has none, of the package.
  std::string library_path;                // The path; empty if the library has the default path.
  std::vector<std::string> program_paths;  // The paths in [[bin]], [[test]], [[example]] and [[bench]].
};

// Returns nullopt if the text is not TOML or has no package (a virtual workspace).
std::optional<CargoManifest> read_cargo_manifest(std::string_view text);

}  // namespace snapgen::core

#pragma once
// Reads the roots of a crate from its Cargo.toml.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

struct CargoManifest {
  std::string library_name;                // The library's name, or the package's.
  std::string library_path;                // Empty: the default.
  std::vector<std::string> program_paths;  // Paths in [[bin]], [[test]], [[example]] and [[bench]].
};

// Returns nullopt if the text is not TOML or has no package (a virtual workspace).
std::optional<CargoManifest> read_cargo(std::string_view text);

}  // namespace snapgen::core

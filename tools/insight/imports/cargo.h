#pragma once
// What a Cargo.toml says of where a crate's roots are. toml++ is included by cargo.cc alone.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snapgen::core {

struct CargoManifest {
  std::string library_name;                // Of the library, or of the package.
  std::string library_path;                // If it says one.
  std::vector<std::string> program_paths;  // Those that [[bin]], [[test]], [[example]] and [[bench]] name.
};

// None if it is no TOML, or has no package: a workspace alone.
std::optional<CargoManifest> read_cargo(std::string_view text);

}  // namespace snapgen::core

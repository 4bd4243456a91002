#pragma once
// Project: the configuration of a tree that determines how imports resolve: package.json, tsconfig.json,
// deno.json, go.mod, go.work, Cargo.toml, pyproject.toml, setup.cfg, pytest.ini, tox.ini.
//
// Files that cannot be parsed are ignored.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"
#include "tools/insight/imports/file_set.h"
#include "tools/insight/imports/typescript.h"

namespace snapgen::core {

struct NodePackage {
  std::string folder;
  std::string name;  // The name in package.json; may be empty.
  json::Node manifest;
};

struct RustCrate {
  std::string folder;
  std::string name;          // The name in source code: with `_` for `-`.
  std::string library_path;  // Path of src/lib.rs or another file; empty if the crate has no library.
  // Paths such as src/main.rs, src/bin/… and tests/…; each is a separate crate.
  std::vector<std::string> program_paths;
  // The crates of the tree that this one depends on, by their names in its source code, which its Cargo.toml
  // can choose.
  std::map<std::string, std::size_t, std::less<>> dependencies;
};

struct Project {
  using ByFolder = std::map<std::string, std::size_t, std::less<>>;

  // The tsconfig.json or jsconfig.json of each folder, followed by those that it references.
  std::map<std::string, std::vector<TypescriptConfig>, std::less<>> typescript;
  // Returns the options for this file: those of the nearest configuration that covers it. If none does, those
  // of the nearest one, or null.
  const TypescriptConfig* typescript_of(std::string_view path) const;
  // The import map that applies below each folder, from the folder's deno.json or the file that this names.
  std::map<std::string, std::vector<TypescriptConfig::Mapping>, std::less<>> import_maps;
  std::vector<NodePackage> packages;
  ByFolder package_at;
  std::map<std::string, std::size_t, std::less<>> package_named;
  using GoModules = std::map<std::string, std::string, std::less<>>;
  // The folder of each Go module; the key is the module path.
  GoModules go_modules;
  // The modules that the go.mod or go.work of a folder replaces.
  std::map<std::string, GoModules, std::less<>> go_replacements;
  std::vector<RustCrate> crates;
  ByFolder crate_at;
  std::map<std::string, std::size_t, std::less<>> crate_named;
  std::vector<std::string> python_roots;  // Base folders of absolute imports of Python, in search order.
  // The folders of packages of Python that are not in a base folder, by their names, such as "shop.core".
  std::map<std::string, std::string, std::less<>> python_packages;
};

// Returns whether read_project() reads files of this name. It also reads files of any name that these extend.
bool is_project_file(std::string_view path);

// Reads the configuration files of `files`, and the files that these extend.
Project read_project(const FileSet& files, const ConfigurationReader& read);

}  // namespace snapgen::core

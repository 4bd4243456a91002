#pragma once
// Project: the configuration of a tree that determines how imports resolve: package.json, tsconfig.json,
// go.mod, Cargo.toml, pyproject.toml.
//
// Files that cannot be parsed are ignored.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"
#include "tools/insight/imports/file_set.h"

namespace snapgen::core {

// The options that concern imports of a tsconfig.json or jsconfig.json, including those of the files it
// extends.
struct TypescriptPaths {
  struct Mapping {
    std::string before;  // The part of the pattern before `*`.
    std::string after;
    bool exact = false;                // The pattern has no `*`.
    std::vector<std::string> targets;  // Paths relative to the root, with or without `*`.
  };
  std::optional<std::string> base;  // The folder, relative to the root, against which bare names resolve.
  std::vector<Mapping> mappings;
  // An import of which each name has the modifier `type` remains, without names, in the compiled file.
  bool keeps_type_names = false;
};

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
};

struct Project {
  using ByFolder = std::map<std::string, std::size_t, std::less<>>;

  // The paths, keyed by the folder of the configuration file.
  std::map<std::string, TypescriptPaths, std::less<>> typescript;
  // Returns the options for files in this folder, or null.
  const TypescriptPaths* typescript_of(std::string_view folder) const;
  std::vector<NodePackage> packages;
  ByFolder package_at;
  std::map<std::string, std::size_t, std::less<>> package_named;
  // The folder of each Go module; the key is the module path.
  std::map<std::string, std::string, std::less<>> go_modules;
  std::vector<RustCrate> crates;
  ByFolder crate_at;
  std::map<std::string, std::size_t, std::less<>> crate_named;
  std::vector<std::string> python_roots;  // Base folders of absolute imports of Python, in search order.
};

// Returns whether read_project() reads files of this name.
bool is_project_file(std::string_view path);

// Reads the configuration files of `files`. `read` returns the content of a file, or nullopt if it is
// unreadable.
Project read_project(const FileSet& files, const std::function<std::optional<std::string>(FileIndex)>& read);

}  // namespace snapgen::core

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

// `paths` and `baseUrl` of a tsconfig.json or jsconfig.json, including those it extends.
struct TypescriptPaths {
  struct Mapping {
    std::string before;  // The part before `*`.
    std::string after;
    bool exact = false;                // The pattern has no `*`.
    std::vector<std::string> targets;  // Relative to the root, with or without `*`.
  };
  std::optional<std::string> base;  // A folder, relative to the root, against which bare names resolve.
  std::vector<Mapping> mappings;
};

struct NodePackage {
  std::string folder;
  std::string name;  // May be empty.
  json::Node manifest;
};

struct RustCrate {
  std::string folder;
  std::string name;                   // As in code: with `_` for `-`.
  std::string library;                // src/lib.rs or another path; empty: the crate has no library.
  std::vector<std::string> programs;  // src/main.rs, src/bin/…, tests, …: each is a separate crate.
};

struct Project {
  using ByFolder = std::map<std::string, std::size_t, std::less<>>;

  std::map<std::string, TypescriptPaths, std::less<>> typescript;  // Keyed by folder.
  std::vector<NodePackage> packages;
  ByFolder package_at;
  std::map<std::string, std::size_t, std::less<>> package_named;
  std::map<std::string, std::string, std::less<>> go_modules;  // Folders, keyed by module path.
  std::vector<RustCrate> crates;
  ByFolder crate_at;
  std::map<std::string, std::size_t, std::less<>> crate_named;
  std::vector<std::string> python_roots;  // Base folders of absolute imports, in search order.
};

// Whether a file of this name is configuration that read_project() reads.
bool is_project_file(std::string_view path);

// `read`: returns the content of a file of the set, or nullopt if it is unreadable.
Project read_project(const FileSet& files, const std::function<std::optional<std::string>(FileIndex)>& read);

}  // namespace snapgen::core

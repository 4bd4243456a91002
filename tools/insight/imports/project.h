#pragma once
// Project: what a tree's own configuration says of how names in imports are to be understood: package.json,
// tsconfig.json, go.mod, Cargo.toml, pyproject.toml.
//
// A file that cannot be understood is as if it were not there.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/json/document.h"
#include "tools/insight/imports/file_set.h"

namespace snapgen::core {

// `paths` and `baseUrl` of a tsconfig.json or jsconfig.json, with what it extends.
struct TypescriptPaths {
  struct Mapping {
    std::string before;  // `*`
    std::string after;
    bool exact = false;                // There is no `*`.
    std::vector<std::string> targets;  // from the root, with `*` or without
  };
  std::optional<std::string> base;  // A folder from the root, in which bare names are looked for too.
  std::vector<Mapping> mappings;
};

struct NodePackage {
  std::string folder;
  std::string name;  // May be empty.
  json::Node manifest;
};

struct RustCrate {
  std::string folder;
  std::string name;                   // As code spells it: `-` is `_`.
  std::string library;                // src/lib.rs or another; empty: there is none.
  std::vector<std::string> programs;  // src/main.rs, src/bin/…, tests, …: a crate each
};

struct Project {
  using ByFolder = std::map<std::string, std::size_t, std::less<>>;

  std::map<std::string, TypescriptPaths, std::less<>> typescript;  // by folder
  std::vector<NodePackage> packages;
  ByFolder package_at;
  std::map<std::string, std::size_t, std::less<>> package_named;
  std::map<std::string, std::string, std::less<>> go_modules;  // folder by name of the module
  std::vector<RustCrate> crates;
  ByFolder crate_at;
  std::map<std::string, std::size_t, std::less<>> crate_named;
  std::vector<std::string> python_roots;  // Folders from which absolute imports are looked for, in order.
};

// Whether a file of this name is configuration that read_project() reads.
bool is_project_file(std::string_view path);

// `read`: the content of a file of the set; none if it cannot be had.
Project read_project(const FileSet& files, const std::function<std::optional<std::string>(FileIndex)>& read);

// JSON as tsconfig.json has it, without its comments and commas before closing brackets, which become blanks.
std::string without_comments(std::string_view text);

}  // namespace snapgen::core

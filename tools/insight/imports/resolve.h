#pragma once
// Resolver: maps the imports of a file to files of the tree.
//
// It follows the rules of each language's own tools as far as possible without running them. Imports from
// outside of the tree (installed packages, system headers, standard libraries) resolve to nothing.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/insight/imports/file_set.h"
#include "tools/insight/imports/project.h"
#include "tools/insight/imports/scan.h"

namespace snapgen::core {

class Resolver {
 public:
  // `files` and `project` must outlive the resolver.
  Resolver(const FileSet& files, const Project& project);

  // Appends the files that `import` in the file `from` resolves to; each file once.
  //
  // JavaScript: relative paths, `paths` and `baseUrl` of the nearest tsconfig.json, `imports` of the nearest
  // package.json, packages of the tree by name with their `exports`, `module` and `main`. Python: relative
  // modules; absolute ones from the folder of the script's own package, from the project's roots, and from
  // the folders above. C: beside the file, then the nearest path of the tree that ends with the name. Go: all
  // files of the package except tests. Rust: modules by the rules of `mod`, paths as far as they name
  // modules, crates of the tree.
  void resolve(FileIndex from, Language language, const Import& import, std::vector<FileIndex>& out) const;

  // Returns the TypeScript options for a file of JavaScript or a component, or null.
  const TypescriptConfig* typescript_of(FileIndex file) const { return typescript_[file]; }

 private:
  // This function is defined in resolve_javascript.cc.
  void resolve_javascript(FileIndex from, const Import& import, std::vector<FileIndex>& out) const;
  // This function is defined in resolve_python.cc.
  void resolve_python(FileIndex from, const Import& import, std::vector<FileIndex>& out) const;
  // This function is defined in resolve_c.cc.
  void resolve_c(FileIndex from, const Import& import, std::vector<FileIndex>& out) const;
  // RustModulePath tells where a file is in the module tree of its crate. The functions are defined in
  // resolve_rust.cc.
  struct RustModulePath {
    std::size_t crate = 0;
    FileIndex root = 0;                // The crate's root file.
    std::vector<std::string> modules;  // Names of the modules from the crate's root to the file.
  };
  void map_rust();
  const RustModulePath* module_path_of(FileIndex file) const;
  const RustCrate* crate_named(std::string_view name, const RustModulePath* from) const;
  void resolve_rust(FileIndex from, const Import& import, std::vector<FileIndex>& out) const;
  void resolve_rust_path(FileIndex root, const std::vector<std::string>& path, FileIndex from,
                         std::vector<FileIndex>& out) const;

  // Returns the folder of a module by the name that the file imports; null if it is not in the tree.
  const std::string* go_module_of(std::string_view from, std::string_view name) const;
  void resolve_go(FileIndex from, const Import& import, std::vector<FileIndex>& out) const;

  const FileSet& files_;
  const Project& project_;
  std::vector<const TypescriptConfig*> typescript_;  // For each file, because to find one is slow.
  std::unordered_map<FileIndex, RustModulePath> module_paths_;
  // The file of each Rust module, by the crate's root file and the module path (a::b::c).
  std::unordered_map<FileIndex, std::unordered_map<std::string, FileIndex>> rust_modules_;
};

}  // namespace snapgen::core

#include <algorithm>
#include <deque>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/resolve.h"

namespace snapgen::core {
namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    std::size_t end = std::min(path.find("::"), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 2, path.size()));
  }
  return parts;
}

std::string joined_modules(const std::vector<std::string>& parts, std::size_t count) {
  std::string path;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) path += "::";
    path += parts[i];
  }
  return path;
}

// Returns the modules that a path names: a and b for a/b.rs and a/b/mod.rs, relative to the folder of the
// crate's root file.
std::vector<std::string> modules_of(std::string_view path_from_root_folder) {
  std::string_view path = path_from_root_folder;
  path.remove_suffix(3);
  std::vector<std::string> modules;
  while (!path.empty()) {
    std::size_t slash = std::min(path.find('/'), path.size());
    modules.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  if (!modules.empty() && modules.back() == "mod") modules.pop_back();
  return modules;
}

}  // namespace

void Resolver::map_rust() {
  for (std::size_t i = 0; i < project_.crates.size(); ++i) {
    const RustCrate& crate = project_.crates[i];
    std::vector<std::string> roots = crate.program_paths;
    // The library is first, because it owns the files of a folder that it shares with a program.
    if (!crate.library_path.empty()) roots.insert(roots.begin(), crate.library_path);
    for (const std::string& root : roots) {
      std::optional<FileIndex> index = files_.find(root);
      if (index) module_paths_.emplace(*index, RustModulePath{.crate = i, .root = *index, .modules = {}});
    }
    for (const std::string& root : roots) {
      std::optional<FileIndex> root_index = files_.find(root);
      if (!root_index) continue;
      std::string folder(parent_path(root));
      if (folder == crate.folder) continue;  // The root is build.rs, whose folder contains the whole crate.
      auto [first, last] = files_.below(folder);
      for (FileIndex file = first; file < last; ++file) {
        const std::string& path = files_.path(file);
        if (!path.ends_with(".rs") || module_paths_.contains(file)) continue;
        std::vector<std::string> modules =
            modules_of(std::string_view(path).substr(folder.empty() ? 0 : folder.size() + 1));
        rust_modules_[*root_index].emplace(joined_modules(modules, modules.size()), file);
        module_paths_.emplace(file,
                              RustModulePath{.crate = i, .root = *root_index, .modules = std::move(modules)});
      }
    }
  }
}

const Resolver::RustModulePath* Resolver::module_path_of(FileIndex file) const {
  auto found = module_paths_.find(file);
  return found == module_paths_.end() ? nullptr : &found->second;
}

// Returns the crate of this name in the source code of a module, or null. `from` may be null.
const RustCrate* Resolver::crate_named(std::string_view name, const RustModulePath* from) const {
  if (from != nullptr) {
    const auto& dependencies = project_.crates[from->crate].dependencies;
    if (const auto found = dependencies.find(name); found != dependencies.end())
      return &project_.crates[found->second];
  }
  const auto found = project_.crate_named.find(name);
  return found == project_.crate_named.end() ? nullptr : &project_.crates[found->second];
}

void Resolver::resolve_rust(FileIndex from, const Import& import, std::vector<FileIndex>& out) const {
  const std::string& here = files_.path(from);
  std::string folder(parent_path(here));
  const RustModulePath* module_path = module_path_of(from);
  auto take = [&](std::string_view path) {
    std::optional<std::string> full = normalized_path("", path);
    std::optional<FileIndex> found = full ? files_.find(*full) : std::nullopt;
    if (found && *found != from) out.push_back(*found);
    return found.has_value();
  };
  if (import.kind == ImportKind::submodule) {
    if (!import.path.empty()) {
      take(joined_path(folder, import.path));
      return;
    }
    std::string_view name = base_name(here);
    bool owns_folder = name == "mod.rs" || (module_path != nullptr && module_path->root == from);
    if (!owns_folder) folder = joined_path(folder, name.substr(0, name.size() - 3));
    std::string path = import.name;
    for (std::size_t colons = path.find("::"); colons != std::string::npos; colons = path.find("::")) {
      path.replace(colons, 2, "/");
    }
    if (!take(joined_path(folder, path + ".rs"))) take(joined_path(folder, path + "/mod.rs"));
    return;
  }

  std::vector<std::string> path = split(import.name);
  if (path.empty()) return;
  if (module_path != nullptr) {
    std::vector<std::string> base;
    std::size_t taken = 0;
    if (path[0] == "crate") {
      taken = 1;
    } else if (path[0] == "self" || path[0] == "super") {
      base = module_path->modules;
      for (; taken < path.size() && (path[taken] == "self" || path[taken] == "super"); ++taken) {
        if (path[taken] == "self") continue;
        if (base.empty()) return;
        base.pop_back();
      }
    }
    if (taken > 0) {
      base.insert(base.end(), path.begin() + static_cast<std::ptrdiff_t>(taken), path.end());
      return resolve_rust_path(module_path->root, base, from, out);
    }
    // Since edition 2018, `use child::x` can also name a module of this file.
    auto modules = rust_modules_.find(module_path->root);
    if (modules != rust_modules_.end()) {
      std::vector<std::string> child = module_path->modules;
      child.push_back(path[0]);
      if (modules->second.contains(joined_modules(child, child.size()))) {
        child.insert(child.end(), path.begin() + 1, path.end());
        return resolve_rust_path(module_path->root, child, from, out);
      }
    }
  }
  const RustCrate* other = crate_named(path[0], module_path);
  if (other == nullptr) return;
  std::optional<FileIndex> root = files_.find(other->library_path);
  if (!root) return;
  path.erase(path.begin());
  resolve_rust_path(*root, path, from, out);
}

// Resolves to the file of the longest prefix of `path` that names a module. The other words name items in the
// module.
void Resolver::resolve_rust_path(FileIndex root, const std::vector<std::string>& path, FileIndex from,
                                 std::vector<FileIndex>& out) const {
  auto modules = rust_modules_.find(root);
  FileIndex found = root;
  for (std::size_t count = path.size(); count > 0 && modules != rust_modules_.end(); --count) {
    auto module = modules->second.find(joined_modules(path, count));
    if (module == modules->second.end()) continue;
    found = module->second;
    break;
  }
  if (found != from) out.push_back(found);
}

}  // namespace snapgen::core

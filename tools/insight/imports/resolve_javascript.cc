#include <algorithm>
#include <array>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/package_exports.h"
#include "tools/insight/imports/resolve.h"

namespace snapgen::core {
namespace {

constexpr std::size_t type_versions_max = 16;
constexpr int nested_packages_max = 4;  // Limits how many package.json files may lead from one to the next.

constexpr std::array endings = {".ts",  ".tsx", ".d.ts", ".js",  ".jsx",    ".mts",  ".cts",
                                ".mjs", ".cjs", ".json", ".vue", ".svelte", ".astro"};

// A TypeScript import names the compiled file, with the first ending. Its source has one of the other
// endings.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 3>>, 4> sources = {{
    {".js", {".ts", ".tsx", ".d.ts"}},
    {".jsx", {".tsx", ".ts", ".d.ts"}},
    {".mjs", {".mts", ".d.mts", ".mjs"}},
    {".cjs", {".cts", ".d.cts", ".cjs"}},
}};

constexpr std::array runnable_endings = {".js", ".jsx", ".mjs", ".cjs"};

// Returns paths where the source of a built file may be: src/a.js for dist/a.js.
std::vector<std::string> unbuilt(const std::string& path) {
  std::vector<std::string> paths = {path};
  for (std::string_view built : {"dist/", "lib/", "build/", "out/", "esm/", "cjs/"}) {
    if (path.starts_with(built)) paths.push_back("src/" + path.substr(built.size()));
  }
  return paths;
}

// JavascriptResolution resolves the imports of one file.
class JavascriptResolution {
 public:
  // `config` may be null.
  JavascriptResolution(const FileSet& files, const Project& project, const TypescriptConfig* config,
                       std::vector<FileIndex>& out)
      : files_(files), project_(project), config_(config), out_(out) {}

  void resolve(std::string_view folder, const Import& import) {
    // Cuts a query for a bundler off the name, as in `./x.svg?url`.
    std::string name = import.name.substr(0, import.name.find('?', 1));
    if (name == "." || name == ".." || name.starts_with("./") || name.starts_with("../")) {
      const bool is_folder = name.ends_with('/') || base_name(name) == "." || base_name(name) == "..";
      if (const std::optional<std::string> path = normalized_path(folder, name))
        resolve_relative(is_folder && !path->empty() ? *path + "/" : *path);
      return;
    }
    if (import.kind == ImportKind::type_only) {
      // The path in `/// <reference path="x.d.ts" />` is relative to the file, even without a leading dot.
      std::optional<std::string> path = normalized_path(folder, name);
      std::optional<FileIndex> beside = path ? files_.find(*path) : std::nullopt;
      if (beside) return out_.push_back(*beside);
    }
    if (find_mapped(name) || find_in_import_maps(folder, name)) return;
    if (name.starts_with('#')) return resolve_own(folder, name);
    find_package(name);
  }

 private:
  bool take(const std::string& path) {
    const std::optional<FileIndex> found = files_.find(path);
    if (found) out_.push_back(*found);
    return found.has_value();
  }

  bool take_with_suffix(const std::string& path) {
    if (config_ == nullptr) return take(path);
    std::size_t dot = path.ends_with(".d.ts") ? path.size() - 5 : path.rfind('.');
    if (dot == std::string::npos || path.find('/', dot) != std::string::npos) dot = path.size();
    return std::ranges::any_of(config_->module_suffixes, [&](const std::string& suffix) {
      return take(path.substr(0, dot) + suffix + path.substr(dot));
    });
  }

  // Resolves a relative import, for which several folders may count as one.
  void resolve_relative(const std::string& path) {
    if (find_file(path) || config_ == nullptr) return;
    // The path is relative to the innermost of the folders that has it.
    const std::string* root = nullptr;
    for (const std::string& each : config_->root_folders)
      if (is_at_or_below_folder(path, each) && (root == nullptr || each.size() > root->size())) root = &each;
    if (root == nullptr) return;
    const std::string inner = path.substr(root->size());
    for (const std::string& other : config_->root_folders)
      if (const auto moved = normalized_path(other, inner); moved && find_file(*moved)) return;
  }

  // Resolves a name of `imports` in the nearest package.json.
  void resolve_own(std::string_view folder, std::string_view name) {
    for (std::string_view at = folder;; at = parent_path(at)) {
      if (const auto found = project_.package_at.find(at); found != project_.package_at.end()) {
        const NodePackage& own = project_.packages[found->second];
        const json::Node* map = own.manifest.find("imports");
        if (map == nullptr) return;
        for (const std::string& target : mapped_targets(*map, name)) {
          if (target.starts_with('.'))
            find_target(own, target);
          else
            find_package(target);
        }
        return;
      }
      if (at.empty()) return;
    }
  }

  // Resolves `@scope/name/sub` or `name/sub`.
  void find_package(std::string_view name) {
    std::size_t slash = name.find('/');
    if (name.starts_with('@') && slash != std::string::npos) slash = name.find('/', slash + 1);
    const auto package = project_.package_named.find(name.substr(0, slash));
    if (package == project_.package_named.end()) return;
    find_in_package(project_.packages[package->second],
                    slash == std::string::npos ? std::string_view() : name.substr(slash + 1));
  }

  // Resolves `path` to a file, whose ending `path` may omit. A path that ends with a slash is a folder.
  bool find_file(const std::string& path, int depth = 0) {
    if (path.ends_with('/')) return find_folder(path.substr(0, path.size() - 1), depth);
    // All paths below begin with this one up to the first dot in its name, and mostly there is none of them.
    const std::size_t name = path.rfind('/') + 1;
    if (!files_.has_prefix(std::string_view(path).substr(0, path.find('.', name + 1)))) return false;
    bool found = false;
    for (const auto& [built, from] : sources) {
      if (!path.ends_with(built)) continue;
      const std::string stem = path.substr(0, path.size() - built.size());
      found = std::ranges::any_of(
          from, [&](std::string_view source) { return take_with_suffix(stem + std::string(source)); });
    }
    // A program that runs without a build loads the compiled file, also if its source is beside it.
    found |= take_with_suffix(path);
    // Each of the endings of JavaScript may stand for the other one.
    if (!found && path.ends_with(".js")) found = take_with_suffix(path + "x");
    if (!found && path.ends_with(".jsx")) found = take_with_suffix(path.substr(0, path.size() - 1));
    if (const std::size_t dot = path.rfind('.'); !found && dot != std::string::npos && dot > name)
      found = take(path.substr(0, dot) + ".d" + path.substr(dot) + ".ts");
    return found || find_without_ending(path) || find_folder(path, depth);
  }

  bool find_without_ending(const std::string& stem) {
    const auto takes = [&](std::string_view ending) { return take_with_suffix(stem + std::string(ending)); };
    const auto found = std::ranges::find_if(endings, takes);
    if (found == endings.end()) return false;
    // Declarations have the types of the JavaScript that the program runs.
    if (std::string_view(*found) == ".d.ts")
      for (std::string_view ending : runnable_endings)
        if (takes(ending)) break;
    return true;
  }

  // Takes each file that a tool may use as the package's main file.
  bool find_main_files(const NodePackage& package, int depth) {
    bool found = false;
    for (std::string_view key : {"source", "module", "main", "types", "typings"}) {
      const json::Node* value = package.manifest.find(key);
      if (value == nullptr || !value->is(json::Kind::string)) continue;
      // The folder of a subpath may have a package.json that names a file beside the folder.
      std::string_view folder = package.folder, target = value->text;
      for (; target.starts_with("../") && !folder.empty(); target.remove_prefix(3))
        folder = parent_path(folder);
      found |= find_built(folder, target, depth + 1);
    }
    return found;
  }

  // Resolves a path in a folder, or that of the source from which it is built.
  bool find_built(std::string_view folder, std::string_view target, int depth = 0) {
    const std::optional<std::string> path = normalized_path("", target);
    return path && !path->empty() && std::ranges::any_of(unbuilt(*path), [&](const std::string& each) {
             return find_file(joined_path(folder, each), depth);
           });
  }
  bool find_target(const NodePackage& package, std::string_view target) {
    return find_built(package.folder, target);
  }

  bool find_folder(const std::string& path, int depth) {
    const auto package = project_.package_at.find(path);
    if (package != project_.package_at.end() && depth < nested_packages_max &&
        find_main_files(project_.packages[package->second], depth))
      return true;
    return find_without_ending(joined_path(path, "index"));
  }

  bool find_mapped(const std::string& name) {
    if (config_ == nullptr) return false;
    return find_in_mappings(config_->mappings, name) ||
           (config_->base && find_file(joined_path(*config_->base, name)));
  }

  bool find_in_import_maps(std::string_view folder, const std::string& name) {
    for (std::string_view at = folder;; at = parent_path(at)) {
      const auto map = project_.import_maps.find(at);
      if (map != project_.import_maps.end() && find_in_mappings(map->second, name)) return true;
      if (at.empty()) return false;
    }
  }

  bool find_in_mappings(const std::vector<TypescriptConfig::Mapping>& mappings, const std::string& name) {
    // The pattern that equals the name has precedence, then the one with the longest part before `*`.
    const TypescriptConfig::Mapping* best = nullptr;
    for (const TypescriptConfig::Mapping& mapping : mappings) {
      bool fits = mapping.exact ? name == mapping.before
                                : name.size() >= mapping.before.size() + mapping.after.size() &&
                                      name.starts_with(mapping.before) && name.ends_with(mapping.after);
      if (!fits) continue;
      if (best == nullptr || mapping.exact || (!best->exact && mapping.before.size() > best->before.size())) {
        best = &mapping;
      }
    }
    if (best != nullptr) {
      std::size_t fixed = best->before.size() + best->after.size();
      std::string middle =
          best->exact ? std::string() : name.substr(best->before.size(), name.size() - fixed);
      for (std::string target : best->targets) {
        if (std::size_t star = target.find('*'); star != std::string::npos) target.replace(star, 1, middle);
        if (find_file(target)) return true;
      }
    }
    return false;
  }

  // Takes the declarations to which `typesVersions` maps a path for some version of the compiler, and the
  // file that the program runs.
  bool find_typed(const NodePackage& package, std::string_view subpath) {
    const json::Node* versions = package.manifest.find("typesVersions");
    if (versions == nullptr) return false;
    std::string_view name = subpath;
    for (const char* key : {"types", "main"}) {
      const json::Node* value = package.manifest.find(key);
      if (name.empty() && value != nullptr && value->is(json::Kind::string)) name = value->text;
    }
    if (name.starts_with("./")) name.remove_prefix(2);
    bool found = false;
    for (std::size_t i = 0; i < std::min(versions->members.size(), type_versions_max); ++i)
      for (const std::string& target :
           mapped_targets(versions->members[i].value, name.empty() ? "index" : name))
        found |= find_target(package, target);
    if (found && subpath.empty()) find_folder(package.folder, 0);
    if (found && !subpath.empty()) find_target(package, subpath);
    return found;
  }

  bool find_in_package(const NodePackage& package, std::string_view subpath) {
    bool found = false;
    // Another program may use another condition.
    for (const std::string& target : exported_targets(package.manifest, subpath))
      found |= find_target(package, target);
    found |= find_typed(package, subpath);
    if (found) return true;
    if (!subpath.empty())
      return find_target(package, subpath) || find_target(package, "src/" + std::string(subpath));
    return find_folder(package.folder, 0) || find_folder(joined_path(package.folder, "src"), 0);
  }

  const FileSet& files_;
  const Project& project_;
  const TypescriptConfig* config_;
  std::vector<FileIndex>& out_;
};

}  // namespace

void Resolver::resolve_javascript(FileIndex from, const Import& import, std::vector<FileIndex>& out) const {
  const std::string& path = files_.path(from);
  JavascriptResolution(files_, project_, typescript_of(from), out).resolve(parent_path(path), import);
}

}  // namespace snapgen::core

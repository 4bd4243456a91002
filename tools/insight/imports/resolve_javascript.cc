#include <algorithm>
#include <array>

#include "tools/engine/files/path.h"
#include "tools/insight/imports/package_exports.h"
#include "tools/insight/imports/resolve.h"

namespace snapgen::core {
namespace {

constexpr int nested_packages_max = 4;  // Limits how many package.json files may lead from one to the next.

constexpr std::array endings = {".ts",  ".tsx", ".d.ts", ".js",  ".jsx",    ".mts",  ".cts",
                                ".mjs", ".cjs", ".json", ".vue", ".svelte", ".astro"};

// A TypeScript import names the compiled file, with the first ending. Its source has one of the other
// endings.
constexpr std::array<std::pair<std::string_view, std::array<std::string_view, 3>>, 4> sources = {{
    {".js", {".ts", ".tsx", ".d.ts"}},
    {".jsx", {".tsx", "", ""}},
    {".mjs", {".mts", ".d.mts", ""}},
    {".cjs", {".cts", ".d.cts", ""}},
}};

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
      if (const std::optional<std::string> path = normalized_path(folder, name)) resolve_relative(*path);
      return;
    }
    if (import.kind == ImportKind::type_only) {
      // The path in `/// <reference path="x.d.ts" />` is relative to the file, even without a leading dot.
      std::optional<std::string> path = normalized_path(folder, name);
      std::optional<FileIndex> beside = path ? files_.find(*path) : std::nullopt;
      if (beside) return out_.push_back(*beside);
    }
    if (find_mapped(name) || find_in_import_maps(folder, name)) return;
    if (name.starts_with('#')) {
      for (std::string_view at = folder;; at = parent_path(at)) {
        auto package = project_.package_at.find(at);
        if (package != project_.package_at.end()) {
          const NodePackage& own = project_.packages[package->second];
          const json::Node* map = own.manifest.find("imports");
          if (map == nullptr) return;
          for (const std::string& target : mapped_targets(*map, name)) {
            std::optional<std::string> path = normalized_path(own.folder, target);
            if (target.starts_with('.') && path && find_file(*path)) return;
          }
          return;
        }
        if (at.empty()) return;
      }
    }
    // Splits `@scope/name/sub` and `name/sub` into the package's name and the rest.
    std::size_t slash = name.find('/');
    if (name.starts_with('@') && slash != std::string::npos) slash = name.find('/', slash + 1);
    auto package = project_.package_named.find(std::string_view(name).substr(0, slash));
    if (package == project_.package_named.end()) return;
    std::string_view subpath =
        slash == std::string::npos ? std::string_view() : std::string_view(name).substr(slash + 1);
    find_in_package(project_.packages[package->second], subpath);
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

  // Resolves `path` to a file, whose ending `path` may omit.
  bool find_file(const std::string& path, int depth = 0) {
    // All paths below begin with this one up to the first dot in its name, and mostly there is none of them.
    const std::size_t name = path.rfind('/') + 1;
    if (!files_.has_prefix(std::string_view(path).substr(0, path.find('.', name + 1)))) return false;
    if (take_with_suffix(path)) return true;
    for (const auto& [built, from] : sources) {
      if (!path.ends_with(built)) continue;
      std::string stem = path.substr(0, path.size() - built.size());
      for (std::string_view source : from) {
        if (!source.empty() && take_with_suffix(stem + std::string(source))) return true;
      }
    }
    for (const char* ending : endings) {
      if (take_with_suffix(path + ending)) return true;
    }
    return find_folder(path, depth);
  }

  bool find_folder(const std::string& path, int depth) {
    auto package = project_.package_at.find(path);
    if (package != project_.package_at.end() && depth < nested_packages_max) {
      const json::Node& manifest = project_.packages[package->second].manifest;
      for (std::string_view key : {"source", "module", "main", "types"}) {
        const json::Node* value = manifest.find(key);
        if (value == nullptr || !value->is(json::Kind::string)) continue;
        std::optional<std::string> own = normalized_path("", value->text);
        if (!own || own->empty()) continue;
        for (const std::string& one : unbuilt(*own)) {
          if (find_file(joined_path(path, one), depth + 1)) return true;
        }
      }
    }
    for (const char* ending : endings) {
      if (take_with_suffix(joined_path(path, std::string("index") + ending))) return true;
    }
    return false;
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

  bool find_in_package(const NodePackage& package, std::string_view subpath) {
    auto take = [&](std::string_view target) {
      std::optional<std::string> own = normalized_path("", target);
      if (!own || own->empty()) return false;
      std::vector<std::string> candidates = unbuilt(*own);
      return std::ranges::any_of(
          candidates, [&](const std::string& one) { return find_file(joined_path(package.folder, one)); });
    };
    if (std::ranges::any_of(exported_targets(package.manifest, subpath), take)) return true;
    if (!subpath.empty()) return take(subpath) || take("src/" + std::string(subpath));
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

#include "tools/insight/imports/project.h"

#include <algorithm>
#include <set>

#include "tools/engine/base/json_comments.h"
#include "tools/engine/base/plain_text.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/cargo.h"
#include "tools/insight/imports/go_words.h"
#include "tools/insight/imports/toml.h"

namespace snapgen::core {
namespace {

class Reader {
 public:
  Reader(const FileSet& files, const ConfigurationReader& read) : files_(files), read_(read) {}

  Project run() && {
    for (FileIndex index : files_.files_named("package.json")) package(index);
    for (std::size_t i = 0; i < project_.packages.size(); ++i) package_aliases(i);
    for (std::string_view name : {"deno.json", "deno.jsonc"})
      for (FileIndex index : files_.files_named(name)) deno(index);
    typescript();
    for (std::string_view name : {"go.mod", "go.work"})
      for (FileIndex index : files_.files_named(name)) go_module(index);
    for (const auto& [folder, replaced] : project_.go_replacements)
      for (const auto& [module, replacement] : replaced) project_.go_modules.emplace(module, replacement);
    for (FileIndex index : files_.files_named("Cargo.toml")) crate(index);
    for (const auto& [crate, dependencies] : crate_dependencies_) resolve_dependencies(crate, dependencies);
    python_roots();
    return std::move(project_);
  }

 private:
  std::optional<json::Node> json_of(std::string_view path) {
    std::optional<std::string> text = read_(path);
    if (!text) return std::nullopt;
    json::Document document = json::parse_document(without_json_comments(*text));
    if (!document.root.is(json::Kind::object)) return std::nullopt;
    return std::move(document.root);
  }

  void package(FileIndex index) {
    const std::string& path = files_.path(index);
    std::optional<json::Node> manifest = json_of(path);
    if (!manifest) return;
    NodePackage package{
        .folder = std::string(parent_path(path)), .name = {}, .manifest = *std::move(manifest)};
    if (const json::Node* name = package.manifest.find("name");
        name != nullptr && name->is(json::Kind::string)) {
      package.name = name->text;
    }
    project_.package_at.emplace(package.folder, project_.packages.size());
    if (!package.name.empty()) project_.package_named.emplace(package.name, project_.packages.size());
    project_.packages.push_back(std::move(package));
  }

  // Adds the names by which a package imports another one of the tree: `"alias": "workspace:@team/name@*"`,
  // `"alias": "file:../folder"`.
  void package_aliases(std::size_t importer) {
    for (std::string_view key : {"dependencies", "devDependencies", "peerDependencies"}) {
      const json::Node* dependencies = project_.packages[importer].manifest.find(key);
      if (dependencies == nullptr) continue;
      for (const json::Member& each : dependencies->members) {
        std::string_view value = each.value.text;
        bool is_local = value.starts_with('.');
        for (std::string_view protocol : {"workspace:", "npm:", "file:", "link:", "portal:"})
          is_local = is_local || take_prefix(value, protocol);
        if (!is_local) continue;
        const std::optional<std::string> folder = normalized_path(project_.packages[importer].folder, value);
        const auto at = folder ? project_.package_at.find(*folder) : project_.package_at.end();
        const auto named = project_.package_named.find(value.substr(0, value.find('@', 1)));
        if (at != project_.package_at.end())
          project_.package_named.emplace(each.key, at->second);
        else if (named != project_.package_named.end())
          project_.package_named.emplace(each.key, named->second);
      }
    }
  }

  // Reads the import map of Deno, and the package that a member of a workspace exports.
  void deno(FileIndex index) {
    const std::string& path = files_.path(index);
    std::optional<json::Node> settings = json_of(path);
    if (!settings) return;
    const std::string folder(parent_path(path));
    const json::Node* file = settings->find("importMap");
    if (file != nullptr && file->is(json::Kind::string)) {
      const std::optional<std::string> map_path = normalized_path(folder, file->text);
      const std::optional<json::Node> map = map_path ? json_of(*map_path) : std::nullopt;
      if (map) add_import_map(folder, parent_path(*map_path), *map);
    } else {
      add_import_map(folder, folder, *settings);
    }
    const json::Node* name = settings->find("name");
    if (name == nullptr || !name->is(json::Kind::string) || settings->find("exports") == nullptr) return;
    project_.package_named.emplace(name->text, project_.packages.size());
    std::string named = name->text;
    project_.packages.push_back(
        {.folder = folder, .name = std::move(named), .manifest = *std::move(settings)});
  }

  // Adds the entries of the member `imports`, whose addresses are relative to the folder `base`.
  void add_import_map(const std::string& folder, std::string_view base, const json::Node& map) {
    const json::Node* imports = map.find("imports");
    if (imports == nullptr) return;
    for (const json::Member& each : imports->members) {
      if (!each.value.is(json::Kind::string) || !each.value.text.starts_with('.')) continue;
      std::optional<std::string> target = normalized_path(base, each.value.text);
      if (!target) continue;
      // A key that ends with a slash is the beginning of names.
      const bool is_prefix = each.key.ends_with('/');
      project_.import_maps[folder].push_back(
          {.before = each.key,
           .after = {},
           .exact = !is_prefix,
           .targets = {is_prefix ? joined_path(*target, "*") : *std::move(target)}});
    }
  }

  void typescript() {
    const std::function<const std::string*(std::string_view)> package_folder = [&](std::string_view name) {
      const auto package = project_.package_named.find(name);
      return package == project_.package_named.end() ? nullptr : &project_.packages[package->second].folder;
    };
    TypescriptReader reader(read_, package_folder);
    // tsconfig.json is read last, because it overrides jsconfig.json.
    for (std::string_view name : {"jsconfig.json", "tsconfig.json"}) {
      for (FileIndex index : files_.files_named(name)) {
        std::vector<TypescriptConfig> configs = reader.read_with_references(files_.path(index));
        if (!configs.empty())
          project_.typescript[std::string(parent_path(files_.path(index)))] = std::move(configs);
      }
    }
  }

  // Reads go.mod or go.work.
  void go_module(FileIndex index) {
    const std::optional<std::string> text = read_(files_.path(index));
    if (!text) return;
    const std::string folder(parent_path(files_.path(index)));
    std::string_view rest = *text, line;
    std::string_view block;  // The directive, such as `replace`, whose block is open.
    while (next_line(rest, line)) {
      std::vector<std::string_view> words = go_words(line);
      if (!block.empty()) words.insert(words.begin(), block);
      if (words.size() < 2) continue;
      if (words[1] == "(" || words[1] == ")") {
        block = words[1] == "(" ? words[0] : std::string_view();
        continue;
      }
      if (words[0] == "module") project_.go_modules.emplace(words[1], folder);
      // A folder may replace a module of another name: `replace example.com/a v1.2.0 => ./fork`.
      const auto arrow = std::ranges::find(words, "=>");
      if (words[0] != "replace" || arrow == words.end() || arrow + 1 == words.end() ||
          !arrow[1].starts_with('.'))
        continue;
      if (std::optional<std::string> replacement = normalized_path(folder, arrow[1]))
        project_.go_replacements[folder].emplace(words[1], *std::move(replacement));
    }
  }

  void crate(FileIndex index) {
    const std::string& path = files_.path(index);
    std::optional<std::string> text = read_(files_.path(index));
    if (!text) return;
    std::optional<CargoManifest> manifest = read_cargo_manifest(*text);
    if (!manifest) return;
    if (!manifest->workspace_dependencies.empty())
      workspace_dependencies_[std::string(parent_path(path))] = std::move(manifest->workspace_dependencies);
    if (manifest->package_name.empty()) return;
    RustCrate crate{.folder = std::string(parent_path(path)),
                    .name = std::move(manifest->library_name),
                    .library_path = {},
                    .program_paths = {},
                    .dependencies = {}};
    std::ranges::replace(crate.name, '-', '_');
    auto there = [&](std::string_view name) {
      std::optional<std::string> full = normalized_path(crate.folder, name);
      return full && files_.find(*full) ? *full : std::string();
    };
    crate.library_path = there(manifest->library_path.empty() ? "src/lib.rs" : manifest->library_path);
    manifest->program_paths.emplace_back("src/main.rs");
    manifest->program_paths.emplace_back("build.rs");
    for (const std::string& name : manifest->program_paths) {
      std::string full = there(name);
      if (!full.empty()) crate.program_paths.push_back(std::move(full));
    }
    for (std::string_view folder : {"src/bin", "examples", "tests", "benches"}) {
      std::string full = joined_path(crate.folder, folder);
      auto [first, last] = files_.below(full);
      for (FileIndex i = first; i < last; ++i) {
        std::string_view rest = std::string_view(files_.path(i)).substr(full.size() + 1);
        bool direct = rest.find('/') == std::string_view::npos && rest.ends_with(".rs");
        bool in_folder = rest.ends_with("/main.rs") && std::ranges::count(rest, '/') == 1;
        if (direct || in_folder) crate.program_paths.push_back(files_.path(i));
      }
    }
    // Two targets, or a target and a folder, may name the same file.
    std::ranges::sort(crate.program_paths);
    crate.program_paths.erase(std::ranges::unique(crate.program_paths).begin(), crate.program_paths.end());
    project_.crate_at.emplace(crate.folder, project_.crates.size());
    if (!crate.name.empty()) project_.crate_named.emplace(crate.name, project_.crates.size());
    package_named_.emplace(manifest->package_name, project_.crates.size());
    crate_dependencies_.emplace_back(project_.crates.size(), std::move(manifest->dependencies));
    project_.crates.push_back(std::move(crate));
  }

  // Finds the crates of the tree that a crate names in its Cargo.toml.
  void resolve_dependencies(std::size_t crate, const CargoDependencies& dependencies) {
    for (const auto& [name, written] : dependencies) {
      std::string folder = project_.crates[crate].folder;
      const CargoDependency* dependency = written.is_inherited ? inherited(folder, name) : &written;
      if (dependency == nullptr) continue;
      const std::optional<std::string> path = normalized_path(folder, dependency->path);
      const auto at =
          dependency->path.empty() || !path ? project_.crate_at.end() : project_.crate_at.find(*path);
      const auto named = package_named_.find(dependency->package);
      if (at != project_.crate_at.end())
        project_.crates[crate].dependencies.emplace(name, at->second);
      else if (named != package_named_.end())
        project_.crates[crate].dependencies.emplace(name, named->second);
    }
  }

  // Returns the entry of the nearest workspace that has one, and sets `folder` to that of the workspace.
  const CargoDependency* inherited(std::string& folder, std::string_view name) const {
    for (std::string_view at = folder;; at = parent_path(at)) {
      if (const auto workspace = workspace_dependencies_.find(at);
          workspace != workspace_dependencies_.end()) {
        const auto found = workspace->second.find(name);
        folder = workspace->first;
        return found == workspace->second.end() ? nullptr : &found->second;
      }
      if (at.empty()) return nullptr;
    }
  }

  // Adds the folder of a package of Python; the name "" means all packages.
  void python_package(const std::string& folder, std::string_view name, std::string_view value) {
    std::optional<std::string> path = normalized_path(folder, value);
    if (!path) return;
    if (!name.empty())
      project_.python_packages.emplace(name, *std::move(path));
    else if (std::ranges::find(project_.python_roots, *path) == project_.python_roots.end())
      project_.python_roots.push_back(*std::move(path));
  }

  // Reads where the build tools of pyproject.toml find packages.
  void pyproject(FileIndex index) {
    const std::string folder(parent_path(files_.path(index)));
    const std::optional<std::string> text = read_(files_.path(index));
    if (!text) return;
    const json::Document document = parse_toml(*text);
    const auto find = [&](std::initializer_list<std::string_view> keys) {
      const json::Node* at = &document.root;
      for (std::string_view key : keys)
        if (at != nullptr) at = at->find(key);
      return at;
    };
    if (const json::Node* folders = find({"tool", "setuptools", "package-dir"}))
      for (const json::Member& each : folders->members) python_package(folder, each.key, each.value.text);
    if (const json::Node* where = find({"tool", "setuptools", "packages", "find", "where"}))
      for (const json::Node& each : where->items) python_package(folder, "", each.text);
    if (const json::Node* packages = find({"tool", "poetry", "packages"}))
      for (const json::Node& each : packages->items)
        if (const json::Node* from = each.find("from")) python_package(folder, "", from->text);
    for (const json::Node* source :
         {find({"tool", "pdm", "build", "package-dir"}), find({"tool", "maturin", "python-source"})})
      if (source != nullptr) python_package(folder, "", source->text);
    if (const json::Node* path = find({"tool", "pytest", "ini_options", "pythonpath"})) {
      python_path(folder, path->text);
      for (const json::Node& each : path->items) python_package(folder, "", each.text);
    }
  }

  // Adds folders whose names blanks separate.
  void python_path(const std::string& folder, std::string_view path) {
    while (!(path = trimmed(path)).empty()) {
      const std::size_t end = std::min(path.find_first_of(" \t"), path.size());
      python_package(folder, "", path.substr(0, end));
      path.remove_prefix(end);
    }
  }

  // Reads the same settings in setup.cfg, and those of pytest also in pytest.ini and tox.ini.
  void python_settings(FileIndex index) {
    const std::string folder(parent_path(files_.path(index)));
    const std::optional<std::string> text = read_(files_.path(index));
    if (!text) return;
    std::string_view rest = *text, line, section, key;
    while (next_line(rest, line)) {
      const bool continues = line.starts_with(' ') || line.starts_with('\t');
      line = trimmed(line);
      if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
      if (line.starts_with('[')) section = line;
      if (!continues) {
        const std::size_t sign = std::min(line.find('='), line.size());
        key = trimmed(line.substr(0, sign));
        line = trimmed(line.substr(std::min(sign + 1, line.size())));
      }
      const bool is_map = section == "[options]" && (key == "package_dir" || key == "package-dir");
      const std::size_t sign = line.find('=');
      if (is_map && sign != line.npos)
        python_package(folder, trimmed(line.substr(0, sign)), trimmed(line.substr(sign + 1)));
      else if (section == "[options.packages.find]" && key == "where" && !line.empty())
        python_package(folder, "", line);
      else if ((section == "[pytest]" || section == "[tool:pytest]") && key == "pythonpath")
        python_path(folder, line);
    }
  }

  // Finds the folders with Python modules: those that packaging configurations name, the root, each folder
  // with such a configuration, and `src` in each.
  void python_roots() {
    std::set<std::string> folders = {""};
    for (std::string_view name : {"pyproject.toml", "setup.py", "setup.cfg"}) {
      for (FileIndex index : files_.files_named(name)) folders.emplace(parent_path(files_.path(index)));
    }
    for (const std::string& folder : folders) {
      std::string source = joined_path(folder, "src");
      if (files_.has_folder(source)) project_.python_roots.push_back(source);
      project_.python_roots.push_back(folder);
    }
    for (FileIndex index : files_.files_named("pyproject.toml")) pyproject(index);
    for (std::string_view name : {"setup.cfg", "pytest.ini", "tox.ini"})
      for (FileIndex index : files_.files_named(name)) python_settings(index);
  }

  const FileSet& files_;
  const ConfigurationReader& read_;
  Project project_;
  std::map<std::string, std::size_t, std::less<>>
      package_named_;  // The crates, by the name of their package.
  std::map<std::string, CargoDependencies, std::less<>> workspace_dependencies_;  // By folder.
  std::vector<std::pair<std::size_t, CargoDependencies>> crate_dependencies_;
};

}  // namespace

const TypescriptConfig* Project::typescript_of(std::string_view path) const {
  const TypescriptConfig* nearest = nullptr;
  for (std::string_view at = parent_path(path);; at = parent_path(at)) {
    if (const auto found = typescript.find(at); found != typescript.end()) {
      const std::vector<TypescriptConfig>& configs = found->second;
      auto config =
          std::ranges::find_if(configs, [&](const TypescriptConfig& each) { return each.covers(path); });
      if (config != configs.end()) return &*config;
      // Other tools also use the configuration for files that it does not cover.
      config = std::ranges::find_if(
          configs, [](const TypescriptConfig& each) { return each.base || !each.mappings.empty(); });
      if (nearest == nullptr) nearest = config == configs.end() ? &configs.front() : &*config;
    }
    if (at.empty()) return nearest;
  }
}

bool is_project_file(std::string_view path) {
  std::string_view name = base_name(path);
  return name == "package.json" || name == "deno.json" || name == "deno.jsonc" || name == "tsconfig.json" ||
         name == "jsconfig.json" || name == "go.mod" || name == "go.work" || name == "pytest.ini" ||
         name == "Cargo.toml" || name == "pyproject.toml" || name == "setup.py" || name == "setup.cfg" ||
         name == "tox.ini";
}

Project read_project(const FileSet& files, const ConfigurationReader& read) {
  return Reader(files, read).run();
}

}  // namespace snapgen::core

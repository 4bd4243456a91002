#include "tools/insight/imports/project.h"

#include <algorithm>
#include <set>

#include "tools/engine/base/json_comments.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/cargo.h"
#include "tools/insight/imports/cursor.h"

namespace snapgen::core {
namespace {

// Maximum number of tsconfig.json files that extend one another.
constexpr int extends_max = 8;

class Reader {
 public:
  Reader(const FileSet& files, const std::function<std::optional<std::string>(FileIndex)>& read)
      : files_(files), read_(read) {}

  Project run() && {
    for (FileIndex index : files_.files_named("package.json")) package(index);
    // tsconfig.json is read last, because it overrides jsconfig.json.
    for (std::string_view name : {"jsconfig.json", "tsconfig.json"}) {
      for (FileIndex index : files_.files_named(name)) {
        std::optional<TypescriptPaths> paths = typescript(files_.path(index), 0);
        if (paths) project_.typescript[std::string(parent_path(files_.path(index)))] = *std::move(paths);
      }
    }
    for (FileIndex index : files_.files_named("go.mod")) go_module(index);
    for (FileIndex index : files_.files_named("Cargo.toml")) crate(index);
    python_roots();
    return std::move(project_);
  }

 private:
  std::optional<json::Node> json_of(std::string_view path) {
    std::optional<FileIndex> index = files_.find(path);
    if (!index) return std::nullopt;
    std::optional<std::string> text = read_(*index);
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

  std::optional<TypescriptPaths> typescript(const std::string& path, int depth) {
    std::optional<json::Node> config = json_of(path);
    if (!config) return std::nullopt;
    std::string folder(parent_path(path));
    TypescriptPaths paths;
    if (const json::Node* extends = config->find("extends"); extends != nullptr && depth < extends_max) {
      std::vector<const json::Node*> bases;
      if (extends->is(json::Kind::string)) bases.push_back(extends);
      for (const json::Node& one : extends->items) bases.push_back(&one);
      for (const json::Node* base : bases) inherit(paths, folder, base->text, depth);
    }
    read_references(paths, *config, folder, depth);
    const json::Node* options = config->find("compilerOptions");
    if (options == nullptr) return paths;
    read_module_syntax(paths, *options);
    std::string from = folder;
    if (const json::Node* base = options->find("baseUrl"); base != nullptr && base->is(json::Kind::string)) {
      paths.base = normalized_path(folder, base->text);
      from = paths.base.value_or(folder);
    } else if (paths.base) {
      from = *paths.base;
    }
    if (const json::Node* mappings = options->find("paths"); mappings != nullptr) {
      paths.mappings.clear();
      for (const json::Member& member : mappings->members) add_mapping(paths, from, member);
    }
    return paths;
  }

  static void read_module_syntax(TypescriptPaths& paths, const json::Node& options) {
    const auto is_true = [&](std::string_view name) -> std::optional<bool> {
      const json::Node* value = options.find(name);
      if (value == nullptr || !value->is(json::Kind::boolean)) return std::nullopt;
      return value->boolean;
    };
    for (std::string_view name : {"preserveValueImports", "verbatimModuleSyntax"})
      if (const std::optional<bool> value = is_true(name)) paths.keeps_type_names = *value;
    const json::Node* unused = options.find("importsNotUsedAsValues");
    if (unused != nullptr && unused->is(json::Kind::string) && unused->text != "remove")
      paths.keeps_type_names = true;
  }

  // A tsconfig.json that only references others, such as tsconfig.app.json, has their module syntax.
  void read_references(TypescriptPaths& paths, const json::Node& config, const std::string& folder,
                       int depth) {
    const json::Node* references = config.find("references");
    if (references == nullptr || depth >= extends_max) return;
    for (const json::Node& each : references->items) {
      const json::Node* name = each.find("path");
      const std::optional<std::string> path = name != nullptr && name->is(json::Kind::string)
                                                  ? normalized_path(folder, name->text)
                                                  : std::nullopt;
      if (!path || !path->ends_with(".json") || parent_path(*path) != folder) continue;
      const std::optional<TypescriptPaths> referenced = typescript(*path, depth + 1);
      paths.keeps_type_names = paths.keeps_type_names || (referenced && referenced->keeps_type_names);
    }
  }

  void inherit(TypescriptPaths& paths, const std::string& folder, std::string_view base, int depth) {
    if (!base.starts_with('.')) return;  // The base config is in a package outside of the tree.
    std::optional<std::string> path = normalized_path(folder, base);
    if (!path) return;
    if (!files_.find(*path)) *path += ".json";
    std::optional<TypescriptPaths> inherited = typescript(*path, depth + 1);
    if (!inherited) return;
    paths.keeps_type_names = inherited->keeps_type_names;
    if (inherited->base) paths.base = std::move(inherited->base);
    if (!inherited->mappings.empty()) paths.mappings = std::move(inherited->mappings);
  }

  static void add_mapping(TypescriptPaths& paths, const std::string& from, const json::Member& member) {
    TypescriptPaths::Mapping mapping;
    std::size_t star = member.key.find('*');
    mapping.exact = star == std::string::npos;
    mapping.before = member.key.substr(0, star);
    if (!mapping.exact) mapping.after = member.key.substr(star + 1);
    for (const json::Node& target : member.value.items) {
      if (!target.is(json::Kind::string)) continue;
      std::optional<std::string> path = normalized_path(from, target.text);
      if (path) mapping.targets.push_back(*std::move(path));
    }
    paths.mappings.push_back(std::move(mapping));
  }

  void go_module(FileIndex index) {
    std::optional<std::string> text = read_(index);
    if (!text) return;
    Cursor in(*text);
    while (!in.at_end()) {
      in.skip_blanks();
      if (in.looking_at("module") && !is_word_character(in.peek(6))) {
        in.skip(6);
        in.skip_blanks();
        bool quoted = in.peek() == '"' || in.peek() == '`';
        if (quoted) in.skip();
        std::size_t begin = in.at();
        while (!in.at_end() && std::string_view(" \t\r\n\"`").find(in.peek()) == std::string_view::npos)
          in.skip();
        std::string name(in.text_since(begin));
        if (!name.empty()) project_.go_modules.emplace(std::move(name), parent_path(files_.path(index)));
        return;
      }
      in.skip_to('\n');
      in.skip();
    }
  }

  void crate(FileIndex index) {
    const std::string& path = files_.path(index);
    std::optional<std::string> text = read_(index);
    if (!text) return;
    std::optional<CargoManifest> manifest = read_cargo_manifest(*text);
    if (!manifest) return;
    RustCrate crate{.folder = std::string(parent_path(path)),
                    .name = std::move(manifest->library_name),
                    .library_path = {},
                    .program_paths = {}};
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
    std::ranges::sort(crate.program_paths);
    project_.crate_at.emplace(crate.folder, project_.crates.size());
    if (!crate.name.empty()) project_.crate_named.emplace(crate.name, project_.crates.size());
    project_.crates.push_back(std::move(crate));
  }

  // Finds the folders with Python modules: the root, each folder with Python packaging configuration, and
  // `src` in each.
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
  }

  const FileSet& files_;
  const std::function<std::optional<std::string>(FileIndex)>& read_;
  Project project_;
};

}  // namespace

const TypescriptPaths* Project::typescript_of(std::string_view folder) const {
  for (std::string_view at = folder;; at = parent_path(at)) {
    const auto config = typescript.find(at);
    if (config != typescript.end()) return &config->second;
    if (at.empty()) return nullptr;
  }
}

bool is_project_file(std::string_view path) {
  std::string_view name = base_name(path);
  // A tsconfig.json can extend any JSON file; this accepts the names that such files usually have.
  if (name.ends_with(".json")) return name == "package.json" || name.find("config") != std::string_view::npos;
  return name == "go.mod" || name == "Cargo.toml" || name == "pyproject.toml" || name == "setup.py" ||
         name == "setup.cfg";
}

Project read_project(const FileSet& files, const std::function<std::optional<std::string>(FileIndex)>& read) {
  return Reader(files, read).run();
}

}  // namespace snapgen::core

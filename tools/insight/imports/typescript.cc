#include "tools/insight/imports/typescript.h"

#include <algorithm>
#include <array>
#include <climits>

#include "tools/engine/base/json_comments.h"
#include "tools/engine/files/path.h"
#include "tools/insight/imports/package_exports.h"

namespace snapgen::core {
namespace {

// Maximum number of paths where the configurations may be that one configuration extends. Those of a list may
// extend the same ones, or in a circle, so that the number of ways to them can be exponential.
constexpr int searches_max = 256;
constexpr std::size_t references_max = 100;
// Maximum numbers of patterns in `paths`, and of the suffixes, root folders and targets of a pattern that
// each import searches.
constexpr std::size_t mappings_max = 4096;
constexpr std::size_t searched_max = 16;

constexpr std::array compiler_options = {"allowJs",
                                         "baseUrl",
                                         "checkJs",
                                         "importsNotUsedAsValues",
                                         "moduleSuffixes",
                                         "paths",
                                         "rootDirs",
                                         "preserveValueImports",
                                         "verbatimModuleSyntax"};
constexpr std::array file_options = {"exclude", "files", "include"};

bool is_relative_name(std::string_view name) {
  return name == "." || name == ".." || name.starts_with("./") || name.starts_with("../");
}

// Makes a glob (globs.h) of a pattern of TypeScript, in which only `*` and `?` are special.
std::string glob_of(std::string_view path) {
  std::string glob = "/";
  for (const char c : path) {
    if (c == '[' || c == '{' || c == '\\') glob += '\\';
    glob += c;
  }
  return path.empty() ? "/**" : glob;
}

// EffectiveOptions reads the options of one configuration and all that it extends.
class EffectiveOptions {
 public:
  EffectiveOptions(const TypescriptOptions& options, std::string_view folder)
      : options_(options), folder_(folder) {}

  TypescriptConfig config() const {
    TypescriptConfig config;
    if (const json::Node* base = find("baseUrl", json::Kind::string))
      config.base = path_of("baseUrl", base->text);
    for (const char* name : {"preserveValueImports", "verbatimModuleSyntax"})
      if (const json::Node* value = find(name, json::Kind::boolean))
        config.keeps_type_names |= value->boolean;
    for (const char* name : {"allowJs", "checkJs"})
      if (const json::Node* value = find(name, json::Kind::boolean))
        config.reads_javascript |= value->boolean;
    const json::Node* unused = find("importsNotUsedAsValues", json::Kind::string);
    config.keeps_type_names |= unused != nullptr && unused->text != "remove";
    if (const std::vector<std::string> suffixes = texts_of("moduleSuffixes"); !suffixes.empty())
      config.module_suffixes = limited(suffixes, searched_max);
    config.root_folders = limited(paths_of("rootDirs"), searched_max);
    if (const json::Node* mappings = find("paths", json::Kind::object))
      for (const json::Member& member : mappings->members)
        if (config.mappings.size() < mappings_max) config.mappings.push_back(mapping_of(member, config.base));
    config.files = paths_of("files");
    std::vector<std::string> globs;
    if (find("include", json::Kind::array) != nullptr) {
      for (const std::string& path : paths_of("include")) globs.push_back(glob_of(path));
    } else if (find("files", json::Kind::array) == nullptr) {
      globs.push_back(glob_of(folder_));
    }
    if (globs.empty()) return config;
    for (const std::string& path : paths_of("exclude")) globs.push_back("!" + glob_of(path));
    Result<Globs> included = Globs::parse(globs);
    if (included) config.included = *std::move(included);
    return config;
  }

 private:
  const json::Node* find(std::string_view name, json::Kind kind) const {
    const auto option = options_.find(name);
    return option != options_.end() && option->second.value->is(kind) ? option->second.value : nullptr;
  }

  static std::vector<std::string> limited(std::vector<std::string> texts, std::size_t count) {
    texts.resize(std::min(texts.size(), count));
    return texts;
  }

  std::vector<std::string> texts_of(std::string_view name) const {
    std::vector<std::string> texts;
    if (const json::Node* list = find(name, json::Kind::array))
      for (const json::Node& item : list->items)
        if (item.is(json::Kind::string)) texts.push_back(item.text);
    return texts;
  }

  // `${configDir}` is the folder of the configuration that extends the one with the option.
  std::optional<std::string> resolved(std::string_view from_folder, std::string_view text) const {
    constexpr std::string_view variable = "${configDir}";
    if (text.starts_with(variable))
      return normalized_path(folder_, "." + std::string(text.substr(variable.size())));
    return normalized_path(from_folder, text);
  }
  std::optional<std::string> path_of(std::string_view option, std::string_view text) const {
    return resolved(options_.find(option)->second.folder, text);
  }

  std::vector<std::string> paths_of(std::string_view name) const {
    std::vector<std::string> paths;
    for (const std::string& text : texts_of(name))
      if (std::optional<std::string> path = path_of(name, text)) paths.push_back(*std::move(path));
    return paths;
  }

  TypescriptConfig::Mapping mapping_of(const json::Member& member,
                                       const std::optional<std::string>& base) const {
    const std::size_t star = member.key.find('*');
    TypescriptConfig::Mapping mapping{
        .before = member.key.substr(0, star), .after = {}, .exact = star == std::string::npos, .targets = {}};
    if (!mapping.exact) mapping.after = member.key.substr(star + 1);
    const std::string& from = base ? *base : options_.find("paths")->second.folder;
    for (const json::Node& target : member.value.items) {
      if (!target.is(json::Kind::string)) continue;
      if (std::optional<std::string> path = resolved(from, target.text))
        mapping.targets.push_back(*std::move(path));
      if (mapping.targets.size() == searched_max) break;
    }
    return mapping;
  }

  const TypescriptOptions& options_;
  std::string_view folder_;
};

}  // namespace

bool TypescriptConfig::covers(std::string_view path) const {
  return std::ranges::find(files, path) != files.end() || (included && included->selects(path));
}

const json::Node* TypescriptReader::json_of(const std::string& path) {
  if (path.size() >= PATH_MAX) return nullptr;
  auto [file, is_new] = files_.try_emplace(path);
  if (is_new) {
    if (const std::optional<std::string> text = read_(path)) {
      json::Document document = json::parse_document(without_json_comments(*text));
      if (document.root.is(json::Kind::object)) file->second = std::move(document.root);
    }
  }
  return file->second ? &*file->second : nullptr;
}

std::vector<std::string> TypescriptReader::extended_paths(const std::string& folder, std::string_view name,
                                                          std::size_t count_max) {
  std::vector<std::string> paths;
  // A file that extends itself by a long name has a longer path each time.
  if (name.empty() || name.size() >= PATH_MAX) return paths;
  const auto add = [&](std::optional<std::string> path) {
    if (!path) return;
    paths.push_back(*path);
    if (!path->ends_with(".json")) paths.push_back(*path + ".json");
  };
  if (is_relative_name(name)) {
    add(normalized_path(folder, name));
    return paths;
  }
  if (name.starts_with('/')) return paths;
  std::size_t slash = name.find('/');
  if (name.starts_with('@') && slash != std::string_view::npos) slash = name.find('/', slash + 1);
  const std::string_view package_name = name.substr(0, slash);
  const std::string inner(slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1));
  const auto add_of_package = [&](const std::string& package) {
    if (const json::Node* manifest = json_of(joined_path(package, "package.json"))) {
      for (const std::string& target : exported_targets(*manifest, inner))
        add(normalized_path(package, target));
      const json::Node* main = manifest->find("tsconfig");
      if (inner.empty() && main != nullptr && main->is(json::Kind::string))
        add(normalized_path(package, main->text));
    }
    add(normalized_path(package, "./" + inner));
    if (!inner.ends_with(".json")) add(normalized_path(package, "./" + inner + "/tsconfig.json"));
  };
  if (const std::string* package = package_folder_(package_name)) add_of_package(*package);
  for (std::string_view at = folder;; at = parent_path(at)) {
    add_of_package(joined_path(joined_path(at, "node_modules"), package_name));
    if (at.empty() || paths.size() >= count_max) return paths;
  }
}

void TypescriptReader::collect_extended(const std::string& folder, std::string_view name,
                                        TypescriptOptions& options, int& searches_left) {
  if (searches_left <= 0) return;
  for (const std::string& path : extended_paths(folder, name, static_cast<std::size_t>(searches_left)))
    if (collect(path, options, searches_left)) return;
}

bool TypescriptReader::collect(const std::string& path, TypescriptOptions& options, int& searches_left) {
  const json::Node* config = searches_left-- > 0 ? json_of(path) : nullptr;
  if (config == nullptr) return false;
  const std::string folder(parent_path(path));
  if (const json::Node* extends = config->find("extends")) {
    if (extends->is(json::Kind::string)) collect_extended(folder, extends->text, options, searches_left);
    for (const json::Node& one : extends->items) collect_extended(folder, one.text, options, searches_left);
  }
  const auto take = [&](const json::Node& from, std::string_view name) {
    if (const json::Node* value = from.find(name))
      options.insert_or_assign(std::string(name), TypescriptOption{.folder = folder, .value = value});
  };
  if (const json::Node* compiler = config->find("compilerOptions"))
    for (const char* name : compiler_options) take(*compiler, name);
  for (const char* name : file_options) take(*config, name);
  return true;
}

std::vector<TypescriptConfig> TypescriptReader::read_with_references(const std::string& path) {
  std::vector<TypescriptConfig> configs;
  std::vector<std::string> paths = {path};
  for (std::size_t i = 0; i < paths.size() && i < references_max; ++i) {
    TypescriptOptions options;
    int searches_left = searches_max;
    if (!collect(paths[i], options, searches_left)) continue;
    const std::string folder(parent_path(paths[i]));
    configs.push_back(EffectiveOptions(options, folder).config());
    const json::Node* references = json_of(paths[i])->find("references");
    if (references == nullptr) continue;
    for (const json::Node& each : references->items) {
      if (paths.size() >= references_max) break;
      const json::Node* name = each.find("path");
      if (name == nullptr || !name->is(json::Kind::string)) continue;
      // The files of a referenced folder have their own tsconfig.json.
      std::optional<std::string> referenced = normalized_path(folder, name->text);
      if (referenced && referenced->ends_with(".json") &&
          std::ranges::find(paths, *referenced) == paths.end())
        paths.push_back(*std::move(referenced));
    }
  }
  return configs;
}

}  // namespace snapgen::core

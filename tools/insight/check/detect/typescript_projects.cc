#include "tools/insight/check/detect/typescript_projects.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "runtime/json/document.h"
#include "tools/engine/base/json_comments.h"
#include "tools/engine/files/path.h"

namespace snapgen::core {
namespace {

// TypescriptProjectReader reads the tsconfig.json of a folder, and the projects that it references.
class TypescriptProjectReader {
 public:
  explicit TypescriptProjectReader(const ProjectFolder& here) : root_(here.at("")), folder_(here.folder()) {}

  TypescriptProject project_at(const std::string& path) && {
    return {.path = path, .is_referenced = true, .is_composite = is_composite(path)};
  }

  TypescriptProjects read() && {
    seen_ = {joined_path(folder_, "tsconfig.json")};
    for (std::size_t i = 0; i < seen_.size(); ++i) add(std::string(seen_[i]), i > 0);
    return std::move(found_);
  }

 private:
  // Reads each file once: a project, those that reference it, and those that extend it need it.
  const json::Document& document_of(const std::string& path) {
    const auto known = documents_.find(path);
    if (known != documents_.end()) return known->second;
    return documents_.emplace(path, json::parse_document(without_json_comments(root_.text(path))))
        .first->second;
  }

  // Returns the names in a list of the document, or nullopt if it has no such list.
  static std::optional<std::vector<std::string>> names_in(const json::Document& document,
                                                          std::string_view list) {
    const json::Node* node = document.root.find(list);
    if (!node || !node->is(json::Kind::array)) return std::nullopt;
    std::vector<std::string> names;
    for (const json::Node& each : node->items)
      if (each.is(json::Kind::string)) names.push_back(each.text);
    return names;
  }

  std::vector<std::string> references_of(const std::string& path, const json::Document& document) const {
    std::vector<std::string> references;
    const json::Node* list = document.root.find("references");
    if (!list || !list->is(json::Kind::array)) return references;
    for (const json::Node& each : list->items) {
      const json::Node* name = each.find("path");
      if (!name || !name->is(json::Kind::string)) continue;
      std::optional<std::string> reference = normalized_path(parent_path(path), name->text);
      if (!reference) continue;
      const bool is_file = reference->ends_with(".json");
      references.push_back(is_file ? *std::move(reference) : joined_path(*reference, "tsconfig.json"));
    }
    return references;
  }

  // Returns whether the project has only the configuration of tools, such as vite.config.ts, which the files
  // of other projects do not import.
  bool has_only_configuration(const std::string& path) {
    const json::Document& document = document_of(path);
    std::vector<std::string> names = names_in(document, "files").value_or(std::vector<std::string>());
    const std::optional<std::vector<std::string>> included = names_in(document, "include");
    if (included) names.insert(names.end(), included->begin(), included->end());
    return !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
      return base_name(name).find(".config.") != std::string_view::npos;
    });
  }

  // Returns whether `composite` is set in this file, or one that it extends.
  bool is_composite(const std::string& path, int depth = 0) {
    constexpr int extends_max = 8;
    const json::Document& document = document_of(path);
    const json::Node* options = document.root.find("compilerOptions");
    const json::Node* composite = options ? options->find("composite") : nullptr;
    if (composite && composite->is(json::Kind::boolean)) return composite->boolean;
    const json::Node* extends = document.root.find("extends");
    if (!extends || depth == extends_max) return false;
    const auto is_base_composite = [&](const json::Node& base) {
      if (!base.is(json::Kind::string) || !base.text.starts_with('.')) return false;
      std::optional<std::string> target = normalized_path(parent_path(path), base.text);
      if (target && !target->ends_with(".json")) *target += ".json";
      return target && is_composite(*target, depth + 1);
    };
    return is_base_composite(*extends) || std::ranges::any_of(extends->items, is_base_composite);
  }

  void add(const std::string& path, bool is_referenced) {
    const json::Document& document = document_of(path);
    const std::vector<std::string> references = references_of(path, document);
    const std::optional<std::vector<std::string>> files = names_in(document, "files");
    const std::optional<std::vector<std::string>> included = names_in(document, "include");
    const bool is_list_empty =
        (files || included) && (!files || files->empty()) && (!included || included->empty());
    const bool needs_others = std::ranges::any_of(
        references, [&](const std::string& each) { return !has_only_configuration(each); });
    // A project without files only references others. tsc reports if it has neither.
    if (!is_list_empty || references.empty())
      (needs_others ? found_.dependent : found_.alone)
          .push_back({.path = path, .is_referenced = is_referenced, .is_composite = is_composite(path)});
    for (const std::string& each : references) {
      // A project outside of this folder is found where it is.
      if (!is_at_or_below_folder(each, folder_) || std::ranges::find(seen_, each) != seen_.end()) continue;
      if (seen_.size() > typescript_projects_max)
        found_.is_cut = true;
      else
        seen_.push_back(each);
    }
  }

  const ProjectFolder root_;
  const std::string folder_;
  std::map<std::string, json::Document> documents_;  // By path.
  std::vector<std::string> seen_;
  TypescriptProjects found_;
};

}  // namespace

TypescriptProjects read_typescript_projects(const ProjectFolder& here) {
  return TypescriptProjectReader(here).read();
}

TypescriptProject read_typescript_project(const ProjectFolder& here, const std::string& path) {
  return TypescriptProjectReader(here).project_at(path);
}

}  // namespace snapgen::core

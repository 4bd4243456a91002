#include "codegen/front/resolve.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/text.h"

namespace snapgen::codegen {
namespace {

using json::can_be_schema;

class Resolver {
 public:
  Resolver(const Sources& sources, Findings& findings, std::shared_ptr<json::SchemaResources> named)
      : sources_(sources), findings_(findings) {
    found_.resources = std::move(named);
  }

  ResolvedSchemas run() {
    for (const auto& file : sources_.files) {
      const json::Node& root = file->document.root;
      SourceLocation location{.file = file.get(), .offset = root.offset};
      if (file->kind == FileKind::message) {
        visit(root, location);
        continue;
      }
      for (std::string_view part : {"inputSchema", "outputSchema"})
        if (const json::Node* schema = root.find(part))
          visit(*schema, inner_location(location, part, schema->offset));
      if (const json::Node* definitions = root.find("$defs");
          definitions && definitions->is(json::Kind::object))
        for (const json::Member& each : definitions->members)
          visit(each.value,
                inner_location(inner_location(location, "$defs", 0), each.key, each.value.offset));
    }
    name_schemas();
    for (const auto& [node, at] : found_.schemas) refer(at);
    refuse_circles();
    return std::move(found_);
  }

 private:
  void visit(const json::Node& node, const SourceLocation& location) {
    if (!can_be_schema(node)) return;
    found_.schemas.emplace(&node, LocatedSchema{.location = location, .node = &node});
    for (const json::Subschema& inner : json::subschemas(node))
      visit(*inner.node, subschema_location(location, inner));
  }

  // Gives the schemas to the general validator, which resolves references, if any schema has a name ($id or
  // an anchor).
  void name_schemas() {
    if (found_.resources) return;
    const auto says = [](const File& file) {
      return file.text.find("\"$id\"") != std::string::npos ||
             file.text.find("Anchor\"") != std::string::npos ||
             file.text.find("\"$anchor\"") != std::string::npos ||
             file.text.find("\"$dynamicRef\"") != std::string::npos;
    };
    if (std::ranges::none_of(sources_.files, [&](const auto& file) { return says(*file); })) return;
    json::SchemaProblems problems;
    found_.resources = make_schema_resources(sources_, problems);
    for (const json::SchemaProblem& each : problems)
      if (const File* file = sources_.find(each.document))
        findings_.add(location_at(*file, each.offset), each.message);
  }

  void refer(const LocatedSchema& at) {
    if (const json::Node* dynamic = at.node->find("$dynamicRef"); dynamic && !at.node->find("$ref"))
      return refer_dynamically(at, *dynamic);
    const json::Node* ref = at.node->find("$ref");
    if (!ref) return;
    SourceLocation location = inner_location(at.location, "$ref", ref->offset);
    if (!ref->is(json::Kind::string)) {
      findings_.add(location, "\"$ref\" is not a string");
      return;
    }
    const json::Node* target =
        found_.resources ? named_target(at, *ref, location) : target_of(ref->text, location);
    if (!target) return;
    if (!found_.schemas.count(target)) {
      findings_.add(location,
                    "\"" + ref->text + "\" does not point to a schema" + reference_to_renamed(ref->text));
      return;
    }
    found_.targets[at.node] = target;
    found_.referenced_schemas[target] = true;
  }

  // Resolves a $dynamicRef. If only one schema has its anchor, it is like a $ref.
  void refer_dynamically(const LocatedSchema& at, const json::Node& ref) {
    if (!ref.is(json::Kind::string)) return;
    json::SchemaProblems problems;
    const json::SchemaResources::Target target = found_.resources->resolve(*at.node, ref, ref.text, problems);
    const SourceLocation location = inner_location(at.location, "$dynamicRef", ref.offset);
    if (!target.node)
      return findings_.add(location, problems.empty() ? "it refers to nothing" : problems[0].message);
    const auto same_anchor = [&](const auto& each) {
      const json::Node* anchor = each.first->find("$dynamicAnchor");
      return anchor && anchor->is(json::Kind::string) && anchor->text == target.dynamic_anchor;
    };
    const bool alone =
        target.dynamic_anchor.empty() || std::ranges::count_if(found_.schemas, same_anchor) == 1;
    if (!alone || !found_.schemas.count(target.node)) {
      found_.has_dynamic_targets = true;
      return;
    }
    found_.targets[at.node] = target.node;
    found_.referenced_schemas[target.node] = true;
  }

  const json::Node* named_target(const LocatedSchema& at, const json::Node& ref,
                                 const SourceLocation& location) {
    json::SchemaProblems problems;
    const json::SchemaResources::Target target = found_.resources->resolve(*at.node, ref, ref.text, problems);
    if (target.node) return target.node;
    // For references by path or pointer, this stage reports the error, because its errors are more precise
    // than those of the validator.
    const bool by_name =
        ref.text.find(':') != std::string::npos ||
        (ref.text.find('#') != std::string::npos && ref.text.find("#/") == std::string::npos);
    if (by_name || target_of(ref.text, location))
      findings_.add(location,
                    (problems.empty() ? "\"" + ref.text + "\" refers to nothing" : problems[0].message) +
                        reference_in_full(ref.text, *location.file));
    return nullptr;
  }

  // Returns the end of a sentence that proposes "#/$defs/unit" for "$defs/unit" and "#$defs/unit", if it
  // exists.
  static std::string reference_in_full(std::string_view ref, const File& file) {
    if (ref.starts_with('#')) ref.remove_prefix(1);
    const std::string pointer = "/" + std::string(ref);
    return follow(file.document.root, pointer) ? suggestion_of("#" + pointer) : std::string();
  }

  // Returns the end of a sentence that proposes the reference after "definitions" is renamed to "$defs".
  static std::string reference_to_renamed(const std::string& ref) {
    constexpr std::string_view before = "#/definitions/";
    const std::size_t at = ref.find(before);
    if (at == std::string::npos) return {};
    return suggestion_of(ref.substr(0, at) + "#/$defs/" + ref.substr(at + before.size()));
  }

  const json::Node* target_of(const std::string& ref, const SourceLocation& location) {
    std::size_t hash = ref.find('#');
    std::string path = ref.substr(0, hash);
    std::string pointer = hash == std::string::npos ? std::string() : ref.substr(hash + 1);
    if (path.find("://") != std::string::npos) {
      findings_.add(location,
                    "\"" + ref + "\" is not in the schemas folder; refer to a file by its relative path");
      return nullptr;
    }
    const File* file = location.file;
    if (!path.empty()) {
      std::optional<std::string> joined = join(location.file->path, path);
      file = joined ? sources_.find(*joined) : nullptr;
      if (!file) {
        const std::string in_full = reference_in_full(ref, *location.file);
        findings_.add(location, "there is no file \"" + path + "\" in the schemas folder" +
                                    (in_full.empty() ? near_file(path, *location.file) : in_full));
        return nullptr;
      }
    }
    const json::Node* node = follow(file->document.root, pointer);
    if (!node && !file->broken)
      findings_.add(location, "there is nothing at \"#" + pointer + "\" in " + file->path +
                                  (path.empty() && !pointer.starts_with('/')
                                       ? reference_in_full(pointer, *file)
                                       : similar_definition(*file, path, pointer)));
    return node;
  }

  // Returns the end of a sentence that names the definition which was meant: one inside a part of a tool, or
  // one with a similar name. Empty if there is none.
  static std::string similar_definition(const File& file, const std::string& path, std::string_view pointer) {
    const json::Node& root = file.document.root;
    for (const std::string part : {"inputSchema", "outputSchema"})
      if (pointer.starts_with("/$defs/") && follow(root, "/" + part + std::string(pointer)))
        return "; it is at \"#/" + part + std::string(pointer) + "\": move \"$defs\" out of \"" + part +
               "\", to the root of the file";
    const std::string_view name = pointer.substr(pointer.rfind('/') + 1);
    for (const std::string_view keyword : {"$defs", "definitions"}) {
      const json::Node* definitions = root.find(keyword);
      // The author is asked to rename "definitions" in these files.
      if (!definitions || (keyword == "definitions" && !file.foreign)) continue;
      std::vector<std::string_view> names;
      for (const json::Member& each : definitions->members) names.push_back(each.key);
      if (const std::optional<std::string_view> meant = nearest_name(name, names))
        return suggestion_of(path + "#/" + std::string(keyword) + "/" + std::string(*meant));
    }
    return {};
  }

  // Resolves `path` against the folder of the file `from`.
  static std::optional<std::string> join(const std::string& from, const std::string& path) {
    if (path.starts_with('/')) return std::nullopt;
    const std::filesystem::path folder = std::filesystem::path(from).parent_path();
    // With an empty last part, the normal form ends with a slash, whether or not `path` does.
    std::string joined = (folder / path / "").lexically_normal().generic_string();
    if (joined.starts_with("../")) return std::nullopt;
    joined.pop_back();
    return joined;
  }

  std::string near_file(const std::string& path, const File& from) const {
    const std::string file_name = path.substr(path.rfind('/') + 1);
    std::size_t folder = from.path.rfind('/') + 1;
    const File* beside = sources_.find(from.path.substr(0, folder) + file_name);
    if (beside && beside != &from) return suggestion_of(file_name);
    std::vector<std::string> names;
    for (const auto& file : sources_.files) {
      if (file->path.compare(0, folder, from.path, 0, folder) == 0)
        names.push_back(file->path.substr(folder));
      else
        names.push_back("../" + file->family + "/" + file->stem + ".json");
    }
    std::vector<std::string_view> views(names.begin(), names.end());
    std::string near = suggestion_clause(path, views);
    if (!near.empty()) return near;
    // The file that refers to it was moved, perhaps from the family that it names.
    const std::string end = "/" + file_name;
    std::erase_if(names, [&](const std::string& each) { return !each.ends_with(end); });
    const json::Node* extension = from.document.root.find("x-snapgen");
    const json::Node* family = extension ? extension->find("family") : nullptr;
    const auto at = std::ranges::find(names, "../" + (family ? family->text : "") + end);
    if (at != names.end()) return suggestion_of(*at);
    return names.size() == 1 ? suggestion_of(names[0]) : std::string();
  }

  static const json::Node* follow(const json::Node& root, std::string_view pointer) {
    const json::Node* node = &root;
    if (pointer.empty()) return node;
    if (pointer[0] != '/') return nullptr;
    while (!pointer.empty() && node) {
      pointer.remove_prefix(1);
      std::size_t end = std::min(pointer.find('/'), pointer.size());
      node = json::child_at_token(*node, pointer.substr(0, end));
      pointer.remove_prefix(end);
    }
    return node;
  }

  // Reports chains of `$ref` that form a circle, and removes their targets.
  void refuse_circles() {
    std::set<const json::Node*> circular;
    for (const auto& [start, first] : found_.targets) {
      std::set<const json::Node*> seen = {start};
      for (const json::Node* node = first; node;) {
        if (node == start) {
          circular.insert(start);
          break;
        }
        if (!seen.insert(node).second) break;
        auto next = found_.targets.find(node);
        node = next == found_.targets.end() ? nullptr : next->second;
      }
    }
    for (const json::Node* node : circular) {
      const LocatedSchema& at = found_.schemas.at(node);
      findings_.add(inner_location(at.location, "$ref", node->find("$ref")->offset),
                    "this \"$ref\" refers only to itself");
      found_.targets.erase(node);
    }
  }

  const Sources& sources_;
  Findings& findings_;
  ResolvedSchemas found_;
};

}  // namespace

std::shared_ptr<json::SchemaResources> make_schema_resources(const Sources& sources,
                                                             json::SchemaProblems& problems) {
  auto resources =
      std::make_shared<json::SchemaResources>(json::Dialect{}, [&sources](const std::string& uri) {
        const File* file = sources.find(uri);
        return file && !file->broken ? &file->document.root : nullptr;
      });
  for (const auto& file : sources.files) {
    if (file->broken) continue;
    const json::Node& root = file->document.root;
    resources->add(file->path, root, problems);
    if (file->kind != FileKind::tool) continue;
    for (std::string_view part : {"inputSchema", "outputSchema"})
      if (const json::Node* schema = root.find(part); schema && can_be_schema(*schema))
        resources->resolve(root, *schema, "#/" + std::string(part), problems);
  }
  return resources;
}

SourceLocation subschema_location(const SourceLocation& outer, const json::Subschema& inner) {
  SourceLocation location = inner_location(outer, inner.keyword, inner.node->offset);
  return inner.single ? location : inner_location(location, inner.name, inner.node->offset);
}

ResolvedSchemas resolve(const Sources& sources, Findings& findings) {
  return Resolver(sources, findings, nullptr).run();
}

ResolvedSchemas resolve_foreign(const Sources& sources, std::shared_ptr<json::SchemaResources> named,
                                Findings& findings) {
  return Resolver(sources, findings, std::move(named)).run();
}

bool is_draft7(const ResolvedSchemas& resolved, const json::Node& schema) {
  // A file that could not be read is missing in `named`.
  const json::SchemaResources* named = resolved.resources.get();
  return named && named->has_schema(schema) &&
         named->resource(named->resource_index_of(schema)).dialect.is_draft7;
}

}  // namespace snapgen::codegen

// Makes structs of foreign schemas.
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "codegen/emit/compile.h"
#include "codegen/emit/emit.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {
namespace {

using json::Node;

class Structs {
 public:
  explicit Structs(const ValidatorSettings& settings) : settings_(settings) {}

  CompiledFiles run(std::vector<SourceText> texts) {
    all_.sources =
        parse_sources(std::move(texts), {.schemas = "", .name_space = settings_.name_space, .foreign = true},
                      all_.findings);
    for (const auto& file : all_.sources.files)
      file->header = file->header.substr(0, file->header.size() - 2) + "_structs.h";
    if (all_.findings.empty()) find_problems();
    if (all_.findings.empty()) {
      shape();
      all_.plans = make_plans(all_.plan_inputs());
    }
    CompiledFiles result{.findings = all_.findings.lines()};
    if (result.findings.empty()) emit(result);
    return result;
  }

 private:
  const Node* fetch(const std::string& uri) const {
    const File* file = all_.sources.find(path_of_uri(uri, settings_));
    return file && !file->broken ? &file->document.root : nullptr;
  }

  // Reports schemas that are invalid in themselves.
  void find_problems() {
    json::SchemaProblems problems;
    named_ = std::make_shared<json::SchemaResources>(json::Dialect{},
                                                     [this](const std::string& uri) { return fetch(uri); });
    for (const auto& file : all_.sources.files) named_->add(file->path, file->document.root, problems);
    for (const auto& file : all_.sources.files) {
      if (!file->emitted) continue;
      std::vector<const Node*> roots = {&file->document.root};
      for (const std::string_view keyword : {"$defs", "definitions"})
        if (const Node* list = file->document.root.find(keyword))
          for (const json::Member& each : list->members)
            if (each.value.is(json::Kind::object) || each.value.is(json::Kind::boolean))
              roots.push_back(&each.value);
      json::compile_plan(*named_, roots, {}, problems);
    }
    for (const json::SchemaProblem& each : problems) {
      if (const File* file = all_.sources.find(each.document))
        all_.findings.add(location_at(*file, each.offset), each.message);
      else
        all_.findings.add(each.document, each.message);
    }
  }

  // Marks schemas that cannot become structs as opaque, until structs can be made of the rest.
  void shape() {
    std::map<const Node*, bool> opaque_schemas;
    do {
      all_.findings = {};
      all_.resolved = resolve_foreign(all_.sources, named_, all_.findings);
      all_.resolved.opaque_schemas = opaque_schemas;
      all_.checked = check(all_.sources, all_.resolved, all_.findings);
      all_.model = build_model(all_.sources, all_.checked, all_.resolved, all_.findings);
      name_model(all_.model, all_.findings);
    } while (!all_.findings.empty() && give_up(opaque_schemas));
  }

  // Marks the schemas with findings as opaque. Returns false if none of them was still to become a struct.
  bool give_up(std::map<const Node*, bool>& opaque_schemas) const {
    std::map<std::pair<std::string, std::string>, const Node*> places;
    for (const auto& [node, at] : all_.resolved.schemas)
      places[{at.location.file->path, at.location.pointer}] = node;
    bool any = false;
    for (const Finding& each : all_.findings.sorted()) {
      std::string pointer = each.pointer;
      for (auto found = places.find({each.file, pointer});; found = places.find({each.file, pointer})) {
        if (found != places.end() && opaque_schemas.emplace(found->second, true).second) {
          any = true;
          break;
        }
        if (pointer.empty()) break;
        pointer.resize(pointer.rfind('/'));
      }
    }
    return any;
  }

  void emit(CompiledFiles& result) const {
    std::set<const File*> wanted;
    std::vector<const File*> open;
    for (const auto& file : all_.sources.files)
      if (file->emitted) open.push_back(file.get());
    while (!open.empty()) {
      const File* file = open.back();
      open.pop_back();
      if (!wanted.insert(file).second) continue;
      for (const SourceUnit& unit : all_.model.units)
        if (unit.file == file) open.insert(open.end(), unit.used_files.begin(), unit.used_files.end());
    }
    FunctionNames taken = declared_functions(all_.model);
    for (const SourceUnit& unit : all_.model.units)
      if (wanted.count(unit.file)) emit_unit(unit, all_, taken, result.files);
  }

  const ValidatorSettings& settings_;
  StageResults all_;
  std::shared_ptr<json::SchemaResources> named_;
};

}  // namespace

CompiledFiles compile_structs(std::vector<SourceText> texts, const ValidatorSettings& settings) {
  return Structs(settings).run(std::move(texts));
}

}  // namespace snapgen::codegen

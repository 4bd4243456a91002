#include "codegen/compile_structs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "codegen/check.h"
#include "codegen/cpp.h"
#include "codegen/emit.h"
#include "codegen/model.h"
#include "codegen/plans.h"
#include "codegen/resolve.h"
#include "runtime/json/reader.h"
#include "runtime/json/schema/compile.h"

namespace snapgen::codegen {
namespace {

using json::Node;

struct StructStages {
  ResolvedSchemas resolved;
  CheckedSchemas checked;
  Model model;
  Findings findings;
};

class Structs {
 public:
  explicit Structs(const ValidatorSettings& settings) : settings_(settings) {}

  CompiledFiles run(std::vector<SourceText> texts) {
    Findings findings;
    sources_ = parse_sources(
        std::move(texts),
        {.schemas = "", .name_space = settings_.name_space, .namespaces = {}, .foreign = true}, findings);
    for (const auto& file : sources_.files)
      file->header = file->header.substr(0, file->header.size() - 2) + "_structs.h";
    if (findings.empty()) find_problems(findings);
    CompiledFiles result;
    if (findings.empty()) {
      std::unique_ptr<StructStages> shaped = shape();
      const Plans plans =
          make_plans(sources_, shaped->resolved, shaped->checked, shaped->model, shaped->findings);
      result.findings = shaped->findings.lines();
      if (result.findings.empty()) emit(shaped->model, plans, result);
      return result;
    }
    result.findings = findings.lines();
    return result;
  }

 private:
  const Node* fetch(const std::string& uri) const {
    const File* file = sources_.find(path_of_uri(uri, settings_));
    return file && !file->broken ? &file->document.root : nullptr;
  }

  // Reports schemas that are invalid in themselves.
  void find_problems(Findings& findings) {
    json::SchemaProblems problems;
    named_ = std::make_shared<json::SchemaResources>(json::Dialect{},
                                                     [this](const std::string& uri) { return fetch(uri); });
    for (const auto& file : sources_.files) named_->add(file->path, file->document.root, problems);
    for (const auto& file : sources_.files) {
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
      const File* file = sources_.find(each.document);
      if (file)
        findings.add(
            SourceLocation{
                .file = file, .offset = each.offset, .pointer = json::pointer_at(file->text, each.offset)},
            each.message);
      else
        findings.add(each.document, each.message);
    }
  }

  // Marks schemas that cannot become structs as opaque, until structs can be made of the rest.
  std::unique_ptr<StructStages> shape() const {
    std::map<const Node*, bool> opaque_schemas;
    while (true) {
      auto made = std::make_unique<StructStages>();
      made->resolved = resolve_foreign(sources_, named_, made->findings);
      made->resolved.opaque_schemas = opaque_schemas;
      made->checked = check(sources_, made->resolved, made->findings);
      made->model = build_model(sources_, made->checked, made->resolved, made->findings);
      name_model(made->model, made->findings);
      if (made->findings.empty() || !give_up(*made, opaque_schemas)) return made;
    }
  }

  // Marks the schemas with findings as opaque. Returns false if none of them was still to become a struct.
  bool give_up(const StructStages& made, std::map<const Node*, bool>& opaque_schemas) const {
    std::map<std::pair<std::string, std::string>, const Node*> places;
    for (const auto& [node, at] : made.resolved.schemas)
      places[{at.place.file->path, at.place.pointer}] = node;
    bool any = false;
    for (const Finding& each : made.findings.sorted()) {
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

  void emit(const Model& model, const Plans& plans, CompiledFiles& result) const {
    std::set<const File*> wanted;
    std::vector<const File*> open;
    for (const auto& file : sources_.files)
      if (file->emitted) open.push_back(file.get());
    while (!open.empty()) {
      const File* file = open.back();
      open.pop_back();
      if (!wanted.insert(file).second) continue;
      for (const SourceUnit& unit : model.units)
        if (unit.file == file) open.insert(open.end(), unit.used_files.begin(), unit.used_files.end());
    }
    FunctionNames taken = declared_functions(model);
    for (const SourceUnit& unit : model.units) {
      if (!wanted.count(unit.file)) continue;
      const auto plan = plans.find(unit.file);
      const std::string stem = unit.file->header.substr(0, unit.file->header.size() - 2);
      result.files[unit.file->header] = wrapped_code(emit_header(unit, model));
      result.files[stem + ".cc"] =
          wrapped_code(emit_source(unit, plan == plans.end() ? nullptr : &plan->second, taken));
    }
  }

  const ValidatorSettings& settings_;
  Sources sources_;
  std::shared_ptr<json::SchemaResources> named_;
};

}  // namespace

CompiledFiles compile_structs(std::vector<SourceText> texts, const ValidatorSettings& settings) {
  return Structs(settings).run(std::move(texts));
}

}  // namespace snapgen::codegen

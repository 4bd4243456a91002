// Decides where and in which order types are declared, and what must be boxed. Part of the model stage.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "codegen/model/model.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

class Orderer {
 public:
  Orderer(Model& model, const Sources& sources, Findings& findings)
      : model_(model), sources_(sources), findings_(findings) {}

  void run() {
    for (const auto& file : sources_.files) {
      units_[file.get()] = model_.units.size();
      model_.units.push_back({.file = file.get()});
    }
    // The types of each file, sorted by location and then in the order in which they were made.
    std::map<std::tuple<std::string, std::size_t, std::size_t>, Type*> declared;
    for (const auto& type : model_.types)
      if (type->declared)
        declared[{type->file->path, type->schema->location.offset, declared.size()}] = type.get();
    for (const auto& [location, type] : declared) declared_[type->file].push_back(type);
    for (const auto& file : sources_.files) visit_file(*file);
    for (auto& [file, used] : uses_)
      for (const File* other : used) model_.units[units_.at(file)].used_files.push_back(other);
    for (SourceUnit& unit : model_.units)
      std::ranges::sort(unit.used_files, [](const File* a, const File* b) { return a->path < b->path; });
    refuse_file_circles();
    for (const auto& [location, type] : declared) refuse_endless(*type);
  }

 private:
  // Orders the types of a file without regard to references from other files.
  void visit_file(const File& file) {
    for (Type* type : declared_[&file]) visit(*type);
  }

  void visit(Type& type) {
    if (!begun_.insert(&type).second) return;
    open_.insert(&type);
    parts(type, false, *type.file);
    open_.erase(&type);
    model_.units[units_.at(type.file)].types.push_back(&type);
  }

  // Visits the types that `type` consists of. `heap` means that it is in a vector, where it may be incomplete.
  // In a map it may not: Clang rejects the comparison of such a map.
  void parts(Type& type, bool heap, const File& owner) {
    switch (type.form) {
      case Form::structure:
        for (Field& field : type.fields)
          if (field.type) part(*field.type, field.boxed, heap, owner);
        if (type.item) part(*type.item, type.item_boxed, false, owner);
        break;
      case Form::array: part(*type.item, type.item_boxed, true, owner); break;
      case Form::map: part(*type.item, type.item_boxed, false, owner); break;
      case Form::nullable: part(*type.item, type.item_boxed, heap, owner); break;
      case Form::variant:
        for (Alternative& each : type.alternatives) part(*each.type, each.boxed, heap, owner);
        break;
      default: break;
    }
  }

  void part(Type& type, bool& boxed, bool heap, const File& owner) {
    if (!type.declared) return parts(type, heap, owner);
    if (type.file != &owner) {
      if (uses_[&owner].insert(type.file).second) visit_file(*type.file);
    }
    if (!open_.count(&type)) return visit(type);
    if (type.form != Form::structure && type.form != Form::enumeration) type.is_wrapped = true;
    if (!heap) boxed = true;
    std::vector<const Type*>& forward = model_.units[units_.at(type.file)].forward_declared;
    if (std::ranges::find(forward, &type) == forward.end()) forward.push_back(&type);
  }

  // Rejects types whose default value would be infinite: it contains its required members, and a union its
  // first alternative.
  void refuse_endless(const Type& start) {
    std::set<const Type*> seen;
    std::function<bool(const Type&)> returns = [&](const Type& type) {
      if (type.form == Form::variant) return enters(*type.alternatives.front().type, start, seen, returns);
      if (type.form != Form::structure) return false;
      return std::ranges::any_of(type.fields, [&](const Field& field) {
        return field.type && field.presence == Presence::required &&
               enters(*field.type, start, seen, returns);
      });
    };
    if (returns(start))
      findings_.add(start.schema->location,
                    "a value of this type contains another one without end; make a member optional, or put "
                    "the alternative that ends first");
  }
  template <class Returns>
  static bool enters(const Type& next, const Type& start, std::set<const Type*>& seen, Returns& returns) {
    return &next == &start || (seen.insert(&next).second && returns(next));
  }

  // Rejects files that need each other, because headers must not include each other in a circle.
  void refuse_file_circles() {
    for (const auto& [start, unused] : uses_) {
      (void)unused;
      std::set<const File*> reached;
      std::function<void(const File*)> follow = [&](const File* file) {
        auto found = uses_.find(file);
        if (found == uses_.end()) return;
        for (const File* next : found->second)
          if (reached.insert(next).second) follow(next);
      };
      follow(start);
      if (reached.count(start))
        findings_.add(start->path,
                      "the file depends on itself through other files; put types that depend on each other "
                      "into the \"$defs\" of one file");
    }
  }

  Model& model_;
  const Sources& sources_;
  Findings& findings_;
  std::map<const File*, std::size_t> units_;
  std::map<const File*, std::vector<Type*>> declared_;
  std::map<const File*, std::set<const File*>> uses_;
  std::set<const Type*> begun_;
  std::set<const Type*> open_;
};

}  // namespace

void order_model(Model& model, const Sources& sources, Findings& findings) {
  Orderer(model, sources, findings).run();
}

}  // namespace snapgen::codegen

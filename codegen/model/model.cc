#include "codegen/model/model.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "codegen/front/name.h"
#include "codegen/model/choice.h"
#include "codegen/model/integer.h"
#include "codegen/model/rules.h"

namespace snapgen::codegen {
namespace {

using Form = Type::Form;

// Splits a set of kinds into single kinds; all numbers count as one.
std::vector<Kinds> split(Kinds set) {
  std::vector<Kinds> found;
  for (Kinds bit : {kinds::object, kinds::array, kinds::string}) {
    if (set & bit) found.push_back(bit);
  }
  if (set & kinds::fraction)
    found.push_back(static_cast<Kinds>(set & kinds::number));
  else if (set & kinds::integer)
    found.push_back(kinds::integer);
  if (set & kinds::boolean) found.push_back(kinds::boolean);
  return found;
}

class Builder {
 public:
  Builder(const Sources& sources, const CheckedSchemas& checked, const ResolvedSchemas& resolved,
          Findings& findings)
      : sources_(sources), checked_(checked), resolved_(resolved), findings_(findings) {}

  Model run() {
    names_of_roots();
    for (const auto& [schema, name] : roots_) declare(*schema, name);
    for (const Schema* schema : referred_schemas())
      if (!schema->target) declare(*schema, name_of(*schema));
    for (const ToolFile& tool : checked_.tools) {
      if (!tool.input) continue;
      ToolModel model{.tool = &tool, .input = type_of(*tool.input, "")};
      if (tool.output && tool.rendering != Rendering::content) model.output = type_of(*tool.output, "");
      model_.tools.push_back(model);
    }
    unify_alternatives();
    return std::move(model_);
  }

 private:
  // If two alternatives have the same C++ type (such as two views), they cannot form a std::variant, so the
  // value becomes a view: it is stored as text.
  void unify_alternatives() {
    for (bool again = true; again;) {
      again = false;
      for (const auto& type : model_.types) {
        if (type->form != Form::variant || !has_twins(*type)) continue;
        view(*type);
        type->alternatives.clear();
        type->choice.reset();
        again = true;  // A type that contains this one may have two views now.
      }
    }
  }
  static bool has_twins(const Type& type) {
    for (std::size_t i = 0; i < type.alternatives.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (is_twin(*type.alternatives[i].type, *type.alternatives[k].type, 0)) return true;
    return false;
  }
  static bool is_twin(const Type& a, const Type& b, int depth) {
    constexpr int depth_max = 20;
    if (&a == &b || depth > depth_max) return true;
    if (a.form != b.form || a.form == Form::structure || a.form == Form::enumeration) return false;
    if (a.item || b.item) return a.item && b.item && is_twin(*a.item, *b.item, depth + 1);
    return std::ranges::equal(
        a.alternatives, b.alternatives,
        [&](const Alternative& x, const Alternative& y) { return is_twin(*x.type, *y.type, depth + 1); });
  }

  std::vector<const Schema*> referred_schemas() const {
    std::vector<const Schema*> all;
    for (const auto& each : resolved_.referenced_schemas) all.push_back(checked_.schemas.at(each.first));
    std::ranges::sort(all, [](const Schema* a, const Schema* b) {
      return std::tie(a->location.file->path, a->location.offset) <
             std::tie(b->location.file->path, b->location.offset);
    });
    return all;
  }

  // Collects the names of types that files declare: a message, a tool's input and output, every definition.
  // The order is that of files and of positions in them.
  void names_of_roots() {
    std::map<const File*, const ToolFile*> tools;
    for (const ToolFile& tool : checked_.tools) tools[tool.file] = &tool;
    for (const auto& file : sources_.files) {
      auto tool = tools.find(file.get());
      std::string prefix;
      if (tool != tools.end()) {
        prefix = type_name(tool->second->name);
        if (tool->second->input) root(*tool->second->input, prefix + "Input");
        if (tool->second->output) root(*tool->second->output, prefix + "Output");
      }
      if (auto message = checked_.messages.find(file.get()); message != checked_.messages.end())
        root(*message->second, titled(*message->second, type_name(file->stem)));
      if (auto definitions = checked_.definitions.find(file.get()); definitions != checked_.definitions.end())
        for (const Definition& each : definitions->second)
          root(*each.schema, titled(*each.schema, prefix.empty() ? type_name(each.name)
                                                                 : prefix + type_name_part(each.name)));
    }
  }
  void root(const Schema& schema, std::string name) {
    if (!schema.annotations.type.empty()) name = schema.annotations.type;
    given_[&schema] = name;
    roots_.emplace_back(&schema, std::move(name));
  }
  static std::string titled(const Schema& schema, const std::string& otherwise) {
    // Titles of foreign schemas are not used, because they are whole sentences.
    return schema.annotations.title.empty() || schema.location.file->foreign
               ? otherwise
               : type_name(schema.annotations.title);
  }

  // Returns the name, made from the JSON Pointer, of a referenced schema that is neither file nor definition.
  std::string name_of(const Schema& schema) const {
    if (auto given = given_.find(&schema); given != given_.end()) return given->second;
    if (!schema.annotations.type.empty()) return schema.annotations.type;
    std::string name = type_name(schema.location.file->stem);
    std::string pointer = schema.location.pointer;
    for (std::size_t at = 0; at < pointer.size();) {
      std::size_t end = std::min(pointer.find('/', at + 1), pointer.size());
      std::string token = pointer.substr(at + 1, end - at - 1);
      at = end;
      if (token == "properties" || token == "$defs") continue;
      name += token == "items" ? "Item" : token == "additionalProperties" ? "Value" : type_name_part(token);
    }
    return name;
  }

  Type* declare(const Schema& schema, const std::string& name) {
    // A file or definition that is only a reference becomes another name for its target.
    if (schema.target) return type_of(schema, "");
    if (auto found = built_.find(&schema); found != built_.end()) return found->second;
    Type* type = make(schema);
    built_[&schema] = type;
    type->declared = true;
    type->is_standalone = true;
    type->wanted_name = name;
    fill(*type, schema, name);
    return type;
  }

  // Returns the type of a value of `schema`. If the type must be declared, its name is `name`.
  Type* type_of(const Schema& schema, const std::string& name) {
    const Schema& meant = resolved(schema);
    if (auto found = built_.find(&meant); found != built_.end()) return found->second;
    if (schema.target || given_.count(&meant)) return declare(meant, name_of(meant));
    if (meant.node && resolved_.referenced_schemas.count(meant.node)) return declare(meant, name_of(meant));
    Type* type = make(meant);
    built_[&meant] = type;
    fill(*type, meant, meant.annotations.type.empty() ? name : meant.annotations.type);
    return type;
  }

  Type* make(const Schema& schema) {
    model_.types.push_back(std::make_unique<Type>());
    Type* type = model_.types.back().get();
    type->schema = &schema;
    type->file = schema.location.file;
    return type;
  }

  const Schema& keep(Schema schema) {
    made_schemas_.push_back(std::make_unique<Schema>(std::move(schema)));
    return *made_schemas_.back();
  }

  void must_be_named(Type& type, const std::string& name) {
    if (type.declared) return;
    type.declared = true;
    type.wanted_name = name;
  }

  void fill(Type& type, const Schema& schema, const std::string& name) {
    if (schema.never && schema.location.file->foreign) return view(type);
    if (schema.never) {
      findings_.add(schema.location, "no value matches the schema false; use it only to forbid a member");
      return;
    }
    if (schema.broken) return;
    type.checked_by_plan = type.checked_by_plan || !schema.validator_constraints.empty();
    if (!schema.alternatives.empty()) return fill_alternatives(type, schema, name);
    if (!schema.kinds_given) {
      if (has_limits(schema) && schema.location.file->foreign) view(type);
      if (has_limits(schema) && schema.validator_constraints.empty() && !schema.location.file->foreign)
        findings_.add(schema.location,
                      "\"type\" is missing; the other keywords here limit values of one type");
      return;
    }
    if (!schema.location.file->foreign) check_limits(schema, findings_);
    Kinds plain = static_cast<Kinds>(schema.kinds & ~kinds::null);
    bool one_kind = plain == kinds::string || plain == kinds::boolean || (plain & ~kinds::number) == 0;
    if (!plain || (schema.values && !one_kind))
      return note_mixed_values(type, schema);  // It is stored as text.
    if (schema.kinds & kinds::null) {
      return fill_nullable(type, schema, plain, name);
    }
    if (schema.values) {
      fill_values(type, schema);
      note_mixed_values(type, schema);
      return fill_enumeration(type, schema, name);
    }
    std::vector<Kinds> each = split(plain);
    if (plain == static_cast<Kinds>(kinds::any & ~kinds::null)) return view(type);
    if (each.size() > 1) return fill_kinds(type, schema, each, name);
    switch (each[0]) {
      case kinds::boolean: type.form = Form::boolean; break;
      case kinds::integer: fill_integer(type, schema); break;
      case kinds::string: type.form = Form::string; break;
      case kinds::array: fill_array(type, schema, name); break;
      case kinds::object: fill_object(type, schema, name); break;
      default: type.form = Form::number; break;
    }
  }

  void fill_integer(Type& type, const Schema& schema) {
    const IntegerRange range = integer_range(schema);
    type.form = Form::integer;
    type.is_unsigned = range.is_unsigned;
    if (range.is_representable) return;
    if (!schema.location.file->foreign) findings_.add(schema.location, "no integer of 64 bits fits");
    view(type);
  }

  // Stores a value as text, because no C++ type can express its schema. Only a plan checks it.
  static void view(Type& type) {
    type.form = Form::raw;
    type.checked_by_plan = true;
  }

  void fill_nullable(Type& type, const Schema& schema, Kinds plain, const std::string& name) {
    type.form = Form::nullable;
    Schema inner = schema;
    inner.node = nullptr;  // Its type is another one than that of the node.
    inner.kinds = plain;
    if (inner.values)
      inner.values->erase(std::remove_if(inner.values->begin(), inner.values->end(),
                                         [](const Constant& each) { return each.kind == json::Kind::null; }),
                          inner.values->end());
    type.item = type_of(keep(std::move(inner)), type.declared ? name + "Value" : name);
  }

  void fill_kinds(Type& type, const Schema& schema, const std::vector<Kinds>& each, const std::string& name) {
    Schema choice;
    choice.location = schema.location;
    choice.kinds = schema.kinds;
    choice.alternatives_keyword = "type";
    for (Kinds kind : each) {
      Schema one = schema;
      one.node = nullptr;
      one.kinds = kind;
      one.annotations = {};
      auto only = [&](Kinds wanted, auto clear) {
        if ((kind & wanted) == 0) clear();
      };
      only(kinds::string, [&] {
        one.min_length = one.max_length = {}, one.patterns.clear(), one.format.clear(),
        one.format_asserted = false;
      });
      only(kinds::number, [&] {
        one.minimum = one.maximum = one.exclusive_minimum = one.exclusive_maximum = {}, one.divisors.clear();
      });
      only(kinds::array,
           [&] { one.items = nullptr, one.min_items = one.max_items = {}, one.unique_items = false; });
      only(kinds::object, [&] {
        one.properties_given = false, one.properties.clear(), one.required.clear(),
        one.additional = Additional::unspecified;
        one.additional_schema = nullptr, one.min_properties = one.max_properties = {},
        one.conditionals.clear(), one.dependent_required.clear();
      });
      choice.alternatives.push_back(&keep(std::move(one)));
    }
    fill_alternatives(type, keep(std::move(choice)), name);
  }

  // Chooses the type of a fixed set of values: an enum for strings, the plain type for numbers or booleans,
  // text for a mixture.
  void fill_values(Type& type, const Schema& schema) {
    Kinds kinds = 0;
    for (const Constant& each : *schema.values) kinds = static_cast<Kinds>(kinds | each.kinds);
    if (kinds == kinds::string)
      type.form = Form::enumeration;
    else if (kinds == kinds::boolean)
      type.form = Form::boolean;
    else if (const IntegerRange range = integer_range(schema);
             kinds == kinds::integer && range.is_representable)
      type.form = Form::integer, type.is_unsigned = range.is_unsigned;
    else if ((kinds & kinds::fraction) && (kinds & ~kinds::number) == 0)
      type.form = Form::number;
    else
      type.form = Form::raw;
  }
  void note_mixed_values(const Type& type, const Schema& schema) {
    if (type.form != Form::raw || !schema.values || schema.values->size() < 2 ||
        schema.location.file->foreign || !schema.node)
      return;
    const json::Node* list = schema.node->find("enum");
    if (list)
      findings_.add_note(
          inner_location(schema.location, "enum", list->offset),
          "the values have several types, so the member of the struct is JSON text (json::Raw)");
  }
  void fill_enumeration(Type& type, const Schema& schema, const std::string& name) {
    if (type.form != Form::enumeration) return;
    must_be_named(type, name);
    for (const Constant& each : *schema.values) type.enumerators.push_back({.text = each.string});
  }

  void fill_array(Type& type, const Schema& schema, const std::string& name) {
    if (find_validator_constraint(schema, "prefixItems")) return view(type);
    type.form = Form::array;
    if (schema.items)
      type.item = type_of(*schema.items, name + "Item");
    else
      type.item = raw();
  }

  Type* raw() {
    if (!raw_) raw_ = make(keep(Schema{}));
    return raw_;
  }

  void fill_object(Type& type, const Schema& schema, const std::string& name) {
    bool members = schema.properties_given || !schema.required.empty();
    bool conditions = !schema.conditionals.empty() || !schema.dependent_required.empty();
    bool open = !members && !conditions &&
                (schema.has_other_member_constraints || schema.additional != Additional::closed);
    if (open && schema.has_other_member_constraints) return fill_patterned(type, schema, name);
    if (open && (schema.additional_schema || schema.min_properties || schema.max_properties)) {
      type.form = Form::map;
      type.item = schema.additional_schema ? type_of(*schema.additional_schema, name + "Value") : raw();
      return;
    }
    if (open) return;  // An object with arbitrary members is stored as text.
    type.form = Form::structure;
    must_be_named(type, name);
    type.open = schema.additional == Additional::open || schema.additional == Additional::unspecified;
    if (schema.min_properties || schema.max_properties) type.checked_by_plan = true;
    // Unknown members of foreign schemas are stored, so that they are not lost when the value is written.
    const bool is_retained = schema.location.file->foreign && type.open;
    if (schema.has_other_member_constraints || is_retained)
      type.item = raw();
    else if (schema.additional == Additional::schema)
      type.item = type_of(*schema.additional_schema, name + "Additional");
    for (const Property& each : schema.properties) {
      if (resolved(*each.schema).never) {
        type.forbidden.push_back(each.name);
        continue;
      }
      type.fields.push_back(field(each, name));
    }
    for (const std::string& missing : schema.required)
      type.fields.push_back(undescribed(type, schema, missing));
    if (!make_rules(schema, type, findings_)) type.checked_by_plan = true;
  }

  // Makes the type of an object without named members. If one pattern describes all members, they have the
  // type of its schema.
  void fill_patterned(Type& type, const Schema& schema, const std::string& name) {
    const ValidatorConstraint* patterns = find_validator_constraint(schema, "patternProperties");
    const bool one = patterns && patterns->schemas.size() == 1 && schema.additional == Additional::closed;
    type.form = Form::map;
    type.item = one && !resolved(*patterns->schemas[0].second).never
                    ? type_of(*patterns->schemas[0].second, name + "Value")
                    : raw();
  }

  // Returns the field of a required member that `properties` does not describe.
  Field undescribed(const Type& type, const Schema& schema, const std::string& key) {
    std::vector<std::string_view> names;
    for (const Property& each : schema.properties) names.push_back(each.name);
    const std::string proposal = suggestion_clause(key, names);
    const bool never = !type.open && !type.item;
    if (never || !proposal.empty())
      findings_.add(location_of_name(schema, "required", key),
                    "\"" + key + "\" is required, but \"properties\" does not describe it" + proposal);
    Field field{.key = key, .schema = raw()->schema, .type = raw(), .presence = Presence::required};
    return field;
  }

  Field field(const Property& property, const std::string& owner) {
    const Schema& meant = resolved(*property.schema);
    Field field{.key = property.name,
                .member = property.schema->annotations.member,
                .schema = property.schema,
                .presence = Presence::optional};
    bool has_default = property.schema->annotations.default_value || meant.annotations.default_value;
    if (property.required)
      field.presence = Presence::required;
    else if (has_default && !property.schema->annotations.is_optional &&
             !property.schema->location.file->foreign)
      field.presence = Presence::defaulted;
    if (meant.values && meant.values->size() == 1 && meant.alternatives.empty()) {
      field.constant = meant.values->front();
      if (field.presence == Presence::defaulted) field.presence = Presence::optional;
      return field;
    }
    if (meant.kinds == kinds::null && meant.alternatives.empty()) {
      field.constant = Constant{.kind = json::Kind::null, .kinds = kinds::null, .canonical = "null"};
      return field;
    }
    field.type = type_of(*property.schema, owner + type_name_part(property.name));
    const bool has_constant_default =
        has_default && (field.type->form == Form::integer || field.type->form == Form::number ||
                        field.type->form == Form::boolean);
    if (property.schema->annotations.is_optional && !has_constant_default)
      findings_.add(property.schema->location, "\"optional\" is for a number or boolean with a \"default\"");
    return field;
  }

  void fill_alternatives(Type& type, const Schema& schema, const std::string& name) {
    std::vector<const Schema*> rest;
    std::size_t nulls = 0;
    for (const Schema* each : schema.alternatives) {
      const Schema& meant = resolved(*each);
      if (!meant.kinds_given && meant.alternatives.empty()) return fill_undecided(type, schema, name);
      if (kinds_of(meant) == kinds::null)
        ++nulls;
      else
        rest.push_back(each);
    }
    if (nulls > 1) findings_.add(schema.location, "null is among the alternatives twice");
    if (nulls && rest.empty()) {
      Schema null = schema;
      null.alternatives.clear();
      null.kinds = kinds::null;
      null.kinds_given = true;
      type.schema = &keep(std::move(null));
      return;
    }
    if (nulls) {
      type.form = Form::nullable;
      std::string inner = type.declared ? name + "Value" : name;
      if (rest.size() == 1) {
        type.item = type_of(*rest[0], inner);
        return;
      }
      Schema choice = schema;
      choice.node = nullptr;
      choice.alternatives = rest;
      if (choice.common_keywords && (choice.common_keywords->kinds & ~kinds::null) == 0)
        choice.common_keywords = nullptr;
      if (choice.common_keywords && (choice.common_keywords->kinds & kinds::null)) {
        Schema common = *choice.common_keywords;
        common.kinds = static_cast<Kinds>(common.kinds & ~kinds::null);
        choice.common_keywords = &keep(std::move(common));
      }
      type.item = type_of(keep(std::move(choice)), inner);
      return;
    }
    if (strings_alone(rest)) return fill_titled_enumeration(type, schema, name);
    FoundDiscriminator discriminator = find_discriminator(rest);
    if (!discriminator.choice) return fill_undecided(type, schema, name);
    type.form = Form::variant;
    type.choice = std::move(discriminator.choice);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Schema& branch = *rest[i];
      std::string own = name + type_name_part(discriminator.suffixes[i]);
      if (!branch.annotations.title.empty() && !branch.location.file->foreign)
        own = type_name(branch.annotations.title);
      type.alternatives.push_back({.type = type_of(branch, own)});
      type.alternatives.back().type->is_standalone = true;
    }
  }

  static bool strings_alone(const std::vector<const Schema*>& all) {
    return std::ranges::all_of(all, [](const Schema* each) {
      const Schema& meant = resolved(*each);
      return meant.values && meant.kinds == kinds::string;
    });
  }

  // Makes an enum with documented values from a oneOf of constants with titles.
  void fill_titled_enumeration(Type& type, const Schema& schema, const std::string& name) {
    type.form = Form::enumeration;
    must_be_named(type, name);
    for (const Schema* each : schema.alternatives) {
      const Schema& meant = resolved(*each);
      for (const Constant& value : *meant.values) {
        bool twice = std::ranges::any_of(type.enumerators,
                                         [&](const Enumerator& e) { return e.text == value.string; });
        if (twice)
          findings_.add(each->location, value.canonical + " is in more than one alternative");
        else
          type.enumerators.push_back({.text = value.string,
                                      .description = each->annotations.title.empty()
                                                         ? each->annotations.description
                                                         : each->annotations.title});
      }
    }
  }

  // Makes the type of a value that may fit several alternatives: their common part, or else a view.
  void fill_undecided(Type& type, const Schema& schema, const std::string& name) {
    type.checked_by_plan = true;
    if (!schema.common_keywords) return view(type);
    Schema common = *schema.common_keywords;
    common.node = schema.node;
    common.location = schema.location;
    common.annotations = schema.annotations;
    check_required_names(schema, common);
    const bool adds = std::ranges::any_of(schema.alternatives,
                                          [&](const Schema* each) { return adds_members(common, *each, 0); });
    const bool closed = common.additional == Additional::closed;
    if (adds && !closed)
      common.has_other_member_constraints = true;
    else if (!adds && common.additional == Additional::unspecified && !common.has_other_member_constraints &&
             is_input(schema)) {
      common.additional = Additional::closed;
      common.closed_by_default = true;
      model_.closed_objects.insert(schema.node);
    }
    fill(type, keep(std::move(common)), name);
    type.checked_by_plan = true;
  }

  // Reports names of alternatives that only require members if the object has no such property.
  void check_required_names(const Schema& schema, const Schema& common) {
    const json::Node* alternatives = presence_rule(schema);
    if (!alternatives || schema.location.file->foreign) return;
    std::vector<std::string_view> names;
    for (const Property& each : common.properties) names.push_back(each.name);
    const SourceLocation list =
        inner_location(schema.location, schema.alternatives_keyword, alternatives->offset);
    for (std::size_t i = 0; i < alternatives->items.size(); ++i) {
      const json::Node& required = alternatives->items[i].members[0].value;
      const SourceLocation location =
          inner_location(inner_location(list, std::to_string(i), alternatives->items[i].offset), "required",
                         required.offset);
      for (std::size_t k = 0; k < required.items.size(); ++k) {
        const json::Node& name = required.items[k];
        if (std::ranges::find(names, name.text) != names.end()) continue;
        const std::string proposal = suggestion_clause(name.text, names);
        if (proposal.empty() && common.additional != Additional::closed && !is_input(schema)) continue;
        findings_.add(inner_location(location, std::to_string(k), name.offset),
                      "the object has no property \"" + name.text + "\"" + proposal);
      }
    }
  }

  static bool adds_members(const Schema& common, const Schema& branch, int depth) {
    constexpr int depth_max = 20;
    const Schema& s = resolved(branch);
    if (depth > depth_max || s.has_other_member_constraints || !s.conditionals.empty()) return true;
    return std::ranges::any_of(s.properties,
                               [&](const Property& each) { return !find_property(common, each.name); }) ||
           std::ranges::any_of(s.alternatives,
                               [&](const Schema* each) { return adds_members(common, *each, depth + 1); });
  }
  bool is_input(const Schema& schema) const {
    return (schema.kinds & kinds::object) != 0 && checked_.input_nodes.count(schema.node) != 0;
  }

  const Sources& sources_;
  const CheckedSchemas& checked_;
  const ResolvedSchemas& resolved_;
  Findings& findings_;
  Model model_;
  std::vector<std::unique_ptr<Schema>>& made_schemas_ = model_.made_schemas;
  std::map<const Schema*, std::string> given_;
  std::vector<std::pair<const Schema*, std::string>> roots_;
  std::map<const Schema*, Type*> built_;
  Type* raw_ = nullptr;
};

}  // namespace

Model build_model(const Sources& sources, const CheckedSchemas& checked, const ResolvedSchemas& resolved,
                  Findings& findings) {
  Model model = Builder(sources, checked, resolved, findings).run();
  order_model(model, sources, findings);
  return model;
}

}  // namespace snapgen::codegen

#include "codegen/model/client_form.h"

#include <algorithm>
#include <array>

namespace snapgen::codegen {
namespace {

using json::Kind;
using json::Node;

const Node* client_form_of(const File& file) {
  const Node* extension = file.document.root.find("x-snapgen");
  return extension ? extension->find("asked") : nullptr;
}

bool is_choice(const Schema& schema) {
  if (schema.values && !schema.constant) {
    return std::ranges::all_of(*schema.values,
                               [](const Constant& each) { return each.kind == Kind::string; });
  }
  return !schema.alternatives.empty() && std::ranges::all_of(schema.alternatives, [](const Schema* each) {
    const Schema& one = resolved(*each);
    return one.constant && one.values->front().kind == Kind::string;
  });
}

// Returns whether a form can show the schema as one field.
bool is_field(const Schema& schema) {
  if (!schema.validator_constraints.empty()) return false;
  if (is_choice(schema)) return true;
  if (schema.values || !schema.alternatives.empty()) return false;
  if (schema.kinds == kinds::string) {
    static constexpr std::array<std::string_view, 5> formats = {"", "email", "uri", "date", "date-time"};
    return schema.patterns.empty() && std::ranges::find(formats, schema.format) != formats.end();
  }
  if (schema.kinds == kinds::array)
    return schema.items && is_choice(resolved(*schema.items)) && !schema.unique_items;
  return schema.kinds == kinds::boolean || schema.kinds == kinds::number || schema.kinds == kinds::integer;
}

void check_form(const Schema& form, Findings& findings) {
  if (form.additional == Additional::schema || !form.validator_constraints.empty() || form.min_properties ||
      form.max_properties || !form.conditionals.empty() || !form.dependent_required.empty()) {
    findings.add(form.location, "a form may have only \"properties\" and \"required\"");
  }
  for (const Property& each : form.properties) {
    if (is_field(resolved(*each.schema))) continue;
    findings.add(each.schema->location,
                 "a form can't ask for \"" + each.name +
                     "\": it has strings (plain, or of the formats email, uri, date and "
                     "date-time), numbers, integers, "
                     "booleans, choices between strings, and lists of such choices");
  }
}

}  // namespace

bool is_client_form(const Type& type) {
  return type.declared && type.file && type.schema && type.schema->node == &type.file->document.root &&
         client_form_of(*type.file) != nullptr;
}

void check_client_forms(const Sources& sources, const CheckedSchemas& checked, Findings& findings) {
  for (const auto& file : sources.files) {
    const Node* form = file->kind == FileKind::message ? client_form_of(*file) : nullptr;
    if (!form) continue;
    SourceLocation root{.file = file.get(), .offset = file->document.root.offset};
    SourceLocation location =
        inner_location(inner_location(root, "x-snapgen", form->offset), "asked", form->offset);
    const bool by_form = form->is(Kind::string) && form->text == "form";
    if (!by_form && !(form->is(Kind::string) && form->text == "model")) {
      findings.add(location, "\"asked\" is not \"form\" or \"model\"");
      continue;
    }
    const auto found = checked.messages.find(file.get());
    if (found == checked.messages.end() || resolved(*found->second).kinds != kinds::object) {
      findings.add(location, "only an object can be asked for");
      continue;
    }
    if (by_form) check_form(resolved(*found->second), findings);
  }
}

bool is_for_user(const File& file) { return client_form_of(file)->text == "form"; }

}  // namespace snapgen::codegen

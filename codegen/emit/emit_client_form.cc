// Emits the JSON Schemas of messages that a handler requests from its client.
#include "codegen/emit/emit.h"
#include "codegen/front/publish.h"
#include "codegen/model/client_form.h"
#include "codegen/model/cpp.h"

namespace snapgen::codegen {

std::string client_form_declaration(const Type& type) {
  return "// The JSON Schema of the type, in the form that clients receive.\nstd::string_view "
         "json_schema(const " +
         type.name + "*);\n";
}

std::string client_form_definition(const Type& type) {
  Findings unused;  // The check stage has already reported these findings.
  Schema shown = *type.schema;
  // If the file asks by form, the request has a message, so its schema needs no descriptions.
  if (is_for_user(*type.file)) shown.annotations = {};
  return "std::string_view json_schema(const " + type.name + "*) {\n  return " +
         raw_literal(published_schema(shown, unused)) + ";\n}\n\n";
}

}  // namespace snapgen::codegen

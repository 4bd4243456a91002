#pragma once
// client_form: messages whose values a handler requests from its client, by form or from a model
// (`x-snapgen.asked`). The generated code contains their JSON Schema, which is sent to the client.
#include <string>

#include "codegen/model/model.h"

namespace snapgen::codegen {

// Returns whether the type is the root schema of a file with x-snapgen.asked.
bool is_client_form(const Type& type);

// Reports every schema with x-snapgen.asked that no client could show or answer. A form must be a flat object
// of strings, numbers, booleans and choices (elicitation of revision 2025-06-18 and later); a model's answer
// must be an object.
void check_client_forms(const Sources& sources, const CheckedSchemas& checked, Findings& findings);

// Whether the client shows the form to its user. Otherwise a model answers.
bool is_for_user(const File& file);

}  // namespace snapgen::codegen

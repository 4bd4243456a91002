#pragma once
// asked: messages whose value a handler asks its client for, by form or of a model (`x-snapgen.asked`). Their
// JSON Schema goes to the client, and so into the generated code.
#include <string>

#include "codegen/model.h"

namespace snapgen::codegen {

// The type that its file's own schema is, and that file says `asked`.
bool is_asked(const Type& type);

// A form is a flat object of strings, numbers, booleans and choices (elicitation of revision 2025-06-18 and
// later); what a model is asked for is an object. Anything else is a finding.
void check_asked(const Sources& sources, const Checked& checked, Findings& findings);

// "std::string_view json_schema(const Move*);"
std::string asked_declaration(const Type& type);
std::string asked_definition(const Type& type);

}  // namespace snapgen::codegen

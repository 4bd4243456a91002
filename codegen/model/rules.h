#pragma once
// rules: converts `if`/`then`/`else` and `dependentRequired` to tests of members. Part of the model stage.
#include <string>
#include <vector>

#include "codegen/model/model.h"

namespace snapgen::codegen {

// Fills in the type's rules. A condition may test that members exist (`required`), are absent (the schema
// false) or have particular values (`const`, `enum`). Returns false if there is any other condition, which
// needs a plan. A condition on a member that cannot exist is a finding.
bool make_rules(const Schema& schema, Type& type, Findings& findings);

// Returns the tests as text: `mode is "snapshot" and lease_id is there`.
std::string tests_in_words(const std::vector<MemberTest>& tests, const std::vector<Field>& fields);
// Returns the error if the test fails: `snapshot_id is required`.
std::string violation_sentence(const MemberTest& test, const std::vector<Field>& fields);

}  // namespace snapgen::codegen

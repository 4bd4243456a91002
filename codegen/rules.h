#pragma once
// rules: `if`/`then`/`else` and `dependentRequired` as tests of members. Part of the model stage.
#include <string>
#include <vector>

#include "codegen/model.h"

namespace snapgen::codegen {

// Fills in the type's rules. A condition may ask whether members are there (`required`), are not there (the
// schema false) or have one of some values (`const`, `enum`); false: there was one that asks anything else,
// which only a plan can. A condition on a member that can't be there is a finding.
bool make_rules(const Schema& schema, Type& type, Findings& findings);

// `mode is "snapshot" and lease_id is there`
std::string in_words(const std::vector<Test>& tests, const std::vector<Field>& fields);
// What is wrong when the test fails: `snapshot_id is required`
std::string demand_in_words(const Test& test, const std::vector<Field>& fields);

}  // namespace snapgen::codegen

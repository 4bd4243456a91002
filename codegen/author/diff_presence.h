#pragma once
// diff_presence: compares which members two object schemas require together.
//
// `required` and alternatives such as "oneOf": [{"required": ["a"]}, {"required": ["b"]}] only say which
// members are there. They are compared by what they accept, so it does not matter how a file writes them.
#include <set>
#include <string>
#include <vector>

#include "runtime/json/document.h"

namespace snapgen::codegen {

struct PresenceChange {
  bool narrower = false;  // Objects are rejected that were accepted; otherwise the reverse.
  std::string keyword;    // The keyword that requires the members: that of the newer schema, if it has one.
  std::string sentence;   // Such as: with "a" but without "b" are rejected now
};

std::set<std::string> required_names(const json::Node& schema);

// Returns whether the schema has alternatives that only require members.
bool has_presence_rule(const json::Node& schema);

// Returns at most one change of each kind.
std::vector<PresenceChange> compare_presence(const json::Node& before, const json::Node& after);

}  // namespace snapgen::codegen

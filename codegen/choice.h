#pragma once
// choice: proves that a value fits at most one of several alternatives, and says how a reader sees which.
// Part of the model stage.
#include <memory>
#include <string>
#include <vector>

#include "codegen/model.h"

namespace snapgen::codegen {

struct Chosen {
  std::unique_ptr<Choice> choice;     // Null if it can't be proved.
  std::vector<std::string> suffixes;  // For each alternative: what tells it apart, for its name.
  std::size_t first = 0, second = 0;  // Two that could not be told apart.
};

// Alternatives differ by their JSON kinds, by the constant of a member that each requires, or by a member
// that one requires and another, closed one does not have.
Chosen choose(const std::vector<const Schema*>& alternatives);

// Facts about every value that fits a schema; alternatives are looked through.
Kinds kinds_of(const Schema& schema);
bool requires_member(const Schema& schema, const std::string& key);
bool forbids_member(const Schema& schema, const std::string& key);

}  // namespace snapgen::codegen

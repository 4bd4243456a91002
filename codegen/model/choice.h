#pragma once
// choice: proves that a value fits at most one of several alternatives, and finds how a reader can
// distinguish them. Part of the model stage.
#include <memory>
#include <string>
#include <vector>

#include "codegen/model/model.h"

namespace snapgen::codegen {

struct FoundDiscriminator {
  std::unique_ptr<DecisionTree> choice;  // A tree of tests; null if alternatives cannot be distinguished.
  // The suffix of the name of each alternative's type: the feature that distinguishes it.
  std::vector<std::string> suffixes;
  std::size_t first = 0, second = 0;  // Two alternatives that cannot be distinguished, if `choice` is null.
};

// Finds how alternatives can be distinguished. They must differ by their JSON kinds or by the constant of a
// member that each requires. It is also enough that one requires a member that another, closed one lacks.
FoundDiscriminator find_discriminator(const std::vector<const Schema*>& alternatives);

// These return facts about every value that fits a schema, including its alternatives.
Kinds kinds_of(const Schema& schema);
bool requires_member(const Schema& schema, const std::string& key);
bool forbids_member(const Schema& schema, const std::string& key);

}  // namespace snapgen::codegen

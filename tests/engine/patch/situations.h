#pragma once
// Patches of every kind on one small tree, and the allowed differences from `git apply`.
#include <string>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// Builds the tree that all situations start from.
extern const char* const situation_tree;

enum class Verdict : unsigned char {
  applied,   // by both, to the same tree
  rejected,  // by both
  stricter,  // git applies it, we reject it: a named exception
  laxer,     // git rejects it, we apply it: a named exception
};

struct Situation {
  const char* name;  // in CamelCase
  Verdict verdict = Verdict::applied;
  RejectReason reason = RejectReason::malformed;  // ours, of the first reject
  const char* script;                             // prints the patch; what it does to the tree is undone
};

std::vector<Situation> situations();

}  // namespace snapgen::core

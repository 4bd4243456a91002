#pragma once
// Patches of every kind on one small tree, and the permitted differences from `git apply`.
#include <string>
#include <vector>

#include "tools/engine/patch/patch.h"

namespace snapgen::core {

// The script that builds the tree from which all situations start.
extern const char* const situation_tree;

enum class Verdict : unsigned char {
  applied,   // git and snapgen apply the patch and get the same tree
  rejected,  // git and snapgen reject the patch
  stricter,  // git applies the patch, snapgen rejects it: a documented exception
  laxer,     // git rejects the patch, snapgen applies it: a documented exception
};

struct Situation {
  const char* name;  // in CamelCase
  Verdict verdict = Verdict::applied;
  RejectReason reason = RejectReason::malformed;  // the reason of the first reject of snapgen
  const char* script;                             // prints the patch; its changes to the tree are reverted
};

std::vector<Situation> situations();

}  // namespace snapgen::core

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

// Under exact_lines, snapgen is as strict as the verdict says. Without, it also applies a patch whose lines
// are right but whose numbers or line ends are not.
enum class ByContent : unsigned char {
  same,      // the verdict is the same
  applied,   // snapgen applies the patch, and gets the same tree as git if git applies it
  rejected,  // snapgen rejects the patch for another reason
};

struct Situation {
  const char* name;  // in CamelCase
  Verdict verdict = Verdict::applied;
  RejectReason reason = RejectReason::malformed;  // the reason of the first reject of snapgen
  const char* script;                             // prints the patch; its changes to the tree are reverted
  ByContent by_content = ByContent::same;
  RejectReason reason_by_content = RejectReason::malformed;  // if `by_content` is rejected
};

std::vector<Situation> situations();

}  // namespace snapgen::core
